// Files that come in: dropped, chosen, embedded in the page or served beside it.
import { batch, signal, type Signal } from '@preact/signals';
import { connections, partOfPage, unpacked, warm } from './core';
import { destinations, forget, isEdited } from './editing';
import { Cancelled } from './rpc';
import { busy, core, files, said, select, selection, selectionOf } from './state';
import { counted } from './words';
import type { GamePart, OpenFile } from './types';
import type { Root } from './worker';

interface Incoming {
  path: string;
  size: number;
  blob?: Blob;
  url?: string;
  /** What the server calls the file as it is, if it saves it. */
  tag?: string;
}
let number = 0;

const taken = () => new Set(files.value.map((f) => f.path));
/** A path that no file has yet. */
const fresh = (path: string, taken: Set<string>) => {
  if (!taken.has(path)) return path;
  const dot = path.lastIndexOf('.'), at = dot > path.lastIndexOf('/') ? dot : path.length;
  for (let i = 2; ; ++i) {
    const other = `${path.slice(0, at)} (${i})${path.slice(at)}`;
    if (!taken.has(other)) return other;
  }
};

// A link to a place in a file that has to be dropped first.
let link = location.hash;

// What should be looked at first.
const rank = (f: OpenFile) => (f.kind === 'game' ? 0 : f.scene && !f.error ? 1 : f.kind === 'archive' ? 2 : f.error ? 4 : 3);

// So many files of a game are read before it is shown; those of larger ones while one looks at it.
const k_readAtOnce = 40;
const placeholder = ({ id, path, size }: Root): OpenFile => ({
  id, name: path.slice(path.lastIndexOf('/') + 1), path, size, format: null, title: '', platform: '',
  error: null, kind: 'file', inParts: false, scene: false, beside: [], companions: [], edition: 0,
});
const replaceFiles = (read: OpenFile[]) => {
  const byId = new Map(read.map((f) => [f.id, f]));
  files.value = files.value.map((f) => byId.get(f.id) ?? f);
};

/** Opens files, and shows the one that has most to show, unless the address names one of them. */
export async function take(incoming: Incoming[], wanted = '', part = ''): Promise<void> {
  if (!incoming.length) return;
  const roots: Root[] = [], paths = taken();
  for (const { path, size, blob, url, tag } of incoming) {
    const root: Root = { id: ++number, path: fresh(path, paths), size, blob, url };
    paths.add(root.path);
    if (url && tag) destinations.set(root.path, { url, tag });
    roots.push(root);
  }
  files.value = [...files.value, ...roots.map(placeholder)];
  await core.register(roots);
  const games = roots.length > 1 ? await foldersOf(roots) : [], later = new Set(games.flatMap((g) => (g.members!.length > k_readAtOnce ? g.members! : [])));
  const read = await readFiles(roots.filter(({ path }) => !later.has(path))), added = [...games, ...read];
  for (const file of read) if (file.scene && read.length > 1) void refresh(file.path);
  setTimeout(() => void readLater(roots.filter(({ path }) => later.has(path))), 3000);
  said.value = `${counted(roots.length, 'file')} opened`;
  const from = selectionOf(wanted || link);
  if (from.file && [...added, ...roots].some((f) => from.file === f.path || from.file.startsWith(`${f.path}/`))) {
    link = '';
    select({ ...from, part: from.part }, 'replace');
    return;
  }
  const beside = new Set(added.flatMap((f) => f.beside)), order = (f: OpenFile) => rank(f) + (beside.has(f.name) ? 100 : 0);  // a course before its collision
  const first = added.filter((f) => f.title).sort((a, b) => order(a) - order(b))[0];
  if (first) await show(first, 'push', part);
}
/** Folders, and files that come together, may be games: they are listed before their files. */
async function foldersOf(roots: Root[]): Promise<OpenFile[]> {
  const out: OpenFile[] = [];
  for (const folder of new Set(roots.map((f) => f.path.slice(0, f.path.indexOf('/') + 1)))) {
    const own = roots.filter((f) => f.path.startsWith(folder));
    if (own.length < 2) continue;
    const path = folder ? folder.slice(0, -1) : fresh(`${own[0].path.replace(/\.[^.]*$/, '')} and ${own.length - 1} more`, taken());
    try {
      const game = await core.addFolder(path, own.map((f) => [f.path.slice(folder.length), f.path]));
      if (!game) continue;
      game.id = ++number;
      out.push(game);
      const at = files.value.findIndex((f) => f.id === own[0].id);
      files.value = files.value.toSpliced(Math.max(0, at), 0, game);
    } catch {
      // They are files of their own, then.
    }
  }
  return out;
}
/** Reads files, and says how far it is. Those that are not read, because somebody cancels it, are not listed. */
async function readFiles(roots: Root[]): Promise<OpenFile[]> {
  const out: OpenFile[] = [], started = performance.now();
  let cancelled = false;
  for (const root of roots) {
    if (cancelled) break;
    try {
      out.push(await core.open(root.path));
    } catch (e) {
      if (e instanceof Cancelled) break;
      out.push({ ...placeholder(root), title: 'Unreadable', error: { severity: 'error', id: 'viewer.read', file: root.path, message: (e as Error).message } });
    }
    if (performance.now() - started > 500 && out.length < roots.length)
      busy.value = { text: 'Reading files', done: out.length, of: roots.length, cancel: () => { cancelled = true; } };
  }
  const unread = new Set(roots.slice(out.length).map(({ id }) => id));
  batch(() => {
    busy.value = null;
    replaceFiles(out);
    files.value = files.value.filter((f) => !unread.has(f.id));
  });
  return out;
}
/** Reads the files of a large game one after another: until then, they are listed by their names. */
async function readLater(roots: Root[]) {
  const k_together = 100;
  for (let i = 0; i < roots.length; i += k_together) {
    const read: OpenFile[] = [];
    for (const { path } of roots.slice(i, i + k_together)) {
      const known = await core.open(path).catch(() => null);
      if (known) read.push(known);
    }
    replaceFiles(read);
  }
}

