// hex_page.hpp: the style and the program of the page written by hex_html. The data is stored next to them as JSON.
// File contents and names reach the page only through textContent, never as markup.
#pragma once

namespace dio::report {

inline constexpr char k_hex_style[] = R"css(
:root {
  color-scheme: light dark;
  --back: #ffffff; --panel: #f6f7f9; --line: #d9dde3; --text: #1c2127; --dim: #69727d; --accent: #0b62d6; --on-accent: #ffffff;
  --hover: #00000014; --error: #c62828; --warning: #b26a00; --hint: #2f6fb0;
  --c0: #d9e8ff; --c1: #ffe6cf; --c2: #d6f2dc; --c3: #f3dcf7; --c4: #fdf0b8; --c5: #d3f1f3; --gap: #ffffff; --hatch: #e3b7b7;
}
@media (prefers-color-scheme: dark) {
  :root {
    --back: #15181c; --panel: #1c2026; --line: #333a43; --text: #e3e7ec; --dim: #8f99a6; --accent: #5ea2ff; --on-accent: #0a1526;
    --hover: #ffffff1c; --error: #ff7b72; --warning: #e3a341; --hint: #79b8ff;
    --c0: #20365a; --c1: #503718; --c2: #1d4429; --c3: #472750; --c4: #4a4112; --c5: #17454a; --gap: #15181c; --hatch: #6b3a3a;
  }
}
* { box-sizing: border-box; }
body { margin: 0; height: 100vh; display: flex; flex-direction: column; background: var(--back); color: var(--text);
  font: 14px/1.4 system-ui, sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 4px 16px; align-items: baseline; padding: 8px 14px; border-bottom: 1px solid var(--line);
  background: var(--panel); }
header h1 { font-size: 16px; margin: 0; overflow-wrap: anywhere; }
header .facts { color: var(--dim); }
header form { margin-left: auto; }
header input { font: inherit; width: 24ch; max-width: 100%; padding: 2px 8px; border: 1px solid var(--line); border-radius: 5px;
  background: var(--back); color: inherit; }
main { flex: 1; min-height: 0; display: grid; grid-template-columns: max-content minmax(0, 1fr); grid-template-rows: minmax(0, 1fr); }
.mono, .scroll { font: 13px/20px ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
.scroll { overflow: auto; position: relative; outline-offset: -2px; }
.tall { position: relative; min-width: 100%; }
.row { position: absolute; left: 0; height: 20px; white-space: pre; min-width: 100%; }
#left { display: flex; flex-direction: column; min-height: 0; border-right: 1px solid var(--line); }
#ruler { padding: 4px 0 4px 14px; color: var(--dim); border-bottom: 1px solid var(--line); white-space: pre; height: 29px; }
#ruler .b { cursor: default; }
#hex { flex: 1; padding-left: 14px; scrollbar-gutter: stable; }
#hex, #ruler { width: calc(77ch + 36px); }
.at { display: inline-block; width: 10ch; color: var(--dim); }
.b, .l { display: inline-block; height: 20px; text-align: center; cursor: pointer; vertical-align: top; }
.b { width: 3ch; } .l { width: 1ch; }
.mid { margin-left: 1ch; } .l0 { margin-left: 2ch; }
.zero { color: var(--dim); }
.c0 { background: var(--c0); } .c1 { background: var(--c1); } .c2 { background: var(--c2); }
.c3 { background: var(--c3); } .c4 { background: var(--c4); } .c5 { background: var(--c5); }
.gap { background: repeating-linear-gradient(135deg, var(--gap) 0 4px, var(--hatch) 4px 5px); }
.mark { text-decoration: underline wavy var(--mark); text-decoration-skip-ink: none; text-underline-offset: 2px; font-weight: 700; }
.over { box-shadow: inset 0 -2px var(--accent), inset 0 2px var(--accent); }
.sel { background: var(--accent); color: var(--on-accent); }
#right { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
#detail { border-bottom: 1px solid var(--line); background: var(--panel); padding: 8px 14px; min-height: 156px; max-height: 40vh;
  overflow: auto; }
#detail .path { font-weight: 650; overflow-wrap: anywhere; margin-bottom: 4px; }
#detail .doc { margin: 0 0 6px; max-width: 80ch; }
#detail dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 1px 14px; margin: 0; }
#detail dt { color: var(--dim); } #detail dd { margin: 0; overflow-wrap: anywhere; }
#detail .value { font-weight: 650; } #detail .word { white-space: nowrap; }
#detail .bit { color: var(--dim); } #detail .bit.on { color: var(--on-accent); background: var(--accent); }
#tree { flex: 1; min-height: 0; padding: 4px 0; }
#tree .row { padding-right: 14px; cursor: default; }
#tree .row:hover, #tree .row.over { background: var(--hover); box-shadow: none; }
#tree .row.sel { background: var(--accent); color: var(--on-accent); }
#tree .row.sel * { color: inherit; }
.twist { display: inline-block; width: 2ch; text-align: center; color: var(--dim); cursor: pointer; }
.name { font-weight: 600; } .eq, .type { color: var(--dim); } .chip { display: inline-block; width: 1.2ch; height: 12px;
  margin-right: .8ch; border-radius: 2px; vertical-align: -2px; border: 1px solid var(--line); }
#findings { border-top: 1px solid var(--line); max-height: 30vh; overflow: auto; margin: 0; padding: 0; list-style: none; flex: none; }
#findings:empty { display: none; }
#findings li { padding: 5px 14px; border-bottom: 1px solid var(--line); }
#findings li:last-child { border-bottom: 0; }
#findings button { all: unset; cursor: pointer; display: block; width: 100%; overflow-wrap: anywhere; }
#findings button:focus-visible { outline: 2px solid var(--accent); }
#findings button:hover { text-decoration: underline; }
#findings .hint { color: var(--dim); }
.severity { font-weight: 650; }
.error, .stop { color: var(--error); } .warning { color: var(--warning); } .hint-level { color: var(--hint); }
@media (max-width: 1100px) {
  main { grid-template-columns: minmax(0, 1fr); grid-template-rows: minmax(0, 1fr) minmax(0, 1fr); }
  #left { border-right: 0; border-bottom: 1px solid var(--line); overflow-x: auto; }
}
)css";

