// The core in a worker: keeps the files open, and answers what the panes ask. Nothing here knows a format.
import { Diorama, DioramaError } from '../../core.mjs';
import { Moved, serve, type Failure } from './rpc';
import { nextGap, textsOf, trailOf } from './walks';
import { countedName, inViewer, valueText } from './words';
import type { NamedEdit } from '../../core.mjs';
import type { Branch, Budgets, Copied, Edited, EditResult, Entry, Finding, Format, GamePart, Leaf, OpenFile, Question, Rule, ScenePart, ShownIn, Sound, SourcePlace, Window } from './types';

/** A file that was dropped, or one that a server of the same origin gives in parts. */
export interface Root {
  id: number;
  path: string;
  size: number;
  blob?: Blob;
  url?: string;
}

interface Opened {
  file: any;
  size: number;
  /** Reads it where the core has no bytes of it: of an unknown format, or read in parts. */
  read?: (offset: number, size: number) => Uint8Array;
  inParts?: boolean;
  texts?: ReturnType<typeof textsOf>;
  /** Of a compressed file: the archive in it; the file itself, if there is none. */
  content?: any;
}
interface Place {
  root: Root;
  /** Inside the root; '' is the root itself. */
  rest: string;
}

const k_kept = 24;
// Larger files are read in parts, as they are needed.
const k_whole = 32 << 20;
// The files of a game in a folder are read at once, if they are no more than that.
const k_together = 128 << 20;
const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const stemOf = (path: string) => nameOf(path).replace(/\.[^.]*$/, '');
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function partReader(root: Root): (offset: number, size: number) => Uint8Array {
  if (root.blob) {
    const reader = new FileReaderSync(), blob = root.blob;
    return (offset, size) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(offset, offset + size)));
  }
  return (offset, size) => {
    if (!size) return new Uint8Array();
    const request = new XMLHttpRequest();
    request.open('GET', root.url!, false);
    request.responseType = 'arraybuffer';
    request.setRequestHeader('Range', `bytes=${offset}-${offset + size - 1}`);
    request.send();
    if (request.status !== 206 && request.status !== 200) throw new Error(`${root.path}: the server answered ${request.status}`);
    const got = new Uint8Array(request.response as ArrayBuffer);
    return request.status === 200 ? got.subarray(offset, offset + size) : got;
  };
}

/** Readers of many files that have to be read again and again: one read of all together takes a hundredth of the time of one each. */
function partReaders(roots: Root[]): ((offset: number, size: number) => Uint8Array)[] {
  if (!roots.every(({ blob }) => blob) || roots.reduce((sum, { size }) => sum + size, 0) > k_together) return roots.map(partReader);
  let all: Uint8Array | undefined, end = 0;
  const read = () => (all ??= new Uint8Array(new FileReaderSync().readAsArrayBuffer(new Blob(roots.map(({ blob }) => blob!)))));
  return roots.map(({ size: length }) => {
    const start = end;
    end += length;
    return (offset, size) => read().subarray(start + Math.min(offset, length), start + Math.min(offset + size, length));
  });
}

/** What an object is called: its name, or the word for its first number: 101 (itembox). */
function nameAmong(members: Leaf[]): string {
  const name = members.find((m) => m.name === 'name' && typeof m.value === 'string');
  return name ? String(name.value) : (/^\S+ \(([^()]+)\)$/.exec(valueText(members[0]))?.[1] ?? '');
}

/** A summary of an object without a name: its first value, and its first small object, such as a position. */
function summaryOf(members: Leaf[], inside: (m: Leaf) => Leaf[]): string {
  const place = members.find((m) => m.type === 'object' && m.count <= 4), first = members[0];
  const text = place && inside(place).map((m) => `${m.name} ${valueText(m)}`).join(', ');
  return [!first.count && `${first.name} ${valueText(first)}`, text && `${place.name} ${text}`].filter(Boolean).join(' \u00b7 ');
}

export class Api {
  #core: any;
  #formats = new Map<string, Format>();
  #roots = new Map<string, Root>();
  #archives = new Map<string, boolean>();
  #open = new Map<string, Opened>();
  #companions = new Map<string, string[]>();
  #as = new Map<string, string>();
  #whole = new Set<string>();
  #games = new Map<string, any>();
  /** Games in folders, or of files that were dropped together: by the name they are listed under, with their files. */
  #folders = new Map<string, Map<string, string>>();
  #scenes = new Map<number, { scene: any; pathOf: (name: string) => string; nameOf: (path: string) => string }>();
  #sceneNumber = 0;
  /** Files that are edited, and what became of them. */
  #editings = new Map<string, any>();
  #edited = new Map<string, { bytes: Uint8Array; edition: number }>();
  #edition = 0;
  /** Archives with the edits of what is in them, not compressed: made when they are needed, for one state of the edits. */
  #changed = new Map<string, { edition: number; file: any }>();
  /** The same, as they would be saved. */
  #packedFiles = new Map<string, { edition: number; opened: Opened }>();
  /** What was last said of a root. */
  #told = new Map<string, OpenFile>();

