#!/usr/bin/env node
// dio.mjs: the command line of the package. Its verbs print and write the same as those of the native program `dio`.
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

import { Failure, companionsOf, gameOf, membersOf, openInput, withCompanions, writeFiles } from './dio_files.mjs';
import { bytesText, errorText, escaped, findingsJson, findingsText, infoText, noteText, oneLine, tableText, totalText, withPart, worstOf } from './dio_texts.mjs';
import { Diorama, DioramaError, compile } from './node.mjs';

const exits = { done: 0, no: 1, usage: 2, unreadable: 3, refused: 4, system: 5, fault: 70 };
const exitOfCause = { input: exits.unreadable, request: exits.usage, absent: exits.no, limit: exits.refused, system: exits.system, fault: exits.fault };

class UsageError extends Error {}

// ---- the command line ----

const common = {
  quiet: { short: 'q', about: 'suppress all messages except errors' },
  help: { short: 'h', about: 'print this help and exit' },
  version: { about: 'print the version and exit' },
};
const reading = { as: { value: 'FORMAT', about: 'read the input as this format instead of detecting it' }, strict: { about: 'fail on damaged parts instead of keeping them as raw bytes' } };
const writing = { output: { short: 'o', value: 'OUT', about: 'the output; - writes to standard output' }, force: { short: 'f', about: 'overwrite existing files' } };
const drawing = {
  size: { value: 'WxH', about: 'the size in pixels (default: 640x480)' },
  camera: { value: 'CAMERA', about: 'the camera: iso (default), free, top, game, AZIMUTH,ELEVATION or a camera name' },
  background: { value: 'COLOR', about: 'the background: #rrggbb, white, black, grey or transparent' },
  look: { value: 'LOOK', about: 'imitate the graphics of a console: ds or psx' },
  zoom: { value: 'N', about: 'enlarge each pixel to N x N' },
  samples: { value: 'N', about: 'smooth edges with N x N samples per pixel' },
  animation: { value: 'NAME', about: 'play this animation' },
  time: { value: 'TIME', about: 'the animation time in seconds, such as 1.5' },
  strip: { value: 'N', about: 'draw N moments of the animation side by side' },
  scale: { value: 'N', about: 'draw from above with N pixels per game tile, instead of --size' },
  show: { value: 'LIST', about: 'the layers of a plan (.svg): ckpt,enpt' },
};
const verbs = {
  info: { run: runInfo, about: 'describe a file: its version, parts and counts', files: 'FILE...', options: { json: { about: 'print JSON, one object per line' }, ...reading } },
  check: {
    run: runCheck, about: 'report problems in a file', files: 'FILE...',
    options: {
      json: { about: 'print JSON' },
      compact: { about: 'print one line per finding, without the bytes' },
      all: { short: 'a', about: 'print every finding (default: at most three per rule and file)' },
      'fail-on': { value: 'SEVERITY', about: 'the lowest severity that causes exit code 1: hint, warning (default), error, or never' },
      ...reading,
    },
  },
  convert: {
    run: runConvert, about: 'convert files to glTF or JSON, and back', files: 'FILE...',
    details: 'The extension of OUT determines the output type: .glb, .gltf, .json, or the extension of\na console format. Several files are converted together, such as a model with its textures\nand animations. Formats that can be made from scenes have more options, such as\n--scaling 20; they are those of the native program.',
    options: {
      to: { value: 'TYPE', about: 'the output type, if the extension of OUT does not determine it: glb, gltf, json, or a format id' },
      onto: { value: 'FILE', about: 'apply an edited .glb, .gltf or .obj to FILE, from which it was exported' },
      partly: { about: 'skip the parts of the scene that cannot be converted or applied' },
      delete: { about: 'with --onto: remove elements that are missing from the scene, even if more than three are missing' },
      unlink: { about: 'with --onto: clear references to removed elements' },
      cascade: { about: 'with --onto: also remove the elements that refer to removed ones' },
      canonical: { about: 'rewrite the file in its canonical layout' },
      lossy: { about: 'discard unreferenced bytes that have no place in the new layout' },
      ...writing, ...reading,
    },
  },
  render: {
    run: runRender, about: 'draw a picture of a file', files: 'FILE...',
    details: 'OUT is a .png, .apng or .gif picture, or the plan of a course as .svg. Several files are\ndrawn together, such as a model with its textures and animations.',
    options: { ...drawing, ...writing, ...reading },
  },
  view: {
    run: runView, about: 'make a page with the browser viewer and files', files: '[FILE...]',
    details: 'OUT is one HTML page that contains the viewer and the files. The page opens from disk,\nneeds no network and sends no data. Companion files in the same folder are included. A\npage holds at most 64 MiB of files.',
    options: writing,
  },
  formats: { run: runFormats, about: 'list the known formats', files: '', options: { json: { about: 'print JSON' } } },
  help: { run: runHelp, about: 'show help for a verb', files: '[VERB]', options: {} },
};

