// What was edited: a log for each thing that was opened, whichever file in it was changed, and the gestures that all panes share. The
// core makes the edits, keeps references right and takes edits back to the same bytes; here is only what was done, and what follows it.
import { batch, signal, type Signal } from '@preact/signals';
import { added, elementOf, follow, near } from './paths';
import { CoreError } from './rpc';
import { current, rebuild } from './showing';
import { core, files, pictureApi, rearranged, said, select, selection, shown, tell } from './state';
import { followTogether, others, selectedElements, selectTogether, wordsForEach } from './together';
import type { Change, Copied, Edited, Finding } from './types';
import { nameOf } from './words';

export interface Made {
  /** The path of the file that it changed. */
  file: string;
  done: string;
  lines: string[];
  changes: Change[];
}
export interface Log {
  made: Made[];
  /** So many of them are made; the others can be made again. */
  at: number;
  /** So many were made in the file that was read, or that was written last; -1: the log does not lead there. */
  saved: number;
}
/** By the path of the root: of what was dropped, a file, an archive, a disc or the folder of a game. */
export const logs: Signal<Map<string, Log>> = signal(new Map());
/** An edit that the core does not make as it is. `isAnswered`: what is to become of references was said already. */
export const refusal: Signal<{ file: string; words: string[]; finding: Finding; isAnswered: boolean } | null> = signal(null);
/** What was copied last. */
export const clipboard: Signal<(Copied & { list: string }) | null> = signal(null);
/** Where what had a path is after the last edit of a file. */
export const followed: { file: string; edition: number; follow: (path: string) => string | null } = { file: '', edition: 0, follow: (path) => path };

/** Whether a file can be edited: it is known, whole and readable. */
export const isEditable = (file: string) => {
  const known = current.value;
  return !!known && known.path === file && !known.error && !!known.format && !known.inParts && known.format !== 'folder';
};
const isIn = (path: string, root: string) => path === root || path.startsWith(`${root}/`);
/** What a file was opened with: the folder of a game, an archive, or the file itself. */
export function rootOf(file: string): string {
  const folder = files.value.find((f) => f.members && (f.path === file || f.members.some((m) => isIn(file, m))));
  return (folder ?? files.value.find((f) => isIn(file, f.path)))?.path ?? file;
}
/** The log of what a file was opened with. */
export const logOf = (file: string): Log => logs.value.get(rootOf(file)) ?? { made: [], at: 0, saved: 0 };
/** The files in a log that are not what they are on disk. */
const changedIn = ({ made, at, saved }: Log) => new Set(made.slice(Math.max(0, Math.min(at, saved)), Math.max(at, saved)).map(({ file }) => file));
/** Whether a file, or one inside of it, is not what it is on disk. */
export function isEdited(file: string): boolean {
  const root = rootOf(file), log = logs.value.get(root);
  if (!log || log.at === log.saved) return false;
  return file === root || log.saved < 0 || [...changedIn(log)].some((changed) => isIn(changed, file));
}
/** A log without what was done so far. */
const begun = ({ at, saved }: Log): Log => ({ made: [], at: 0, saved: at === saved ? 0 : -1 });

/** The elements that an edit added to the list of the last one. */
function newest(changes: Change[]): string[] {
  const last = changes.findLast(({ kind }) => kind === 'insert');
  const all = last ? added(changes, last.path).reverse() : [];
  return all.slice(0, all.length > 200 ? 1 : undefined);  // so many were not chosen one by one
}
/** `chosen`: elements that are selected from now on; none: what was selected is followed. */
function arrive(file: string, result: Edited, log: Log, chosen: string[]) {
  const { path } = selection.peek(), besides = others(), wanted = chosen[0] ?? (selection.peek().file === file ? (follow(path, result.changes) ?? near(path, result.changes)) : '');
  batch(() => {
    if (result.changes.some(({ kind }) => kind !== 'set')) ++rearranged.value;
    logs.value = new Map(logs.value).set(rootOf(file), log);
    Object.assign(followed, { file, edition: result.file.edition, follow: (p: string) => follow(p, result.changes) });
    files.value = files.value.map((f) => (f.path === file ? result.file : f.path === result.root.path ? result.root : f));
    if (current.value?.path === file) current.value = result.file;
    if (selection.value.file === file && wanted !== path) select({ path: wanted }, 'replace');
    if (chosen.length > 1) selectTogether(file, chosen, selection.value.part);
    else if (besides.length && selection.value.file === file) followTogether(besides, (p) => follow(p, result.changes));
  });
  if (shown.peek()) rebuild();
}