inline constexpr char k_hex_script[] = R"js('use strict';
const data = JSON.parse(document.getElementById('data').textContent);
const strings = data.strings, numbers = data.numbers;
const bytes = Uint8Array.from(atob(data.bytes), c => c.charCodeAt(0));
const KINDS = ['object', 'list', 'numbers', 'number', 'text', 'bytes', 'bits', 'unit', 'count', 'magic', 'inferred', 'gap'];
const LINE = 20, WIDTH = 16;

// ---- the tree ----
// A node is a span; an item is a node, or one element of a node of numbers: {node, element}, element -1 for the node.
const nodes = data.spans.map(([parent, name, kind, offset, size, type, show, doc, words = -1, bit, bits]) => ({
  parent, kind: KINDS[kind], offset, size, words, bit, bits, children: [],
  name: name < 0 ? '[' + (-name - 1) + ']' : strings[name], type: strings[type], show: strings[show],
  doc: doc < 0 ? '' : strings[doc],
}));
nodes.forEach((n, i) => { n.id = i; if (i) nodes[n.parent].children.push(i); });
const isLeaf = n => n.size > 0 && !['object', 'list', 'bits', 'inferred'].includes(n.kind);

// Numbered so that the descendants of a node are a range: from its own number up to `end`.
{
  let number = 0;
  const stack = [[0, 0]];
  nodes[0].number = number++;
  while (stack.length) {
    const top = stack[stack.length - 1], n = nodes[top[0]];
    if (top[1] < n.children.length) {
      const child = n.children[top[1]++];
      nodes[child].number = number++;
      stack.push([child, 0]);
    } else {
      n.end = number;
      n.first = isLeaf(n) || n.kind === 'bits' ? n.offset : Math.min(Infinity, ...chunkMins(n.children));
      stack.pop();
    }
  }
  function chunkMins(list) { return [list.reduce((low, i) => Math.min(low, nodes[i].first), Infinity)]; }
}