const usageOf = (verb) => ['dio', verb, verbs[verb].files, Object.keys(verbs[verb].options).length ? '[options]' : ''].filter(Boolean).join(' ');
const optionsText = (options) => tableText(Object.entries(options).map(([name, { short, value, about }]) => [`${short ? `-${short}, ` : ''}--${name}${value ? ` ${value}` : ''}`, about]), '  ');
function helpText(verb) {
  const { about, details, options } = verbs[verb];
  const own = Object.keys(options).length ? `\nOptions\n${optionsText(options)}` : '';
  return `dio ${verb}: ${about}\n\n  ${usageOf(verb)}\n${details ? `\n${details}\n` : ''}${own}\nOptions for every verb\n${optionsText(common)}`;
}
const overview = () =>
  `dio reads, checks, draws and converts map files of classic console games\n\n  dio VERB FILE... [options]\n\n${tableText(Object.entries(verbs).map(([verb, { about }]) => [verb, about]), '  ')}
Exit codes: 0 done; 1 problems found or nothing to show; 2 invalid command line; 3 an input is damaged or has an unknown
format; 4 data would be lost or a limit exceeded; 5 a file cannot be read or written, or already exists.

The native program \`dio\` has more verbs and options. \`dio help VERB\` describes a verb.\n`;

/** Options of the formats that can be made from scenes, by their names on the command line. */
const makingName = (name) => (name === 'layout' ? 'target-layout' : name);
const makingOptions = (diorama) => new Set(diorama.formats().flatMap(({ options = [] }) => options.map(({ name }) => makingName(name))));

/** Parses the arguments after the verb: {options, files, making}. */
function parse(verb, args, extra) {
  const known = { ...verbs[verb].options, ...common };
  const types = Object.fromEntries(Object.entries(known).map(([name, { short, value }]) => [name, { type: value ? 'string' : 'boolean', ...(short && { short }) }]));
  for (const name of extra) types[name] = { type: 'string' };
  const { tokens } = parseArgs({ args, options: types, strict: false, allowPositionals: true, tokens: true });
  const out = { options: {}, files: [], making: {} };
  for (const { kind, name, rawName, value } of tokens) {
    if (kind === 'positional') out.files.push(value);
    if (kind !== 'option') continue;
    if (!types[name]) throw new UsageError(`unknown option ${rawName}`);
    const wantsValue = types[name].type === 'string';
    if (wantsValue && value === undefined) throw new UsageError(`the option ${rawName} needs a value`);
    if (!wantsValue && value !== undefined) throw new UsageError(`the option ${rawName} takes no value`);
    (known[name] ? out.options : out.making)[name] = value ?? true;
  }
  return out;
}

// ---- output ----

let exit = exits.done;
const raise = (code) => (exit = Math.max(exit, code));
const print = (text) => process.stdout.write(text);
const note = (text) => process.stderr.write(text);