// One after the other, in the order of the gestures.
let queue: Promise<unknown> = Promise.resolve();
/** How many edits are on the way. */
export const underWay = signal(0);
const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
  ++underWay.value;
  const now = queue.then(work, work);
  queue = now.catch(() => {}).then(() => { --underWay.value; });
  return now;
};

/** Makes an edit, given as the words of `dio edit`, or by what gives them once the edits before are made (null: nothing is done). What
 * is refused because something still refers to it is asked about. True if it was made. */
export const edit = (file: string, wanted: string[] | (() => Promise<string[] | null>), how: { unlink?: boolean; cascade?: boolean; quiet?: boolean } = {}) => inTurn(async () => {
  const words = Array.isArray(wanted) ? wanted : await wanted();
  if (!words) return false;
  try {
    const result = await core.edit(file, words, { unlink: how.unlink, cascade: how.cascade }), old = logOf(file);
    if (!result.changes.length) {
      await core.undoEdit(file);
      tell('Nothing changed');
      return true;
    }
    const made: Made = { file, done: result.done.join('; '), lines: result.changes.map(({ line }) => line), changes: result.changes };
    // A worker that was stopped has forgotten the edits before.
    // Nor can edits be undone that were made before an archive around the file was edited itself.
    const isNext = result.edits === old.made.slice(0, old.at).filter((m) => m.file === file).length + 1;
    const { made: all, at, saved } = isNext ? old : begun(old);
    const isNew = words[0] === 'add' || words[0] === 'duplicate';
    arrive(file, result, { made: [...all.slice(0, at), made], at: at + 1, saved: saved > at ? -1 : saved }, isNew ? newest(result.changes) : []);
    if (!how.quiet || !isNext) tell(made.done[0].toUpperCase() + made.done.slice(1) + (isNext ? '' : '; earlier edits can no longer be undone'));
    return true;
  } catch (e) {
    const finding = e instanceof CoreError ? e.finding : undefined;
    refusal.value = { file, words, finding: finding ?? { severity: 'stop', id: 'viewer.edit', message: (e as Error).message }, isAnswered: !!how.unlink || !!how.cascade };
    return false;
  }
});
const step = (file: string, back: boolean) => inTurn(async () => {
  const root = rootOf(file), log = logOf(file);
  if (back ? log.at === 0 : log.at === log.made.length) return void tell(back ? 'Nothing to undo' : 'Nothing to redo');
  const one = log.made[back ? log.at - 1 : log.at];
  try {
    const result = await (back ? core.undoEdit(one.file) : core.redoEdit(one.file));
    arrive(one.file, result, { ...log, at: log.at + (back ? -1 : 1) }, newest(result.changes));
    tell(`${back ? 'Undone' : 'Redone'}: ${one.done}`);
  } catch (e) {
    // The worker was stopped, and with it the log: the file stays as it is.
    logs.value = new Map(logs.value).set(root, begun(log));
    tell((e as Error).message);
  }
});
export const undo = (file: string) => step(file, true);
export const redo = (file: string) => step(file, false);