  async start(module: WebAssembly.Module, roots: Root[], companions: [string, string[]][], folders: [string, [string, string][]][], edited: [string, Uint8Array][] = [], whole: string[] = []): Promise<void> {
    this.#core = await Diorama.load(module, { wording: inViewer });
    for (const f of this.#core.formats()) this.#formats.set(f.id, f);
    for (const root of roots) this.#roots.set(root.path, root);
    this.#companions = new Map(companions);
    for (const [path, members] of folders) this.#folders.set(path, new Map(members));
    this.#whole = new Set(whole);
    for (const [path, bytes] of edited) this.setBytes(path, bytes);
  }
  formats(): Format[] {
    return [...this.#formats.values()];
  }
  explain(id: string): Rule {
    return this.#core.explain(id);
  }
  version(): string {
    return this.#core.version;
  }

  // ---- files ----

  #place(path: string): Place {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const root = this.#roots.get(path.slice(0, end));
      if (root) return { root, rest: path.slice(end + 1) };
    }
    throw new Error(`${path}: this file is no longer open; drop it again`);
  }
  #raw(path: string): Opened {
    const known = this.#open.get(path);
    if (known) {
      this.#open.delete(path);
      this.#open.set(path, known);  // the last one used goes last
      return known;
    }
    const { root, rest } = this.#place(path), name = nameOf(path);
    const as = this.#as.get(path), options = as ? { as } : {}, edited = this.#edited.get(path);
    let opened: Opened;
    if (edited) opened = { file: this.#core.open(edited.bytes, name, options), size: edited.bytes.length };
    else if (!rest && !as && this.#core.openParts && root.size > k_whole && !this.#whole.has(path)) {
      const read = this.#reader(root), file = this.#core.openParts(root.size, name, read);
      opened = { file, size: root.size, read, inParts: true };
    } else {
      const bytes: Uint8Array = rest ? this.#member(root, rest) : this.#reader(root)(0, root.size), file = this.#core.open(bytes, name, options);
      opened = { file, size: bytes.length };
      if (!file.format) opened.read = (offset, size) => bytes.slice(offset, offset + size);
    }
    this.#open.set(path, opened);
    this.#forget();
    return opened;
  }
  #reader(root: Root): (offset: number, size: number) => Uint8Array {
    const edited = this.#edited.get(root.path);
    return edited ? (offset, size) => edited.bytes.slice(offset, offset + size) : partReader(root);
  }
  /** The bytes of a file in a root, as edited. */
  #member(root: Root, rest: string): Uint8Array {
    const path = `${root.path}/${rest}`;
    const around = [...this.#edited.keys()].filter((e) => e.length > root.path.length && path.startsWith(`${e}/`)).sort((a, b) => b.length - a.length)[0];
    if (around) return this.#archive(around).member(path.slice(around.length + 1));
    const bytes = this.#archive(root.path).member(rest) as Uint8Array;
    if (!this.#editionBelow(path)) return bytes;
    const archive = this.#core.open(bytes, nameOf(path));
    try {
      return this.#replaced(archive, path);
    } finally {
      archive.close();
    }
  }
  /** The archive that a file is or holds, without what was edited in it. */
  #archive(path: string): any {
    const opened = this.#raw(path);
    if (!this.#formats.get(opened.file.format)?.compressed) return opened.file;
    if (!opened.content) {
      const content = this.#core.open(opened.file.member(''), nameOf(path)), format = this.#formats.get(content.format);
      opened.content = format?.archive && !format.compressed ? content : opened.file;
      if (opened.content !== content) content.close();
    }
    return opened.content;
  }
  /** The state of the edits of what is in an archive; 0: there are none. */
  #editionBelow(path: string): number {
    let out = 0;
    for (const [edited, { edition }] of this.#edited) if (edited.startsWith(`${path}/`)) out = Math.max(out, edition);
    return out;
  }
  /** The members of an archive that were edited, by their paths in it. */
  #editedBelow(path: string): Record<string, Uint8Array> {
    const all = [...this.#edited].filter(([edited]) => edited.startsWith(`${path}/`));
    return Object.fromEntries(all.map(([edited, { bytes }]) => [edited.slice(path.length + 1), bytes]));
  }
  /** The archive at a path, not compressed, with what was edited in it. */
  #archiveAsEdited(path: string): any {
    const edition = this.#editionBelow(path), archive = this.#archive(path), known = this.#changed.get(path);
    if (!edition) return archive;
    if (known?.edition === edition) return known.file;
    known?.file.close();
    const file = this.#core.open(this.#replaced(archive, path), nameOf(path));
    this.#changed.set(path, { edition, file });
    return file;
  }
  #replaced(archive: any, path: string): Uint8Array {
    const changed: Record<string, Uint8Array> = {};
    for (const [edited, { bytes }] of this.#edited) {
      if (!edited.startsWith(`${path}/`)) continue;
      const name = edited.slice(path.length + 1), before: Uint8Array = archive.member(name);
      if (before.length !== bytes.length || !before.every((b, i) => b === bytes[i])) changed[name] = bytes;
    }
    const names = Object.keys(changed), all = () => archive.bytes(0, archive.info().size) as Uint8Array;
    if (!names.length) return all();
    if (names.length > 1)
      try {
        return archive.replaceAll(changed);
      } catch {
        // Two of them are in one archive inside: one after the other, then.
      }
    let out: Uint8Array = archive.replace(names[0], changed[names[0]]);
    for (const name of names.slice(1)) {
      const file = this.#core.open(out, archive.name);
      out = file.replace(name, changed[name]);
      file.close();
    }
    return out;
  }
  /** The bytes of an archive with what was edited in it: compressed, if it is. */
  #packed(path: string): Uint8Array {
    const { file } = this.#raw(path), archive = this.#archiveAsEdited(path), { size } = archive.info();
    return this.#archive(path) === file ? archive.bytes(0, size) : file.replace('', archive.bytes(0, size));
  }
  /** A file as it would be saved: an archive with what was edited in it. */
  #asEdited(path: string): Opened {
    const edition = this.#editionBelow(path), known = this.#packedFiles.get(path);
    if (!edition) return this.#raw(path);
    if (known?.edition === edition) return known.opened;
    known?.opened.file.close();
    const bytes = this.#packed(path), as = this.#as.get(path), opened = { file: this.#core.open(bytes, nameOf(path), as ? { as } : {}), size: bytes.length };
    this.#packedFiles.set(path, { edition, opened });
    return opened;
  }
  #forget() {
    let extra = this.#open.size - k_kept;
    for (const path of this.#open.keys()) {
      if (extra <= 0) return;
      if (this.#archives.get(path)) continue;  // much is read from it
      --extra;
      this.#close(path);
    }
  }
  #close(path: string) {
    const { file, content } = this.#open.get(path)!;
    if (content !== file) content?.close();
    file.close();
    this.#open.delete(path);
  }
  /** The file with what it is shown together with. */
  #get(path: string): Opened {
    const others = this.#companionsOf(path);
    if (!others.length) return this.#raw(path);
    const key = [path, ...others].join('\n'), known = this.#open.get(key);
    if (known) return known;
    const alone = this.#raw(path), file = alone.file.together(...others.map((other) => this.#raw(other).file));
    if (file.error && !alone.file.error) {
      const error = file.error;
      file.close();
      throw error;
    }
    const opened = { file, size: alone.size };
    this.#open.set(key, opened);
    return opened;
  }

  /** The same, of an archive as edited. */
  #asShown(path: string): Opened {
    return this.#editionBelow(path) ? this.#asEdited(path) : this.#get(path);
  }

  /** By hand if it was set so; else the files of the same name beside it, and those that it names. */
  #companionsOf(path: string): string[] {
    const chosen = this.#companions.get(path);
    if (chosen) return chosen.filter((other) => this.#exists(other));
    const { file } = this.#raw(path);
    if (file.format === null || !(this.#formats.get(file.format)?.gltf)) return [];
    const named = this.#beside(file), folder = folderOf(path), found: string[] = [];
    if (!this.#roots.has(path)) return named.map((name) => `${folder}/${name}`).filter((member) => this.#reads(member));
    for (const other of this.#roots.keys()) {
      if (other === path || folderOf(other) !== folder) continue;
      const isNamed = named.includes(nameOf(other));
      if (isNamed || (stemOf(other) === stemOf(path) && !/^\d+$/.test(stemOf(path)) && this.#fits(path, other))) found.push(other);
    }
    return found;
  }
  #beside(file: any): string[] {
    try {
      return file.beside();
    } catch {
      return [];
    }
  }
  #fits(path: string, other: string): boolean {
    const theirs = this.#raw(other).file;
    if (!theirs.format || theirs.format === this.#raw(path).file.format) return false;
    const both = this.#raw(path).file.together(theirs), fits = !both.error || !!this.#raw(path).file.error;
    both.close();
    return fits;
  }
  /** Whether it is a member of an archive that is there. */
  #reads(member: string): boolean {
    try {
      return !!this.#raw(member);
    } catch {
      return false;
    }
  }
  #exists(path: string): boolean {
    try {
      this.#place(path);
      return true;
    } catch {
      return false;
    }
  }
  /** Files that could go with it: {path, format, chosen}. */
  candidates(path: string): { path: string; title: string; chosen: boolean }[] {
    const chosen = this.#companionsOf(path), out: { path: string; title: string; chosen: boolean }[] = [];
    if (!this.#raw(path).file.format) return out;
    for (const other of this.#roots.keys()) {
      if (other === path) continue;
      const { file } = this.#raw(other);
      if (chosen.includes(other) || this.#fits(path, other))
        out.push({ path: other, title: this.#formats.get(file.format)?.title ?? '', chosen: chosen.includes(other) });
    }
    return out;
  }
  pair(path: string, others: string[]): void {
    this.#companions.set(path, others);
  }
  /** Reads a file as a format; '' as the one that it seems to be. */
  readAs(path: string, format: string): void {
    if (format) this.#as.set(path, format);
    else this.#as.delete(path);
    this.#drop(path);
  }
  /** Reads all of an archive that was read in parts. */
  readWhole(path: string): void {
    this.#whole.add(path);
    this.#drop(path);
  }
  #drop(path: string) {
    this.#archives.delete(path);
    this.#told.delete(path);
    for (const key of [...this.#open.keys()])
      if (key.split('\n').some((part) => part === path || part.startsWith(`${path}/`))) this.#close(key);
    this.#dropGames(path);
  }
  /** What shows a member that has other bytes now: itself, what is in it, and the archives around it but for the root. */
  #dropMember(root: string, path: string) {
    for (const key of [...this.#open.keys()])
      if (key.split('\n').some((part) => part === path || part.startsWith(`${path}/`) || (part !== root && path.startsWith(`${part}/`)))) this.#close(key);
    this.#dropGames(root);
  }
  #dropGames(path: string) {
    for (const [name, game] of [...this.#games])
      if (name === path || [...(this.#folders.get(name)?.values() ?? [])].includes(path)) {
        game?.close?.();
        this.#games.delete(name);
      }
  }

  /** Files that are there, and not read yet. */
  register(roots: Root[]): void {
    for (const root of roots) {
      this.#forgetEdits(root.path);
      this.#roots.set(root.path, root);
      this.#drop(root.path);
    }
  }
  /** Files that may be a game together: [name in the game, path]. Null if they are none. */
  addFolder(path: string, members: [string, string][]): OpenFile | null {
    this.#folders.set(path, new Map(members));
    this.#games.delete(path);
    if (this.#game(path)) return this.open(path);
    this.#folders.delete(path);
    return null;
  }
  remove(path: string): void {
    this.#forgetEdits(path);
    this.#folders.delete(path);
    this.#roots.delete(path);
    this.#drop(path);
  }
  open(path: string): OpenFile {
    const folder = this.#folders.get(path);
    if (folder) {
      const size = [...folder.values()].reduce((sum, root) => sum + (this.#roots.get(root)?.size ?? 0), 0), { title } = this.#game(path).info();
      return { id: -1, name: nameOf(path), path, size, format: 'folder', title, platform: '', error: null, kind: 'game', inParts: true, members: [...folder.values()], scene: false, beside: [], companions: [], edition: 0 };
    }
    const { root, rest } = this.#place(path), told = this.#told.get(path);
    // Where only what is in it was edited, it is what it was.
    if (told && !rest && this.#editionBelow(path)) return { ...told, edition: this.#editionBelow(path) };
    const { file, size, inParts = false } = this.#raw(path);
    const format = file.format ? this.#formats.get(file.format) : undefined;
    const isArchive = this.#isArchive(path);
    let kind: OpenFile['kind'] = isArchive ? 'archive' : 'file';
    if (isArchive && !rest && this.#game(path)) kind = 'game';
    const out: OpenFile = {
      id: root.id, name: nameOf(path), path, size, format: file.format ?? null,
      title: format?.title ?? 'Unknown format', platform: format?.platform ?? '',
      error: file.error ? (file.error.finding as Finding) : null, kind, inParts, scene: !!format?.gltf, simulates: !!format?.simulates,
      beside: this.#beside(file), companions: this.#companionsOf(path), edition: this.#edited.get(path)?.edition ?? 0,
    };
    if (!rest) this.#told.set(path, out);
    return out;
  }
  /** The path of the file in an archive that is shown first: a course with its model. Null: nothing in it has a picture. */
  first(path: string): string | null {
    const { first } = this.#archive(path).contents();
    return first ? `${path}/${first}` : null;
  }
  #isArchive(path: string): boolean {
    let known = this.#archives.get(path);
    if (known === undefined) {
      known = this.#holdsFiles(this.#raw(path).file.format);
      this.#archives.set(path, known);
    }
    return known;
  }

  /** What a folder of an archive holds. `path` is that of an archive, or of a folder in one. */
  list(path: string): Entry[] {
    let archive = path;
    while (!this.#roots.has(archive) && !this.#holds(archive)) archive = folderOf(archive);
    const inner = path.slice(archive.length + 1), out = new Map<string, Entry>();
    for (const { path: member, size, what } of this.#archive(archive).members() as { path: string; size: number; what: string }[]) {
      if (inner && !member.startsWith(`${inner}/`)) continue;
      const below = inner ? member.slice(inner.length + 1) : member, slash = below.indexOf('/');
      if (slash < 0) {
        const kind = what && this.#holdsFiles(what) ? 'archive' : 'file';
        out.set(below, { path: `${archive}/${member}`, name: below, kind, size, what: what || undefined });
      } else {
        const name = below.slice(0, slash), known = out.get(name);
        if (known) known.count!++, (known.size += size);
        else out.set(name, { path: `${archive}/${inner ? `${inner}/` : ''}${name}`, name, kind: 'folder', size, count: 1 });
      }
    }
    const rank = { folder: 0, archive: 1, file: 1 };
    return [...out.values()].sort((a, b) => rank[a.kind] - rank[b.kind] || a.name.localeCompare(b.name, 'en', { numeric: true }));
  }
  #holdsFiles = (format: string | null) => !!this.#formats.get(format ?? '')?.archive;
  #holds(path: string): boolean {
    try {
      const { root, rest } = this.#place(path);
      if (!rest) return true;
      // A folder of the root is no member of it.
      if ((this.#archive(root.path).members() as { path: string }[]).some((m) => m.path.startsWith(`${rest}/`))) return false;
      return this.#isArchive(path);
    } catch {
      return false;
    }
  }
  /** Files of an archive whose paths hold all words: not those inside archives in it. */
  findFiles(path: string, text: string, limit: number): Entry[] {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean), out: Entry[] = [];
    for (const { path: member, size, what } of this.#archive(path).members() as { path: string; size: number; what: string }[]) {
      const low = `${member} ${what}`.toLowerCase();
      if (!words.every((word) => low.includes(word))) continue;
      out.push({ path: `${path}/${member}`, name: member, kind: this.#holdsFiles(what) ? 'archive' : 'file', size, what });
      if (out.length >= limit) break;
    }
    return out;
  }

  // ---- values and bytes ----

  branch(file: string, path: string, from = 0, count = 200): Branch {
    return this.#asShown(file).file.branch(path, from, count);
  }
  /** Where a value and the values above it stand among their neighbours: from the top down. */
  trail(file: string, path: string): { path: string; index: number }[] {
    return trailOf(this.#asShown(file).file, path);
  }
  /** What small objects hold, each in a few words; of larger ones their name, or '' if they have none. */
  previews(file: string, paths: string[]): string[] {
    const { file: f } = this.#asShown(file);
    return paths.map((path) => {
      const { members, total } = f.branch(path, 0, 12) as Branch;
      if (total > 4) return nameAmong(members) || summaryOf(members, (m) => f.branch(m.path, 0, 5).members);
      const isVector = members.every((m) => !m.count && (m.name.length === 1 || m.name[0] === '['));
      if (members.some((m) => m.count && m.name[0] === '[')) return `${members.length} ${members.length === 1 ? 'entry' : 'entries'}`;
      if (isVector) return members.map(valueText).join(', ');
      const inWords = (m: Leaf) => (m.type === 'list' ? countedName(m.count, m.name) : m.count ? m.name : `${m.name} ${valueText(m)}`);
      return [...members.filter((m) => m.type === 'list'), ...members.filter((m) => m.type !== 'list')].map(inWords).join(' \u00b7 ');
    });
  }
  /** Bytes with what describes them. */
  window(file: string, offset: number, size: number): Moved<Window> {
    const bytes = this.#bytes(file, offset, size);
    return new Moved({ bytes, ...this.#spans(file, offset, size) }, [bytes.buffer as ArrayBuffer]);
  }
  #bytes(file: string, offset: number, size: number): Uint8Array {
    const { file: f, size: whole, read } = this.#asEdited(file), count = Math.max(0, Math.min(size, whole - offset));
    return read ? read(offset, count) : f.bytes(offset, count);
  }
  #spans(file: string, offset: number, size: number): Omit<Window, 'bytes'> {
    const { file: f, size: all, read, inParts } = this.#asEdited(file);
    if (inParts) {
      // Its members are what is known.
      const spans = (f.members() as { path: string; offset: number; size: number }[]).filter((m) => m.offset < offset + size && m.offset + m.size > offset);
      return { spans: spans.map((m) => ({ path: m.path, offset: m.offset, size: m.size, type: 'file' })), gaps: [] };
    }
    if (read) return { spans: [], gaps: [{ offset: 0, size: all }] };
    const { spans, gaps } = f.spans(offset, size);
    return { spans, gaps: gaps.map(({ offset, size }: Window['gaps'][0]) => ({ offset, size })) };
  }
  place(file: string, path: string): { offset: number; size: number } | null {
    const { file: f, read } = this.#asEdited(file);
    return read ? null : f.place(path);
  }
  pathAt(file: string, offset: number): string | null {
    const { file: f, read } = this.#asEdited(file);
    return read ? null : f.pathAt(offset);
  }
  /** The next gap after an offset (or before, if `back`): bytes that no field describes. */
  nextGap(file: string, offset: number, back = false): { offset: number; size: number } | null {
    const { file: f, size, read } = this.#asEdited(file);
    if (read) return null;
    return nextGap(f, size, offset, back);
  }
  findValues(file: string, text: string, limit: number): { total: number; found: Leaf[] } {
    const opened = this.#asEdited(file), words = text.toLowerCase().split(/\s+/).filter(Boolean), found: Leaf[] = [];
    opened.texts ??= textsOf(opened.file, opened.size);
    let total = 0;
    for (const [path, show, offset, size] of opened.texts) {
      const low = `${path} ${show}`.toLowerCase();
      if (words.every((word) => low.includes(word)) && ++total <= limit) found.push({ path, name: path, type: '', show, offset, size, count: 0 });
    }
    return { total, found };
  }

  info(file: string): any {
    return this.#asEdited(file).file.info();
  }
  /** What only shows when it is played by the rules of the game. */
  simulate(file: string): Finding[] {
    return this.#get(file).file.simulate();
  }
  check(file: string): Finding[] {
    const { file: f, inParts } = this.#get(file), { root, rest } = this.#place(file);
    if (inParts) return [];
    const asItLies = rest && !this.#companions.has(file) && !this.#as.has(file) && f.format && !this.#raw(root.path).inParts;
    return asItLies ? this.#archive(root.path).checkMember(rest, this.#editedBelow(root.path)) : f.check();
  }
  /** Of a file; of a part of a game, as the game uses it. */
  budget(file: string, part?: string): Budgets | null {
    try {
      if (part) return this.#gameOf(file).budget(part);
      return this.#get(file).file.budget();
    } catch {
      return null;
    }
  }
  save(file: string): Moved<Uint8Array> {
    const { file: f, size, read } = this.#asEdited(file), copy: Uint8Array = read ? read(0, size) : f.bytes(0, size);
    return new Moved(copy, [copy.buffer as ArrayBuffer]);
  }
  textures(file: string): Moved<{ name: string; bytes: Uint8Array }[]> {
    const { files } = this.#get(file).file.textures() as { files: { name: string; bytes: Uint8Array }[] };
    const pictures = files.filter(({ name }) => name.endsWith('.png'));
    return new Moved(pictures, pictures.map(({ bytes }) => bytes.buffer as ArrayBuffer));
  }
  sounds(file: string): Sound[] {
    const { file: f } = this.#get(file);
    return f.sounds ? f.sounds() : [];
  }
  questions(file: string): Question[] {
    const { file: f } = this.#get(file);
    return f.questions ? f.questions() : [];
  }
  /** The edits that can be made in a file, by their names. */
  edits(file: string): NamedEdit[] {
    return this.#asEdited(file).file.edits();
  }
  /** What a file answers about tiles; null for those that it does not have. */
  tiles(file: string, which: [x: number, z: number][], level: string): any[] {
    const { file: f } = this.#raw(file);
    return which.map(([x, z]) => {
      try {
        return f.ask('tile', `${x},${z}${level === '0' ? '' : `,${level}`}`);
      } catch {
        return null;
      }
    });
  }
  /** The named values of a field, empty if it has none. `flag`: can be combined with others. */
  words(file: string, path: string): { value: number; word: string; flag?: true }[] {
    return this.#asEdited(file).file.explain(path).words ?? [];
  }
  ask(file: string, question: string, argument: string): any {
    return this.#get(file).file.ask(question, argument);
  }

  // ---- edits ----

  #editing(path: string): any {
    let known = this.#editings.get(path);
    if (!known) {
      const { file, inParts } = this.#asEdited(path);
      if (inParts) throw new Error('only parts of this file have been read; to edit it, read the whole file first');
      if (!file.format) throw file.error ?? new Error('a file of an unknown format cannot be edited');
      const { root, rest } = this.#place(path);
      if (rest && this.#raw(root.path).inParts) throw new Error(`only parts of ${root.path} have been read; to edit files in it, read the whole file first`);
      this.#editings.set(path, (known = file.edit()));
    }
    return known;
  }
  #forgetEdits(path: string, but = '') {
    for (const [name, editing] of [...this.#editings])
      if (name !== but && (name === path || name.startsWith(`${path}/`))) {
        editing.close();
        this.#editings.delete(name);
      }
    for (const [name, { file }] of [...this.#changed])
      if (name === path || name.startsWith(`${path}/`)) {
        file.close();
        this.#changed.delete(name);
      }
    for (const [name, { opened }] of [...this.#packedFiles])
      if (name === path || name.startsWith(`${path}/`)) {
        opened.file.close();
        this.#packedFiles.delete(name);
      }
    for (const name of [...this.#edited.keys()]) if (name !== but && (name === path || name.startsWith(`${path}/`))) this.#edited.delete(name);
  }
  /** The file has other bytes from now on. An archive around it has them as soon as somebody asks for its own. */
  setBytes(path: string, bytes: Uint8Array): void {
    const { root, rest } = this.#place(path);
    this.#forgetEdits(path, path);
    this.#edited.set(path, { bytes, edition: ++this.#edition });
    // What was done to an archive around it cannot be taken back any more: its next edit begins with these bytes.
    for (const [name, editing] of [...this.#editings])
      if (path.startsWith(`${name}/`)) {
        editing.close();
        this.#editings.delete(name);
      }
    if (rest) this.#dropMember(root.path, path);
    else this.#drop(path);
  }
  #after(path: string, result: EditResult): Edited {
    this.setBytes(path, this.#editings.get(path).save());
    return { ...result, file: this.open(path), root: this.open(this.#place(path).root.path), bytes: this.#edited.get(path)!.bytes };
  }
  edit(path: string, words: string[], referrers: { unlink?: boolean; cascade?: boolean } = {}): Edited {
    return this.#after(path, this.#editing(path).run(words, referrers));
  }
  undoEdit(path: string): Edited {
    return this.#after(path, this.#editing(path).undo());
  }
  redoEdit(path: string): Edited {
    return this.#after(path, this.#editing(path).redo());
  }
  /** What an edit would change, without making it. */
  tryEdit(path: string, words: string[]): string[] {
    const editing = this.#asEdited(path).file.edit();
    try {
      return editing.run(words).changes.map(({ line }: { line: string }) => line);
    } finally {
      editing.close();
    }
  }
  refs(path: string, part: string): { refers_to: { from: string; to: string; exists: boolean; part?: boolean }[]; referred_by: { from: string; to: string; exists: boolean }[] } {
    const [found] = this.#asEdited(path).file.refs(part);
    return found ?? { refers_to: [], referred_by: [] };
  }
  /** The values of an element, to be added elsewhere: without references, which mean something in this file alone. */
  copied(path: string, element: string): Copied {
    const { file } = this.#asEdited(path), refers = new Set((file.refs(element) as { refers_to: { from: string }[] }[]).flatMap((p) => p.refers_to.map((r) => r.from)));
    const values: [string, string][] = [], walk = (part: string) => {
      const branch = file.branch(part, 0, 10000) as Branch;
      if (branch.total) return void branch.members.forEach((m) => walk(m.path));
      if (branch.value !== undefined && branch.size && !refers.has(part)) values.push([part.slice(element.length + 1), typeof branch.value === 'string' ? JSON.stringify(branch.value) : String(branch.value)]);
    };
    walk(element);
    return { from: element, values };
  }

  // ---- pictures ----

  /** `pathOf`: the path of a file that the scene names; `nameOf`: what the scene calls it. */
  #keep(scene: any, before: any, pathOf: (name: string) => string, nameOf: (path: string) => string): Moved<{ sceneId: number; packed: ArrayBuffer }> {
    const sceneId = ++this.#sceneNumber, packed: ArrayBuffer = scene.packed(before);
    this.#scenes.set(sceneId, { scene, pathOf, nameOf });
    return new Moved({ sceneId, packed }, [packed]);
  }
  /** `before`: the scene that is shown; what it has is not sent again. */
  scene(file: string, options: Record<string, string> = {}, before = 0): Moved<{ sceneId: number; packed: ArrayBuffer }> {
    const { file: f } = this.#get(file);
    if (f.error) throw f.error;
    if (!f.scene) throw new Error('this file has no picture');
    const all = [file, ...this.#companionsOf(file)], last = this.#scenes.get(before)?.scene ?? null;
    return this.#keep(f.scene(options, last), last, (name) => all.find((path) => nameOf(path) === name) ?? file, nameOf);
  }
  world(file: string, part: string, options: Record<string, string> = {}, before = 0): Moved<{ sceneId: number; packed: ArrayBuffer }> {
    const game = this.#gameOf(file), known = new Set<string>(['show', ...(game.options() as string[])]);
    const scene = game.world(part, Object.fromEntries(Object.entries(options).filter(([name]) => known.has(name))));
    const folder = this.#folders.get(file), root = folder ? '' : this.#place(file).root.path, own = nameOf(root), last = this.#scenes.get(before)?.scene ?? null;
    if (folder) {
      const names = new Map([...folder].map(([name, path]) => [path, name]));
      return this.#keep(scene, last, (name) => folder.get(name) ?? `${file}/${name}`, (path) => names.get(path) ?? path);
    }
    return this.#keep(scene, last, (name) => (name.startsWith(`${own}/`) ? root + name.slice(own.length) : name), (path) => (path.startsWith(`${root}/`) ? own + path.slice(root.length) : path));
  }
  closeScene(sceneId: number): void {
    this.#scenes.get(sceneId)?.scene.close();
    this.#scenes.delete(sceneId);
  }
  sourcePath(sceneId: number, node: number, source?: number): SourcePlace | null {
    const kept = this.#scenes.get(sceneId), found = kept?.scene.sourcePath(node, source) ?? null;
    return found && { ...found, file: kept!.pathOf(found.file) };
  }
  shows(sceneId: number, file: string, path: string): ShownIn[] {
    const kept = this.#scenes.get(sceneId);
    return kept?.scene.shows(kept.nameOf(file), path) ?? [];
  }
  /** What the picture shows as GLB. */
  saveGlb(sceneId: number): Moved<Uint8Array> {
    const kept = this.#scenes.get(sceneId);
    if (!kept) throw new Error('the picture is still being built; try again when it is complete');
    const bytes = kept.scene.convert('glb') as Uint8Array;
    return new Moved(bytes, [bytes.buffer as ArrayBuffer]);
  }

  // ---- games ----

  #game(path: string): any {
    if (!this.#games.has(path)) {
      let game = null;
      try {
        const folder = this.#folders.get(path);
        if (folder) {
          const roots = [...folder.values()].map((root) => this.#roots.get(root)!), readers = partReaders(roots);
          const files = [...folder.keys()].map((name, i) => {
            const edited = this.#edited.get(roots[i].path)?.bytes;
            return { path: name, size: edited?.length ?? roots[i].size, read: edited ? (offset: number, size: number) => edited.subarray(offset, offset + size) : readers[i] };
          });
          game = this.#core.openGame(files, nameOf(path));
        }
        else game = this.#archiveAsEdited(path).game();
      } catch {
        // Archives need not be games.
      }
      this.#games.set(path, game);
    }
    return this.#games.get(path);
  }
  #gameOf(path: string): any {
    const game = this.#game(this.#folders.has(path) ? path : this.#place(path).root.path);
    if (!game) throw new Error(`${path}: not a game`);
    return game;
  }
  game(path: string): { parts: GamePart[]; kinds: ScenePart[]; overlays: string[]; options: string[] } | null {
    const game = this.#game(path);
    if (!game) return null;
    const folder = this.#folders.get(path), pathOf = (name: string) => folder?.get(name) ?? `${path}/${name}`;
    const { overlays, options, scene_parts: kinds } = game.info() as { overlays: string[]; options: string[]; scene_parts: ScenePart[] }, scenes = new Set(kinds.map(({ kind }) => kind));
    const parts = (game.parts() as GamePart[]).map((p) => ({ ...p, path: p.path && pathOf(p.path), hasScene: scenes.has(p.kind) }));
    return { parts, kinds, overlays, options };
  }
  describe(path: string, part: string): any {
    return this.#gameOf(path).describe(part);
  }
  checkGame(path: string): Finding[] {
    return this.#gameOf(path).check();
  }
}

function failureOf(e: unknown): Failure {
  if (e instanceof DioramaError) {
    const finding = e.finding as Finding;
    return { message: finding.message || e.message, finding };
  }
  return { message: e instanceof Error ? e.message : String(e) };
}

const api = new Api(), answer = serve(api, self as unknown as Worker, failureOf);
// Calls wait until the module is there, and then run in their order.
let ready: Promise<unknown> = Promise.resolve();
self.onmessage = ({ data }: MessageEvent) => {
  ready = ready.then(() => answer(data));
};