function exitOf(diorama, { id }) {
  if (id === 'capi.argument') return exits.usage;
  try {
    return exitOfCause[diorama.explain(id).cause] ?? exits.unreadable;
  } catch {
    return exits.unreadable;
  }
}
/** Prints an error of the library or of the system, and sets the exit code. */
function report(diorama, error, bytes = []) {
  if (!(error instanceof DioramaError || error instanceof Failure)) throw error;
  note(errorText(error.finding, bytes));
  raise(error.exit ?? exitOf(diorama, error.finding));
}
/** Does something with each file. An error in one file does not keep the others from being processed. */
function forEachInput({ diorama, files, options }, work) {
  if (!files.length) throw new UsageError('the argument FILE is missing');
  let failed = 0;
  for (const argument of files) {
    let input;
    try {
      work((input = openInput(diorama, argument, options)));
    } catch (error) {
      report(diorama, error, input?.bytes);
      ++failed;
    }
  }
  if (failed && files.length > 1) note(`${failed} of ${files.length} files failed\n`);
}
/** Writes the results, and tells where they are. */
function write({ options, files }, results) {
  const { output, force, quiet } = options;
  if (output === '-' && results.length > 1) throw new UsageError('the result consists of several files, which cannot be written to standard output');
  if (output === '-') return print(results[0].bytes);
  writeFiles(results, files, force);
  if (!quiet) for (const { name, bytes } of results) note(`wrote ${escaped(name)} (${bytesText(bytes.length)})\n`);
}
const notes = ({ options }, list) => options.quiet || list.forEach((finding) => note(noteText(finding)));
function requireOutput({ options }) {
  if (!options.output) throw new UsageError('no output given: use -o OUT');
}

// ---- inputs ----

const isScene = (name) => /\.(glb|gltf|obj)$/i.test(name);
/** The entry of the file's format in formats(). The format of a file may end with a layout: splashpack-v21. */
function formatOf(diorama, { format }) {
  const formats = diorama.formats();
  return formats.find(({ id }) => format === id) ?? formats.find(({ id }) => format?.startsWith(`${id}-`));
}

/** The main file among several, with the others: {input, file}. Returns null after an error. */
function openTogether({ diorama, files, options }) {
  if (!files.length) throw new UsageError('the argument FILE is missing');
  const inputs = files.map((name) => openInput(diorama, name, options));
  const broken = inputs.find(({ file }) => file.error && !isScene(file.name));
  if (broken) {
    report(diorama, broken.file.error, broken.bytes);
    return null;
  }
  if (inputs.length === 1) return { input: inputs[0], file: withCompanions(diorama, inputs[0]) };
  const hasScene = ({ name, file }) => isScene(name) || formatOf(diorama, file).gltf;
  for (const input of [...inputs].sort((a, b) => hasScene(b) - hasScene(a))) {
    const file = input.file.together(...inputs.filter((one) => one !== input).map((one) => one.file));
    if (!file.error || isScene(input.name)) return { input, file };
  }
  throw new UsageError('these files do not belong together; give one model or map, and files that it uses');
}
/** What convert() and render() need: the scene of a map in the folder of a game, or the file with the files of the game that it is shown with. */
function shownIn(diorama, input, file) {
  const found = gameOf(diorama, input);
  if (!found) return file;
  try {
    return found.game.world(found.part);
  } catch (error) {
    if (!formatOf(diorama, file).gltf && error.id !== 'game.part') throw error;
  }
  const others = found.game.shownWith(found.part).map((path) => diorama.open(found.game.file(path), path));
  return others.length ? file.together(...others) : file;
}

// ---- verbs ----

/** The file.infoText() of an input; of a list of map files with the map that the game makes of them. */
function describe(diorama, input, file) {
  const found = /\.gns$/i.test(input.name) ? gameOf(diorama, input) : null;
  return found ? withPart(file.infoText(), found.game.describe(found.part)) : file.infoText();
}
function runInfo(context) {
  const { diorama, options } = context;
  let isFirst = true;
  forEachInput(context, (input) => {
    if (input.file.error) throw input.file.error;
    const file = withCompanions(diorama, input), text = describe(diorama, input, file);
    print(options.json ? text : `${isFirst ? '' : '\n'}${infoText(text, formatOf(diorama, file))}`);
    isFirst = false;
  });
}