export const setValue = (file: string, path: string, value: string) => edit(file, ['set', `${path}=${value}`]);
/** The elements that a gesture at a path is about: all that are selected, if it is one of them. */
function meant(file: string, path: string): string[] {
  const element = elementOf(path), all = selection.peek().file === file ? selectedElements() : [];
  return !element ? [] : all.includes(element.path) ? all : [element.path];
}
export function duplicate(file: string, path: string) {
  const all = meant(file, path);
  if (all.length) void edit(file, wordsForEach('duplicate', all));
}
export function removeElement(file: string, path: string) {
  const all = meant(file, path);
  if (all.length) void edit(file, wordsForEach('remove', all));
}
/** Adds an element after the one that a path leads into, or to the list that it is: where one looks, if it has a place in the picture. */
export async function add(file: string, path: string, isList: boolean) {
  const element = elementOf(path);
  if (!isList && !element) return;
  const words = isList ? ['add', path] : ['add', element!.list, `after=${element!.index}`], now = shown.peek();
  const at = now && !now.part && now.file === file && pictureApi.current?.middle();
  const placed = at ? await placedIn(file, words, isList ? '' : `${element!.list}[${element!.index + 1}]`, at) : null;
  await edit(file, placed ?? words);
}
/** The words of an edit that adds an element, and those that put it somewhere; null: it has no place. `own`: where it will be in its list; '': last. */
async function placedIn(file: string, words: string[], own: string, at: number[]): Promise<string[] | null> {
  own ||= (await core.tryEdit(file, words).catch(() => [])).map((line) => /^\+ (\S+\])$/.exec(line)?.[1]).find((path) => !!path) ?? '';
  const both = own ? [...words, 'place', own, `translation=${at.map((x) => String(Math.fround(x))).join(',')}`] : null;
  return both && core.tryEdit(file, both).then(() => both, () => null);
}
export function moveBy(file: string, path: string, by: number) {
  const element = elementOf(path);
  if (!element || element.index + by < 0) return;
  void edit(file, ['move', element.path, by < 0 ? `before=${element.index + by}` : `after=${element.index + by}`]);
}
/** `to`: the element that it is dropped on. */
export function moveTo(file: string, path: string, to: string, below: boolean) {
  const element = elementOf(path), target = elementOf(to);
  if (!element || !target || element.list !== target.list || element.index === target.index) return;
  void edit(file, ['move', element.path, `${below ? 'after' : 'before'}=${target.index}`]);
}
export async function copy(file: string, path: string, quiet = false) {
  const element = elementOf(path);
  if (!element) return false;
  const values = await core.copied(file, element.path).catch(() => null);
  if (!values) return false;  // it is gone by now
  clipboard.value = { ...values, list: element.list };
  if (!quiet) tell(`Copied ${element.path}`);
  return true;
}
/** Adds what was copied to the list of the same path, beside what is selected if that is in it. */
export function paste(file: string, path: string) {
  const copied = clipboard.value, element = elementOf(path);
  if (!copied) return void tell('Nothing to paste');
  const isBeside = element?.list === copied.list;
  void edit(file, ['add', copied.list, ...(isBeside ? [`after=${element.index}`] : []), ...copied.values.map(([name, value]) => `${name}=${value}`)]);
}

/** Where the server of the page writes files, and the tag of what is there. By their paths. */
export const destinations = new Map<string, { url: string; tag: string }>();

/** Saves what a file was opened with, with all that was edited in it: through the server, if it writes files, else as downloads. */
export async function save(file: string) {
  const root = rootOf(file), all = filesIn(root).filter((path) => destinations.has(path));
  if (all.length) return inTurn(() => write(root, all));
  return download(file);
}
/** The files on disk that a root is: those of a folder, or itself. */
const filesIn = (root: string) => files.value.find((f) => f.path === root)?.members ?? [root];
async function write(root: string, all: string[]) {
  const name = nameOf(root);
  if (!isEdited(root)) return tell(`Nothing to save: ${name} has no unsaved edits`);
  const told: string[] = [];
  for (const path of all) if (isEdited(path)) told.push(...(await put(path)));
  markSaved(root);
  tell([`Saved ${name}`, ...told].join(': '));
}
function markSaved(root: string) {
  const log = logOf(root);
  if (log.made.length) logs.value = new Map(logs.value).set(root, { ...log, saved: log.at });
}
/** Gives a file to the server; what that says besides that it was saved. */
async function put(path: string): Promise<string[]> {
  const to = destinations.get(path)!;
  const failed = (why: string) => new Error(`${nameOf(path)} was not saved: ${why} Ctrl+Shift+S downloads the file.`);
  const bytes = await core.save(path);
  const answer = await fetch(to.url, { method: 'PUT', headers: { 'If-Match': to.tag }, body: bytes as BodyInit }).catch(() => null);
  if (!answer) throw failed('the server does not answer.');
  const told = (await answer.text()).trim();
  if (!answer.ok) throw failed(told);
  to.tag = answer.headers.get('ETag') ?? '';
  return told.split('\n').slice(1);
}
/** The file was closed. */
export function forget(root: string) {
  destinations.delete(root);
  logs.value = new Map([...logs.value].filter(([path]) => !isIn(path, root)));
}
/** Downloads what a file was opened with; of a folder, the files that were edited. */
export async function download(file: string) {
  const root = rootOf(file), all = filesIn(root), edited = all.filter(isEdited), wanted = all.length === 1 ? all : edited.length ? edited : [file];
  for (const path of wanted) await downloadFile(path);
  if (wanted.includes(root) || wanted === edited) markSaved(root);
  tell(`Saved ${wanted.map(nameOf).slice(0, 4).join(', ')}${wanted.length > 4 ? ` and ${wanted.length - 4} more` : ''}`);
}
/** Downloads one file, also one in an archive. */
export async function downloadFile(file: string) {
  const bytes = await core.save(file), link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([bytes as BlobPart]));
  link.download = nameOf(file);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  said.value = `Saved ${nameOf(file)}`;
}