// The field each byte belongs to: the smallest, where several share it.
const owner = new Int32Array(bytes.length).fill(-1), color = new Int8Array(nodes.length).fill(-1);
const leaves = nodes.filter(isLeaf);
leaves.slice().sort((a, b) => b.size - a.size || b.id - a.id).forEach(n => owner.fill(n.id, n.offset, n.offset + n.size));
leaves.sort((a, b) => a.offset - b.offset || a.id - b.id).filter(n => n.kind !== 'gap').forEach((n, i) => { color[n.id] = i % 6; });

const hexOf = (n, digits) => n.toString(16).padStart(digits, '0');
const offsetText = n => '0x' + hexOf(n, 4);
const countedBytes = n => n === 1 ? '1 byte' : n.toLocaleString('en') + ' bytes';

function pathOf(item) {
  if (nodes[item.node].kind === 'gap') return 'unreferenced bytes';
  let text = '';
  for (let i = item.node; i; i = nodes[i].parent) {
    const name = nodes[i].name;
    text = name + (text && text[0] !== '[' ? '.' : '') + text;
  }
  return text + (item.element >= 0 ? '[' + item.element + ']' : '');
}
function rangeOf(item) {
  const n = nodes[item.node];
  if (item.element < 0) return [n.offset, n.size];
  const size = n.size / numbers[n.id].length;
  return [n.offset + item.element * size, size];
}
function itemAt(offset) {
  const n = nodes[owner[offset]];
  if (!n) return null;
  const element = n.kind === 'numbers' ? Math.floor((offset - n.offset) / (n.size / numbers[n.id].length)) : -1;
  return {node: n.id, element};
}
/// Whether a byte is part of an item; for an object or list, of anything below it.
function holds(item, offset) {
  const n = nodes[item.node];
  if (isLeaf(n) || n.kind === 'bits') {
    const [start, size] = rangeOf(item);
    return offset >= start && offset < start + size;
  }
  const o = nodes[owner[offset]];
  return !!o && o.number >= n.number && o.number < n.end;
}
const same = (a, b) => !!a && !!b && a.node === b.node && a.element === b.element;

// ---- findings and their bytes ----
const levels = {hint: 'var(--hint)', warning: 'var(--warning)', error: 'var(--error)', stop: 'var(--error)'};
const marks = new Map();
data.findings.forEach(f => {
  if (f.offset < 0) return;
  const end = Math.min(bytes.length, f.offset + Math.max(1, f.size));
  for (let i = f.offset; i < end; ++i) marks.set(i, levels[f.severity]);
});

// ---- small tools ----
function make(tag, className, text) {
  const e = document.createElement(tag);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}
/// Creates only the visible lines.
function virtualList(box, count, draw) {
  const tall = make('div', 'tall'), rows = new Map();
  box.append(tall);
  const render = fresh => {
    tall.style.height = count() * LINE + 'px';
    const first = Math.max(0, Math.floor(box.scrollTop / LINE) - 10);
    const last = Math.min(count(), Math.ceil((box.scrollTop + box.clientHeight) / LINE) + 10);
    for (const [i, e] of rows) if (fresh || i < first || i >= last) { e.remove(); rows.delete(i); }
    for (let i = first; i < last; ++i) {
      if (rows.has(i)) continue;
      const e = draw(i);
      e.style.top = i * LINE + 'px';
      tall.append(e);
      rows.set(i, e);
    }
  };
  box.addEventListener('scroll', () => render(false), {passive: true});
  new ResizeObserver(() => render(false)).observe(box);
  const reveal = i => {
    const top = i * LINE;
    if (top < box.scrollTop + LINE || top > box.scrollTop + box.clientHeight - 3 * LINE)
      box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    render(false);
  };
  return {rows, render, reveal};
}

// ---- the hex grid ----
let selected = null, hovered = null;
const hexBox = document.getElementById('hex'), treeBox = document.getElementById('tree');