/** The findings of a member of an archive, with all files in the archive: {findings, lines}. Files are named by their paths in the archive. */
function checkedMember({ name, archive, member }) {
  const folder = name.slice(0, name.length - member.length);
  const findings = archive.checkMember(member).map((finding) => ({ ...finding, file: folder + finding.file }));
  return { findings, lines: archive.report('text', { member }).replace(/^\w+: /gm, (severity) => severity + folder) };
}
/** The findings of a file: {name, findings, text}. */
function checked({ diorama, options }, input) {
  const { name, bytes } = input, file = withCompanions(diorama, input), isPlainMember = input.archive && !file.error && !options.as && !options.strict;
  const { findings, lines } = isPlainMember ? checkedMember(input) : { findings: file.check(), lines: file.report('text') };
  if (input.file.error) raise(exitOf(diorama, input.file.error.finding));
  return { name, findings, text: findingsText(name, findings, lines.split('\n'), bytes, options) };
}
/** The findings of a file, and of the files in the archive of a course. */
function checkedFiles(context, input, results) {
  const { diorama, options } = context, members = membersOf(diorama, input);
  const known = members.filter(({ file }) => file.error?.id !== 'detect.unknown'), skipped = members.length - known.length;
  if (!members.length && formatOf(diorama, input.file)?.archive && !input.file.error && !options.quiet) note(`${escaped(input.name)}: the files in this archive were skipped\n`);
  if (skipped && !options.quiet) note(`${skipped === 1 ? '1 file' : `${skipped} files`} of unknown format skipped\n`);
  for (const one of [input, ...known]) results.push(checked(context, one));
  return members.length;
}
function runCheck(context) {
  const { options, files } = context, severities = ['error', 'warning', 'hint', 'never'];
  const failOn = options['fail-on'] ?? 'warning';
  if (!severities.includes(failOn)) throw new UsageError('--fail-on must be hint, warning, error or never');
  if (options.compact && options.json) throw new UsageError('--compact cannot be combined with --json');
  const results = [];
  let inputs = files.length;
  forEachInput(context, (input) => (inputs += checkedFiles(context, input, results)));
  const worst = worstOf(results.flatMap(({ findings }) => findings));
  if (failOn !== 'never' && worst <= severities.indexOf(failOn) + 1) raise(exits.no);
  if (options.json) return print(findingsJson(results));
  const sorted = results.filter(({ findings }) => findings.length).sort((a, b) => worstOf(a.findings) - worstOf(b.findings));
  for (const { text } of sorted) print(inputs > 1 && !options.compact ? `${text}\n` : text);
  if (!options.quiet && results.length) print(totalText(results, inputs === 1));
}

/** The output type: {type: 'glb' | 'gltf' | 'json'}, or {ids} of the formats that it can be. */
function targetOf({ diorama, options }) {
  const name = (options.to ?? extname(options.output)).toLowerCase().replace(/^\./, '');
  if (['glb', 'gltf', 'json'].includes(name)) return { type: name };
  const formats = diorama.formats(), exact = formats.filter(({ id }) => id === name);
  const ids = (exact.length ? exact : formats.filter(({ extensions }) => extensions.split(' ').includes(`.${name}`))).map(({ id }) => id);
  if (ids.length || (!options.to && /^\d+$/.test(name))) return { ids };
  if (!name) throw new UsageError('no output type given: use --to with glb, gltf, json, or a format id (`dio formats` lists the ids)');
  throw new UsageError(`unknown output type ".${name}"; it can be glb, gltf, json, or a format id (\`dio formats\` lists the ids)`);
}
/** The names of several results: OUT, and OUT with the extensions of the others. */
const named = (output, made) => made.map(({ name, bytes }, i) => ({ name: i ? output.slice(0, output.length - extname(output).length) + extname(name) : output, bytes }));

