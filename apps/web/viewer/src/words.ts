// Values, sizes and places as people read them.
import type { Finding, Leaf } from './types';

export const hex = (n: number, digits = 4) => n.toString(16).padStart(digits, '0');
export const offsetText = (n: number) => `0x${hex(n)}`;
export const counted = (n: number, one: string, many = `${one}s`) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;
export function sizeText(n: number): string {
  if (n < 1024) return counted(n, 'byte');
  const [unit, name] = n < 1 << 20 ? [1 << 10, 'KB'] : n < 1 << 30 ? [1 << 20, 'MB'] : [1 << 30, 'GB'];
  const value = n / unit;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${name}`;
}
export const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
export const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export function numberText(v: number): string {
  if (Number.isInteger(v)) return String(v);
  const short = v.toPrecision(7);
  return Math.abs(v) < 1e-4 || Math.abs(v) >= 1e9 ? short : String(Number(short));
}
/** The value of a row: what the core shows, else the scalar with its unit. Empty for objects and lists. */
export function valueText(leaf: Pick<Leaf, 'value' | 'show' | 'unit'> & { type?: string; count?: number }): string {
  const { value: v, unit, show, type, count } = leaf;
  if (show !== undefined && !(count && (type === 'object' || type === 'list'))) return show;
  if (v === undefined || v === null || typeof v === 'object') return '';
  const text = typeof v === 'number' ? numberText(v) : String(v);
  return unit ? `${text} ${unit}` : text;
}
export function findingText(f: Finding): string {
  const text = f.message || [f.expected && `expected ${f.expected}`, f.found && `found ${f.found}`].filter(Boolean).join(', ') || f.id;
  // A sentence begins with a capital letter, unless it begins with a path or a name of a file.
  return /^[a-z]+ /.test(text) ? text[0].toUpperCase() + text.slice(1) : text;
}
const panes: Record<string, string> = {
  budget: 'Findings', check: 'Findings', explain: 'Structure', get: 'Structure', hex: 'Bytes', ls: 'Files', refs: 'Structure', render: 'Picture', set: 'Structure', textures: 'Picture', tree: 'Structure', view: 'Picture', world: 'Picture',
};
/** A command that a text of the core advises, such as {tree FILE}, as the part of this page that does it. */
export function inViewer(name: string, words: string): string {
  const named = words.split(' ')[1];
  if (name === '--as' || name === '--layout' || name === 'formats') return 'the list of formats in the Summary tab';
  if (name === 'edit' && named) return `the edit ${named}`;
  if (name === 'edit') return 'the Structure pane';
  const elsewhere = words.includes('--') || !panes[name];
  return elsewhere ? `the command line (${[name, words].filter(Boolean).join(' ')})` : `the ${panes[name]} pane`;
}
/** What to do about a finding. */
export const hintText = (f: Finding): string => (f.hint ? f.hint[0].toUpperCase() + f.hint.slice(1) : '');
/** With a full stop. */
export const sentence = (text: string) => text + (/[.!?]$/.test(text) ? '' : '.');
/** The steps of a value path, each with the path up to it. */
export function stepsOf(path: string): { name: string; path: string }[] {
  const out: { name: string; path: string }[] = [];
  for (const match of path.matchAll(/\[[^\]]*\]|[^.[]+/g)) out.push({ name: match[0], path: path.slice(0, match.index + match[0].length) });
  return out;
}

/** 'entries' of one is 'entry'. */
export const countedName = (n: number, name: string) => `${n.toLocaleString('en')} ${n === 1 ? name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : name}`;
