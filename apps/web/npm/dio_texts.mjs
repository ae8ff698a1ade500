// dio_texts.mjs: the texts that the program dio.mjs prints. They equal those of the native program.
import { wordCommands } from './core.mjs';

const withCommas = (n) => n.toLocaleString('en-US');
const count = (n, one) => `${n} ${n === 1 ? one : `${one}s`}`;
export const bytesText = (n) => (n === 1 ? '1 byte' : `${withCommas(n)} bytes`);
const hex = (n, digits) => n.toString(16).padStart(digits, '0');
const widthOf = (text) => [...text].length;
export const escaped = (text) => text.replace(/[\0-\x1f\x7f-\x9f]/g, (c) => `\\x${hex(c.charCodeAt(0), 2)}`);

/** Replaces the commands in a text of the library by commands as people type them, with `file` in place of the word FILE. */
export function worded(text, file = '') {
  const name = /[ '"$\\]/.test(file) ? `"${file}"` : file;
  return wordCommands(text, (verb, words) => {
    const command = [verb, file ? words.replace(/(?<=^| )FILE(?=$| |#)/g, () => name) : words].filter(Boolean).join(' ');
    return verb.startsWith('--') ? command : `\`dio ${command}\``;
  });
}

// ---- tables and lists ----

/** Joins texts with `between` and breaks the lines after 100 columns. */
function wrapped(items, between, indent) {
  const lines = [];
  items.forEach((item, i) => {
    const text = i + 1 < items.length ? item + between : item, last = lines.at(-1);
    if (last !== undefined && indent.length + widthOf(last) + 1 + widthOf(text) <= 100) lines[lines.length - 1] += ` ${text}`;
    else lines.push(text);
  });
  return lines.map((line) => `${indent}${line}\n`).join('');
}

/** Lines of cells in columns. */
export function tableText(rows, indent = '', right = '') {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => widthOf(row[i]))));
  return rows.map((row) => {
    const cells = row.map((cell, i) => (right[i] === '>' ? cell.padStart(widths[i]) : cell + ' '.repeat(widths[i] - widthOf(cell))));
    return `${indent}${cells.join('  ').trimEnd()}\n`;
  }).join('');
}

// ---- info ----

const isPlain = (value) => typeof value !== 'object' || value === null;
const plainText = (value) => (typeof value === 'string' ? escaped(value) : value === null ? 'none' : typeof value === 'boolean' ? (value ? 'yes' : 'no') : `${value}`);
const isTable = (value) => Array.isArray(value) && value.length > 0 && !isPlain(value[0]) && !Array.isArray(value[0]);
/** Members as `KTPT 1`, elements as they are. */
const memberTexts = (value) => Object.entries(value).map(([name, member]) => {
  const text = isPlain(member) ? plainText(member) : `(${memberTexts(member).join(', ')})`;
  return Array.isArray(value) ? text : `${escaped(name)} ${text}`;
});
function valueText(value, indent) {
  if (isPlain(value)) return wrapped(plainText(value).split(' ').filter(Boolean), '', indent);
  const items = memberTexts(value);
  return items.length ? wrapped(items, items.some((item) => item.includes(',')) ? ';' : ',', indent) : `${indent}none\n`;
}
/** The members of an object, one per line. A list of objects has a heading for each element. */
function membersText(object, margin) {
  const members = Object.entries(object), space = ' '.repeat(margin);
  const width = Math.max(0, ...members.filter(([, value]) => !isTable(value)).map(([name]) => widthOf(name)));
  return members.map(([name, value]) => {
    if (isTable(value)) return value.map((one, i) => `${space}${name}[${i}]\n${membersText(one, margin + 2)}`).join('');
    const label = escaped(name).replaceAll('_', ' '), text = valueText(value, ' '.repeat(margin + width + 2));
    return space + label + (text.slice(margin + widthOf(label)) || '\n');
  }).join('');
}
/** JSON with numbers as texts: as JavaScript numbers, 1.0 would become 1. */
const parseExact = (json) => JSON.parse(json.replace(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g, (token) => (token[0] === '"' ? token : `"${token}"`)));
/** A value as JSON on one line, as the library writes it. */
const jsonLine = (value) => JSON.stringify(value, null, 1).replace(/([{[])\n\s*/g, '$1').replace(/,\n\s*/g, ', ').replace(/\n\s*/g, '');
/** A file.infoText() with the description of the file as a part of a game. */
export function withPart(json, { schema, game, part, file, ...described }) {
  const { info } = JSON.parse(json), added = Object.entries(described).filter(([name]) => !Object.hasOwn(info, name));
  return json.replace(/\}\}\n$/, () => `${added.map(([name, value]) => `, "${name}": ${jsonLine(value)}`).join('')}}}\n`);
}
/** A file.infoText() as `dio info` prints it. `format` is the entry of the format in formats(). */
export function infoText(json, format) {
  const { file, size, info, reason } = parseExact(json);
  const hasLayouts = format.options?.some(({ name }) => name === 'layout');
  const shown = hasLayouts ? { ...info, recognised: reason } : info;
  return `${file}: ${format.title}, ${bytesText(Number(size))}\n${membersText(shown, 2)}`;
}

// ---- findings ----

const shownSeverity = ({ severity }) => (severity === 'stop' ? 'error' : severity);
const bitsText = ({ bit, bits = 1 }) => (bit === undefined ? '' : bits > 1 ? `bits ${bit}-${bit + bits - 1}` : `bit ${bit}`);

/** A finding or an error on one line, without its severity and its id. */
export function oneLine(finding) {
  const { file = '', offset, path = '', message, expected, found } = finding;
  const place = [offset === undefined ? '' : `0x${hex(offset, 0)}`, bitsText(finding), path].filter(Boolean).join(' ');
  const text = message || [expected && `expected ${expected}`, found && `found ${found}`].filter(Boolean).join(', ');
  return escaped(worded([file, place, text].filter(Boolean).join(': '), file));
}

/** The offset of the first byte in the excerpt: a multiple of 16, unless another one keeps the marked bytes on one line. */
function excerptStart(offset, end, length) {
  if (offset === length) {
    const start = offset - ((offset - 1) % 16) - 1;
    return offset - start === 16 ? start + 8 : start;
  }
  return [offset - (offset % 16), offset - (offset % 8)].find((start) => end - start <= 16) ?? (end - offset <= 16 ? offset : offset - (offset % 16));
}
/** The bytes of a finding, with carets below them. */
function excerpt(finding, bytes) {
  const { offset, size } = finding;
  if (offset === undefined || offset > bytes.length || !bytes.length) return '';
  const end = offset + Math.max(size, 1), start = excerptStart(offset, end, bytes.length);
  let line = `0x${hex(start, 4)}  `, carets = ' '.repeat(line.length), letters = '';
  for (let i = 0, at = start; i < 16; ++i, ++at) {
    const gap = i === 8 ? ' ' : '', byte = bytes[at];
    line += gap + (byte === undefined ? '   ' : `${hex(byte, 2)} `);
    carets += gap + (at >= offset && at < end ? '^^ ' : '   ');
    if (byte !== undefined) letters += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  }
  const more = end - start > 16 ? ` ... ${count(end - offset, 'byte')}` : '', bits = bitsText(finding);
  return `  ${line} ${letters}\n  ${carets.trimEnd()}${more}${bits && `  ${bits}`}\n`;
}
const hintText = ({ hint, file }) => escaped(worded(hint, file));
const withDetails = (line, finding, bytes) => `${line}\n${excerpt(finding, bytes)}${finding.hint ? `  help: ${hintText(finding)}\n` : ''}`;

/** An error of the library with the bytes at its place. */
export const errorText = (finding, bytes = []) => withDetails(`error: ${oneLine(finding)} [${finding.id}]`, finding, bytes);
/** A note about a result. */
export const noteText = (finding) => `${oneLine(finding)}${finding.hint ? `; ${hintText(finding)}` : ''}\n`;

/** Findings with their bytes; an empty line separates findings of several lines. */
function blocksText(findings, bytes) {
  const texts = findings.map(({ line, finding }) => withDetails(line, finding, bytes));
  const isLong = (text) => text !== undefined && text.indexOf('\n') + 1 < text.length;
  return texts.map((text, i) => (i && (isLong(texts[i - 1]) || isLong(text)) ? `\n${text}` : text)).join('');
}
/** The first three findings of each rule that has more than four, and how many others there are. */
function folded(findings) {
  const total = {}, seen = {}, shown = [], rest = [];
  for (const { finding: { id } } of findings) total[id] = (total[id] ?? 0) + 1;
  for (const one of findings) {
    const { id } = one.finding, n = (seen[id] = (seen[id] ?? 0) + 1);
    if (total[id] <= 4 || n <= 3) shown.push(one);
    else if (n === total[id]) rest.push(`${withCommas(n - 3)} more [${id}]`);
  }
  return { shown, rest };
}
/** The findings of a file as `dio check` prints them. `lines` is its report('text'): one line per finding, which ends with the hint. */
export function findingsText(name, findings, lines, bytes, { all, compact }) {
  const list = findings.map((finding, i) => {
    const line = escaped(worded(lines[i], name)), hint = finding.hint ? ` (${hintText(finding)})` : '';
    return { finding, whole: line, line: line.slice(0, line.length - hint.length) };
  });
  const { shown, rest } = all ? { shown: list, rest: [] } : folded(list);
  const end = rest.length ? `... ${rest.join(', ')} in ${name}: --all shows them\n` : '';
  if (compact) return shown.map(({ whole }) => `${whole}\n`).join('') + end;
  const own = shown.filter(({ finding }) => finding.file === name), others = shown.filter(({ finding }) => finding.file !== name);
  return blocksText(own, bytes) + blocksText(others, []) + (end && `\n${end}`);
}
/** The last line of `dio check`: the findings of one file, or of several. */
export function totalText(files, isOne) {
  const all = files.flatMap(({ findings }) => findings).map(shownSeverity);
  const counts = ['error', 'warning', 'hint'].map((severity) => [all.filter((one) => one === severity).length, severity]).filter(([n]) => n);
  const text = counts.map(([n, severity]) => count(n, severity)).join(', ') || 'no problems found';
  if (isOne) return `${files[0].name}: ${text}\n`;
  const bad = files.filter(({ findings }) => findings.length).length;
  return `${text} in ${bad ? `${withCommas(bad)} of ` : ''}${withCommas(files.length)} ${files.length === 1 ? 'file' : 'files'}\n`;
}
const severities = ['stop', 'error', 'warning', 'hint'];
/** The number of the worst severity among findings: 0 for `stop`, 4 if there are none. */
export const worstOf = (findings) => Math.min(4, ...findings.map(({ severity }) => severities.indexOf(severity)));
/** The findings of all files as JSON. */
export function findingsJson(files) {
  const findings = files.flatMap((file) => file.findings.map((one) => wordedFinding(one)));
  const summary = Object.fromEntries(severities.map((severity) => [severity, findings.filter((one) => one.severity === severity).length]));
  const bad = files.filter((file) => file.findings.length).length;
  return `${JSON.stringify({ schema: 'diorama.check/1', findings, summary: { ...summary, files: bad, ignored: 0, baseline: 0 }, files: files.length }, null, 2)}\n`;
}
function wordedFinding(finding) {
  const out = { ...finding };
  for (const name of ['message', 'expected', 'found', 'hint']) if (out[name] !== undefined) out[name] = worded(out[name], finding.file);
  return out;
}