function cellClass(offset, letter) {
  const id = owner[offset], i = offset % WIDTH;
  let c = letter ? 'l' : 'b';
  if (i === 8 && !letter) c += ' mid';
  if (i === 0 && letter) c += ' l0';
  if (bytes[offset] === 0) c += ' zero';
  c += id < 0 || color[id] < 0 ? ' gap' : ' c' + color[id];
  if (marks.has(offset)) c += ' mark';
  if (selected && holds(selected, offset)) c += ' sel';
  if (hovered && holds(hovered, offset)) c += ' over';
  return c;
}
const hex = virtualList(hexBox, () => Math.ceil(bytes.length / WIDTH), line => {
  const row = make('div', 'row'), start = line * WIDTH, end = Math.min(bytes.length, start + WIDTH);
  row.append(make('span', 'at', offsetText(start)));
  for (const letter of [false, true]) {
    for (let o = start; o < end; ++o) {
      const v = bytes[o];
      const cell = make('span', cellClass(o, letter), letter ? (v >= 32 && v < 127 ? String.fromCharCode(v) : '.') : hexOf(v, 2));
      if (marks.has(o)) cell.style.setProperty('--mark', marks.get(o));
      cell.offset = o;
      cell.letter = letter;
      row.append(cell);
    }
    // The last line: the characters stay in their column.
    if (!letter && end < start + WIDTH) {
      const missing = start + WIDTH - end, pad = make('span', 'b');
      pad.style.cssText = 'cursor:default;width:' + (3 * missing + (end - start <= 8 ? 1 : 0)) + 'ch';
      row.append(pad);
    }
  }
  return row;
});
function repaint() {
  for (const row of hex.rows.values())
    for (const cell of row.children) if (cell.offset !== undefined) cell.className = cellClass(cell.offset, cell.letter);
  for (const [i, row] of tree.rows) row.className = treeClass(lines[i]);
}

// ---- the tree list ----
const open = new Set([0, ...(nodes[0].children.length <= 60 ? nodes[0].children.filter(i => nodes[i].children.length <= 12) : [])]);
let lines = [];  // {node, element, depth}
const canOpen = item => item.element < 0 && (nodes[item.node].children.length > 0 || (numbers[item.node] || []).length > 0);
function listLines() {
  lines = [];
  const stack = nodes[0].children.map(i => ({node: i, element: -1, depth: 0})).reverse();
  while (stack.length) {
    const line = stack.pop();
    lines.push(line);
    if (!open.has(line.node) || line.element >= 0) continue;
    const n = nodes[line.node];
    if (numbers[n.id]) numbers[n.id].forEach((_, e) => lines.push({node: n.id, element: e, depth: line.depth + 1}));
    for (let i = n.children.length; i--;) stack.push({node: n.children[i], element: -1, depth: line.depth + 1});
  }
}
function treeClass(line) { return 'row' + (same(line, selected) ? ' sel' : '') + (same(line, hovered) ? ' over' : ''); }
const tree = virtualList(treeBox, () => lines.length, i => {
  const line = lines[i], n = nodes[line.node], row = make('div', treeClass(line));
  row.style.paddingLeft = 8 + line.depth * 16 + 'px';
  row.setAttribute('role', 'treeitem');
  row.setAttribute('aria-level', line.depth + 1);
  if (canOpen(line)) row.setAttribute('aria-expanded', open.has(line.node));
  row.append(make('span', 'twist', canOpen(line) ? (open.has(line.node) ? '\u25be' : '\u25b8') : ''));
  if (isLeaf(n)) row.append(make('span', 'chip ' + (color[n.id] < 0 ? 'gap' : 'c' + color[n.id])));
  row.append(make('span', 'name', line.element >= 0 ? '[' + line.element + ']' : n.name));
  row.append(make('span', 'eq', ' = '));
  const text = line.element >= 0 ? strings[numbers[n.id][line.element]] : n.show;
  row.append(make('span', 'shown', text.length > 120 ? text.slice(0, 120) + '\u2026' : text));
  if (line.element < 0 && !['object', 'list', 'gap'].includes(n.kind)) row.append(make('span', 'type', '  ' + n.type));
  row.line = line;
  return row;
});
function toggle(item, on) {
  if (!canOpen(item)) return;
  if (on === undefined ? open.has(item.node) : !on) open.delete(item.node);
  else open.add(item.node);
  listLines();
  tree.render(true);
}