/** Selects a file; of a game its first world as well, and in an archive what has most to show. */
export async function show(file: OpenFile, how: 'push' | 'replace' = 'push', wanted = '') {
  let part: GamePart | undefined;
  if (file.kind === 'game') {
    const parts = (await core.game(file.path).catch(() => null))?.parts ?? [];
    part = parts.find((p) => p.id === wanted) ?? parts.find((p) => p.kind === 'matrix') ?? parts[0];
  }
  const inside = file.kind === 'archive' ? await core.first(file.path).catch(() => null) : null;
  select({ file: part?.path ?? inside ?? file.path, path: '', part: part?.id }, how);
}

export async function refresh(path: string) {
  try {
    const now = await core.open(path);
    files.value = files.value.map((f) => (f.path === path ? now : f));
  } catch {
    // What could not be opened stays as it is listed.
  }
}

/** A file that was to be closed, although it has edits that are not saved. */
export const closing: Signal<string> = signal('');
/** Closes a file; one with edits that are not saved only when that was said. */
export function close(path: string) {
  if (isEdited(path)) closing.value = path;
  else remove(path);
}
export function remove(path: string) {
  files.value = files.value.filter((f) => f.path !== path);
  forget(path);
  void core.remove(path);
  const { file } = selection.value;
  if (file === path || file.startsWith(`${path}/`)) {
    const next = files.value[0];
    if (next) void show(next);
    else select({ file: '', path: '', part: undefined });
  }
}

export function takeFiles(list: Iterable<File>) {
  return take([...list].map((f) => ({ path: f.webkitRelativePath || f.name, size: f.size, blob: f })));
}