function reportLosses({ options }, { name }, lost) {
  if (!lost || options.partly) return;
  raise(exits.no);
  if (!options.quiet) note(`${escaped(name)}: ${lost} ${lost === 1 ? 'loss' : 'losses'}, listed above; the exit code is therefore 1, unless --partly is given\n`);
}
/** A scene becomes the files of a format. */
function makeFromScene(context, file, target) {
  const { diorama, options, making } = context;
  const makers = diorama.formats().filter(({ id, options: given }) => given && target.ids?.includes(id));
  if (makers.length !== 1) throw new UsageError(makers.length ? `several formats have this extension; use --to with ${makers.map(({ id }) => id).join(' or ')}` : 'a scene cannot be converted to this type; to apply an edited scene to the file it was made from, use --onto FILE');
  const allowed = Object.fromEntries(makers[0].options.map(({ name }) => [makingName(name), name]));
  const unknown = Object.keys(making).find((name) => !allowed[name]);
  if (unknown) throw new UsageError(`--${unknown} has no effect on the format ${makers[0].id}`);
  const { files, notes: told } = file.make(makers[0].id, Object.fromEntries(Object.entries(making).map(([name, value]) => [allowed[name], value])));
  notes(context, told);
  reportLosses(context, file, told.filter(({ id, severity }) => severity === 'warning' && id.endsWith('.make-lost')).length);
  return named(options.output, files);
}
/** The bytes of a file in the output type. */
function convertedFile({ diorama, options }, input, file, { type, ids }) {
  if (type === 'json') return Buffer.from(file.decodeText());
  if (type) return shownIn(diorama, input, file).convert(type);
  const format = formatOf(diorama, file);
  if (ids.length && !ids.includes(format.id)) throw new UsageError(`${input.name}: this format (${format.title}) cannot be converted to this type, only to ${format.gltf ? 'glb, gltf, ' : ''}json and ${format.id}`);
  return input.fromJson ? input.bytes : file.save(options);
}
/** JSON becomes the file that it describes. */
function openJson({ diorama, options }, input) {
  const bytes = diorama.encode(input.bytes.toString(), options);
  return { ...input, bytes, file: diorama.open(bytes, input.name.replace(/\.json$/i, '')), fromJson: true };
}
function runConvert(context) {
  const { diorama, files, options, making } = context;
  requireOutput(context);
  if (options.onto) return applyScene(context);
  const target = targetOf(context);
  if (files.length === 1 && /\.json$/i.test(files[0])) {
    const input = openJson(context, openInput(diorama, files[0]));
    return write(context, [{ name: options.output, bytes: convertedFile(context, input, input.file, target) }]);
  }
  const opened = openTogether(context);
  if (!opened) return;
  if (isScene(opened.input.name)) return write(context, makeFromScene(context, opened.file, target));
  if (Object.keys(making).length) throw new UsageError(`--${Object.keys(making)[0]} has no effect: it applies only if a file is made from a scene`);
  write(context, [{ name: options.output, bytes: convertedFile(context, opened.input, opened.file, target) }]);
}
/** An edited scene changes the file from which it was exported. */
function applyScene(context) {
  const { diorama, files, options } = context;
  if (files.length !== 1 || !isScene(files[0])) throw new UsageError('--onto takes exactly one scene (.glb, .gltf or .obj)');
  const scene = withCompanions(diorama, openInput(diorama, files[0])), input = openInput(diorama, options.onto, options);
  if (input.file.error) return report(diorama, input.file.error, input.bytes);
  const { files: made, notes: told, what } = withCompanions(diorama, input).putBack(scene, options);
  notes(context, told);
  if (!options.quiet) note(`${escaped(input.name)}: ${what}\n`);
  write({ ...context, files: [...files, options.onto] }, [{ name: options.output, bytes: made[0].bytes }]);
}

/** Whether a file has no scene, but textures. */
function hasOnlyTextures(diorama, file) {
  if (file.error || formatOf(diorama, file).gltf) return false;
  try {
    return file.textures().files.some(({ name }) => name.endsWith('.png'));
  } catch {
    return false;
  }
}
function runRender(context) {
  const { diorama, options } = context, pictures = { '.png': 'png', '.apng': 'apng', '.gif': 'gif' };
  requireOutput(context);
  const extension = extname(options.output).toLowerCase(), as = options.output === '-' ? 'png' : pictures[extension];
  if (!as && extension !== '.svg') throw new UsageError('the output must be a .png, .apng, .gif or .svg file');
  const opened = openTogether(context);
  if (!opened) return;
  const { input, file } = opened, wanted = Object.fromEntries(Object.entries(options).filter(([name]) => drawing[name]));
  const drawn = () => {
    if (extension === '.svg') return Buffer.from(file.plan(wanted));
    if (hasOnlyTextures(diorama, file)) return diorama.sheet([file], wanted);
    return shownIn(diorama, input, file).render(as === 'png' ? wanted : { ...wanted, as });
  };
  write(context, [{ name: options.output, bytes: drawn() }]);
}