// ---- selecting ----
function select(item, from) {
  selected = item;
  for (let i = item.element >= 0 ? item.node : nodes[item.node].parent; i; i = nodes[i].parent) open.add(i);
  listLines();
  tree.render(true);
  const at = lines.findIndex(line => same(line, item));
  if (at >= 0 && from !== 'tree') tree.reveal(at);
  const n = nodes[item.node], start = item.element >= 0 ? rangeOf(item)[0] : n.first;
  if (Number.isFinite(start) && from !== 'hex') hex.reveal(Math.floor(start / WIDTH));
  repaint();
  detail(item);
  // Adds the field to the address of the page. Pages without an address refuse this.
  try { if (n.kind !== 'gap') history.replaceState(null, '', '#' + encodeURIComponent(pathOf(item))); } catch { /* no link then */ }
}
function detail(item) {
  const box = document.getElementById('detail'), n = nodes[item.node], list = make('dl', 'mono');
  const [start, size] = rangeOf(item);
  const line = (name, ...parts) => { const dd = make('dd'); dd.append(...parts); list.append(make('dt', '', name), dd); };
  box.replaceChildren(make('div', 'path mono', pathOf(item)));
  if (n.doc) box.append(make('p', 'doc', n.doc));
  const value = item.element >= 0 ? strings[numbers[n.id][item.element]] : n.show;
  line('value', make('span', 'value', value));
  line('type', item.element >= 0 ? n.type.replace(/\[\d+\]$/, '') : n.type);
  if (size > 0) line('position', offsetText(start) + (size > 1 ? ' to ' + offsetText(start + size - 1) : '') + ', ' + countedBytes(size));
  else if (n.kind === 'inferred') line('position', 'no bytes of its own; derived from the layout of the file');
  if (n.kind === 'bits') {
    const unit = nodes.slice(0, n.id).reverse().find(u => u.kind === 'unit' && u.parent === n.parent);
    const dd = make('span'), width = size * 8, whole = unit ? BigInt(unit.show) : 0n;
    for (let b = width; b--;) {
      const on = b >= n.bit && b < n.bit + n.bits;
      dd.append(make('span', on ? 'bit on' : 'bit', (whole >> BigInt(b) & 1n).toString() + (b && b % 4 === 0 && !on ? ' ' : '')));
    }
    line(n.bits === 1 ? 'bit ' + n.bit : 'bits ' + n.bit + '-' + (n.bit + n.bits - 1), dd);
  }
  if (isLeaf(n) || n.kind === 'bits') {
    const shown = Array.from(bytes.slice(start, start + Math.min(size, 64)), v => hexOf(v, 2)).join(' ');
    line('bytes', shown + (size > 64 ? ' \u2026' : ''));
  }
  if (n.words >= 0) {
    const words = data.words[n.words], now = value.split(' ')[0];
    const dd = make('span');
    words.slice(0, 24).forEach(([v, word], i) => {
      if (i) dd.append(', ');
      dd.append(make('span', v === now ? 'word value' : 'word', v + ' ' + word));
    });
    if (words.length > 24) dd.append(', and ' + (words.length - 24) + ' more');
    line('values', dd);
  }
  box.append(list);
}
function hover(item) {
  if (same(item, hovered) || item === hovered) return;
  hovered = item;
  repaint();
}
/// The item of a path, as pathOf writes it.
function byPath(path) {
  let now = 0, rest = path;
  while (rest) {
    if (rest[0] === '.') rest = rest.slice(1);
    const word = (/^(\[\d+\]|[^.[]+)/.exec(rest) || [''])[0];
    if (!word) return null;
    rest = rest.slice(word.length);
    const found = nodes[now].children.filter(i => nodes[i].name === word);
    if (!found.length) {
      const element = numbers[now] && word[0] === '[' ? Number(word.slice(1, -1)) : -1;
      return !rest && element >= 0 && element < numbers[now].length ? {node: now, element} : null;
    }
    now = found.find(i => nodes[i].kind !== 'count') ?? found[0];
  }
  return now ? {node: now, element: -1} : null;
}

// ---- events ----
hexBox.addEventListener('mouseover', e => hover(e.target.offset === undefined ? null : itemAt(e.target.offset)));
hexBox.addEventListener('mouseleave', () => hover(null));
hexBox.addEventListener('click', e => {
  const item = e.target.offset === undefined ? null : itemAt(e.target.offset);
  if (item) select(item, 'hex');
});
const lineOf = e => e.target.closest && e.target.closest('.row') ? e.target.closest('.row').line : null;
treeBox.addEventListener('mouseover', e => hover(lineOf(e) || null));
treeBox.addEventListener('mouseleave', () => hover(null));
treeBox.addEventListener('click', e => {
  const line = lineOf(e);
  if (!line) return;
  if (e.target.className === 'twist') toggle(line);
  else select({node: line.node, element: line.element}, 'tree');
});
treeBox.addEventListener('dblclick', e => { const line = lineOf(e); if (line && e.target.className !== 'twist') toggle(line); });
treeBox.addEventListener('keydown', e => {
  const at = Math.max(0, lines.findIndex(line => same(line, selected)));
  const go = i => { const line = lines[Math.min(lines.length - 1, Math.max(0, i))]; if (line) select({node: line.node, element: line.element}); };
  if (e.key === 'ArrowDown') go(selected ? at + 1 : 0);
  else if (e.key === 'ArrowUp') go(at - 1);
  else if (e.key === 'ArrowRight' && lines[at]) { if (open.has(lines[at].node) && lines[at].element < 0) go(at + 1); else toggle(lines[at], true); }
  else if (e.key === 'ArrowLeft' && lines[at]) {
    if (open.has(lines[at].node) && canOpen(lines[at])) toggle(lines[at], false);
    else {
      const parent = lines[at].element >= 0 ? lines[at].node : nodes[lines[at].node].parent;
      if (parent) select({node: parent, element: -1});
    }
  } else return;
  e.preventDefault();
});
document.querySelector('form').addEventListener('submit', e => {
  e.preventDefault();
  const text = document.querySelector('input').value.trim();
  if (!text) return;
  if (/^0x[0-9a-f]+$/i.test(text)) {
    const item = itemAt(parseInt(text, 16));
    if (item) select(item);
    return;
  }
  const exact = byPath(text);
  if (exact) return select(exact);
  const low = text.toLowerCase(), from = selected ? selected.node : 0;
  for (let k = 1; k <= nodes.length; ++k) {
    const i = (from + k) % nodes.length;
    if (i && (pathOf({node: i, element: -1}).toLowerCase().includes(low) || nodes[i].show.toLowerCase().includes(low)))
      return select({node: i, element: -1});
  }
});

// ---- findings ----
const findings = document.getElementById('findings');
data.findings.forEach(f => {
  const item = make('li'), button = make('button');
  button.append(make('span', 'severity ' + (f.severity === 'hint' ? 'hint-level' : f.severity), f.severity + ' ' + f.id),
                document.createTextNode('  ' + f.line));
  item.append(button);
  if (f.hint) item.append(make('div', 'hint', f.hint));
  button.addEventListener('click', () => {
    const target = byPath(f.path) || (f.offset >= 0 && f.offset < bytes.length ? itemAt(f.offset) : null);
    if (target) select(target);
    if (f.offset >= 0) hex.reveal(Math.floor(Math.min(f.offset, Math.max(0, bytes.length - 1)) / WIDTH));
  });
  findings.append(item);
});

listLines();
tree.render(true);
hex.render(true);
const wanted = location.hash.length > 1 ? byPath(decodeURIComponent(location.hash.slice(1))) : null;
if (wanted) select(wanted);
else if (lines.length) { const {node, element} = lines[0]; select({node, element}); hexBox.scrollTop = 0; }
window.__ready = true;
)js";

}  // namespace dio::report