/** What was dropped, folders with everything in them. */
export async function takeDropped(data: DataTransfer) {
  const out: Incoming[] = [], work: Promise<void>[] = [], problems: string[] = [];
  const plain = (file: File, path = file.name) => out.push({ path, size: file.size, blob: file });
  for (const item of data.items) {
    if (item.kind !== 'file') continue;
    const entry = item.webkitGetAsEntry?.();
    if (!entry?.isDirectory) {
      const file = item.getAsFile();
      if (file) plain(file);
      continue;
    }
    // Pages from a disk may not read the entries of dropped folders, but may their handles, where the browser has those.
    const handle = (item as any).getAsFileSystemHandle?.() as Promise<any> | undefined;
    work.push((async () => {
      const read = async (folder: any, path: string): Promise<void> => {
        for await (const child of folder.values()) {
          if (child.kind === 'directory') await read(child, `${path}/${child.name}`);
          else plain(await child.getFile(), `${path}/${child.name}`);
        }
      };
      const walk = async (e: any): Promise<void> => {
        if (e.isFile) return void plain(await new Promise<File>((yes, no) => e.file(yes, no)), e.fullPath.slice(1));
        const reader = e.createReader();
        for (;;) {
          const some = await new Promise<any[]>((yes, no) => reader.readEntries(yes, no));
          if (!some.length) return;
          for (const inner of some) await walk(inner);
        }
      };
      try {
        const got = await handle;
        await (got ? read(got, got.name) : walk(entry));
      } catch {
        problems.push(entry.name);
      }
    })());
  }
  await Promise.all(work);
  if (problems.length) said.value = `The browser does not let this page read the dropped folder ${problems[0]}. Use "Open a folder" instead.`;
  await take(out.sort((a, b) => a.path.localeCompare(b.path, 'en', { numeric: true })));
  return problems;
}

export interface Sample {
  id: string;
  title: string;
  family: string;
  /** Of a game: what is shown first. */
  part?: string;
  files: { name: string; size: number }[];
}
const json = (id: string) => {
  const text = document.getElementById(id)?.textContent;
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
};
export const samples = (): Sample[] => json('diorama-samples')?.samples ?? [];
/** The files of all samples, in their order, one after another. */
let content: Promise<Blob> | undefined;
async function filesOf(sample: Sample) {
  const all = await (content ??= partOfPage('diorama-sample-files'));
  let start = 0;
  for (const one of samples()) {
    if (one.id === sample.id) break;
    for (const { size } of one.files) start += size;
  }
  return sample.files.map(({ name, size }) => ({ path: name, size, blob: all.slice(start, (start += size)) }));
}
const inflate = ({ name, gzip }: { name: string; gzip: string }) => unpacked(gzip).then((blob) => ({ path: name, size: blob.size, blob }));
export async function takeSample(sample: Sample, wanted = '') {
  const known = sample.files.map(({ name }) => files.value.find((f) => f.path === name));
  if (known[0]) return show(known[0], 'push', sample.part);
  await take(await filesOf(sample), wanted, sample.part);
}

/** At the start: files inside the page, files of the server that gave the page, files that were dropped meanwhile, or a sample that the
 * address names. */
export async function start() {
  const wanted = location.hash, embedded = json('diorama-files'), served = json('diorama-serve');
  if (embedded?.files?.length) await take(await Promise.all(embedded.files.map(inflate)), wanted);
  if (served?.files?.length)
    await take(served.files.map(({ name, size, tag, saves }: { name: string; size: number; tag: string; saves?: boolean }, i: number) =>
      ({ path: name, size, tag: saves ? tag : undefined, url: new URL(`files/${i}?token=${encodeURIComponent(served.token)}`, location.href).href })), wanted);
  const { dropped_early: dropped } = window as { dropped_early?: File[] };
  if (dropped?.length) await takeFiles(dropped.splice(0));
  if (files.value.length) return;
  const { file } = selectionOf(wanted);
  const sample = file && samples().find(({ files: [first] }) => file === first.name || file.startsWith(`${first.name}/`));
  if (sample) return takeSample(sample, wanted);
  // While someone looks for a file.
  setTimeout(() => void warm().catch(() => {}), 200);
}

// ---- what takes long ----

const doing: Record<string, string> = {
  start: 'Starting', open: 'Reading the file', list: 'Listing files', findFiles: 'Searching', findValues: 'Searching',
  save: 'Packing the file', check: 'Checking', checkGame: 'Checking the whole game', scene: 'Building the picture', world: 'Building the world', saveGlb: 'Writing GLB',
};
let own = false;
setInterval(() => {
  for (const connection of [connections.picture, connections.panes]) {
    const oldest = connection.oldest;
    if (!oldest || performance.now() - oldest.started < 500) continue;
    if (busy.value && !own) return;
    own = true;
    const text = doing[oldest.method] ?? 'Working';
    if (busy.value?.text !== text) busy.value = { text, cancel: () => connection.cancel() };
    return;
  }
  if (own) {
    own = false;
    busy.value = null;
  }
}, 100);