const mostViewed = 64 << 20;
/** The names of the other files of a map in the folder of a game. */
function filesOfMap(diorama, input) {
  const found = /\.gns$/i.test(input.name) ? gameOf(diorama, input) : null;
  if (!found) return [];
  const { uses } = found.game.graph(found.part).parts.find(({ part }) => part === found.part);
  return uses.map(({ path }) => input.name.slice(0, input.name.length - basename(input.name).length) + path);
}
/** The files for a page, each once: [{path, bytes}]. */
function viewedFiles({ diorama, files, options }) {
  const seen = new Map();
  for (const argument of files) {
    const input = openInput(diorama, argument);
    if (!input.file.format && !isScene(argument) && !options.quiet) note(`${escaped(input.name)}: the format is unknown; the viewer shows the bytes and can read the file as a format that you choose\n`);
    const others = filesOfMap(diorama, input).map((name) => ({ name, bytes: input.sibling(name) }));
    for (const { name, bytes } of [input, ...companionsOf(input).files, ...others]) if (bytes) seen.set(name, bytes);
  }
  const total = [...seen.values()].reduce((sum, { length }) => sum + length, 0);
  if (total > mostViewed) throw new Failure(exits.refused, { id: 'view.size', message: `a page holds at most 64 MiB of files; these files have ${bytesText(total)}` });
  return [...seen].map(([path, bytes]) => ({ path, bytes }));
}
/** The viewer page with files in it. */
function pageWith(page, files) {
  const names = files.map(({ path }) => basename(path));
  const list = files.map(({ path, bytes }, i) => ({
    name: names.indexOf(names[i]) === names.lastIndexOf(names[i]) ? names[i] : path.replace(/^(\/|\.\/)+/, ''),
    gzip: gzipSync(bytes, { level: 9 }).toString('base64'),
  }));
  const json = JSON.stringify({ files: list }).replaceAll('<', '\\u003c'), end = page.lastIndexOf('</body>');
  return `${page.slice(0, end)}<script type="application/json" id="diorama-files">${json}</script>\n${page.slice(end)}`;
}
function runView(context) {
  requireOutput(context);
  const files = viewedFiles(context), page = readFileSync(new URL('./diorama.html', import.meta.url), 'utf8');
  write(context, [{ name: context.options.output, bytes: Buffer.from(files.length ? pageWith(page, files) : page) }]);
}

function runFormats({ diorama, options }) {
  const formats = diorama.formats();
  if (options.json) return print(`${JSON.stringify({ schema: 'diorama.formats/1', formats }, null, 2)}\n`);
  const rows = formats.map(({ id, extensions, platform, title, checks, gltf }) => [id, extensions, platform, title, 'byte-exact', `${checks}`, gltf ? 'yes' : 'no']);
  print(tableText([['format', 'files', 'platform', 'description', 'read and write', 'checks', 'glTF'], ...rows]));
}
function runHelp({ files }) {
  if (files.length && !verbs[files[0]]) throw new UsageError(`unknown verb "${files[0]}"`);
  print(files.length ? helpText(files[0]) : overview());
}

// ---- the program ----

/** Commands in texts stay as they are in the library; the texts are worded when they are printed, because then the file is known. */
const load = async () => Diorama.load(await compile(), { wording: (name, words) => `{${[name, words].filter(Boolean).join(' ')}}` });

async function run(verb, args) {
  const diorama = await load();
  const context = { diorama, ...parse(verb, args, verb === 'convert' ? makingOptions(diorama) : []) };
  if (context.options.version) return print(`dio ${diorama.version}\n`);
  if (context.options.help) return print(helpText(verb));
  const { as } = context.options;
  if (as && !formatOf(diorama, { format: as })) throw new UsageError(`unknown format "${as}" for --as; \`dio formats\` lists the formats`);
  try {
    verbs[verb].run(context);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (error.id === 'capi.argument') throw new UsageError(oneLine(error.finding));
    report(diorama, error);
  }
}
async function main([first = 'help', ...rest]) {
  if (first === '--version') return print(`dio ${(await load()).version}\n`);
  const verb = first === '--help' || first === '-h' ? 'help' : first;
  try {
    if (!Object.hasOwn(verbs, verb)) throw new UsageError(`unknown verb "${verb}"; only the native program has verbs other than ${Object.keys(verbs).join(', ')}`);
    await run(verb, rest);
  } catch (error) {
    if (error instanceof UsageError) note(Object.hasOwn(verbs, verb) ? `dio ${verb}: ${error.message}\n    ${usageOf(verb)}\n    \`dio help ${verb}\` has details\n` : `dio: ${error.message}\n    \`dio help\` lists the verbs\n`);
    else note(`error: ${error.message}\n`);
    raise(error instanceof UsageError ? exits.usage : exits.fault);
  }
}

process.stdout.on('error', ({ code }) => {
  note(`error: standard output cannot be written: ${code}\n`);
  process.exit(exits.system);
});
await main(process.argv.slice(2));
process.exitCode = exit;
