// What is open: files, the folders and archives in them, the maps of games; and what is shown together.
import { signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Empty, Icon, IconButton, Problem, Search, VirtualList, coarse, useLater, type ListHandle } from '../frame/ui';
import { isEdited } from '../editing';
import { formats, loadFormats } from '../formats';
import { close, refresh, show } from '../opening';
import { Cancelled } from '../rpc';
import { rebuild } from '../showing';
import { core, files, gameOf, said, select, selection, shown } from '../state';
import { isUnknown, type Entry, type GamePart, type OpenFile, type ScenePart } from '../types';
import { counted, nameOf, sizeText } from '../words';

const k_row = coarse ? 36 : 24;
const opened = signal(new Set<string>());
const listings = signal(new Map<string, Entry[] | Error | null>());
type Parts = { parts: GamePart[]; kinds: ScenePart[] };
const games = signal(new Map<string, Parts | null>());

interface Row {
  key: string;
  depth: number;
  icon: string;
  name: string;
  note: string;
  /** undefined: cannot be opened. */
  open?: boolean;
  /** What is selected when it is chosen. */
  file?: string;
  part?: string;
  problem?: boolean;
  choose: () => void;
  root?: OpenFile;
  hint?: string;
}

function toggle(key: string, on?: boolean) {
  const next = new Set(opened.value);
  if (on ?? !next.has(key)) next.add(key);
  else next.delete(key);
  opened.value = next;
}
function listing(path: string): Entry[] | Error | null {
  const known = listings.value.get(path);
  if (known !== undefined) return known;
  // Not while rendering: signals must not change then.
  queueMicrotask(() => {
    if (listings.peek().get(path) !== undefined) return;
    listings.value = new Map(listings.peek()).set(path, null);
    core.list(path).then((entries) => { listings.value = new Map(listings.peek()).set(path, entries); }, (e) => { listings.value = new Map(listings.peek()).set(path, e); });
  });
  return null;
}
function partsOf(file: OpenFile): Parts | null {
  const known = games.value.get(file.path);
  if (known !== undefined) return known;
  queueMicrotask(() => {
    if (games.peek().get(file.path) !== undefined) return;
    games.value = new Map(games.peek()).set(file.path, null);
    core.game(file.path).then((game) => { games.value = new Map(games.peek()).set(file.path, game ?? { parts: [], kinds: [] }); }, () => {});
  });
  return null;
}
const titleOfKind = (kind: string) => kind[0].toUpperCase() + kind.slice(1).replace(/-/g, ' ');
/** The name of a part of a game, as far as it is known. */
export const partName = (file: string, part: string) => games.value.get(gameOf(file)?.path ?? '')?.parts.find((p) => p.id === part)?.name;
const titleOf = (format?: string) => (format ? (formats.value?.get(format)?.title ?? format) : '');

function rowsOf(text: string): Row[] {
  const out: Row[] = [], words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (s: string) => words.every((w) => s.toLowerCase().includes(w));
  const entries = (path: string, depth: number) => {
    const list = listing(path);
    if (list === null) return void out.push({ key: `${path}/…`, depth, icon: 'file', name: 'Listing…', note: '', choose: () => {} });
    if (list instanceof Error) return void out.push({ key: `${path}/!`, depth, icon: list instanceof Cancelled ? 'hint' : 'error', name: list instanceof Cancelled ? 'Stopped; click to list the files again' : list.message, note: '', problem: !(list instanceof Cancelled), choose: () => {
        const next = new Map(listings.peek());
        next.delete(path);
        listings.value = next;
      } });
    for (const e of list) {
      const key = e.path, isOpen = opened.value.has(key);
      out.push({
        key, depth, icon: e.kind, name: e.name, file: e.kind === 'folder' ? undefined : e.path, open: e.kind === 'file' ? undefined : isOpen,
        note: e.kind === 'folder' ? counted(e.count ?? 0, 'file') : sizeText(e.size), hint: e.what ? titleOf(e.what) : undefined,
        choose: () => {
          if (e.kind === 'folder') return toggle(key);
          if (e.kind === 'archive' && !isOpen) toggle(key, true);
          // The world stays in sight while one looks through files that have no picture of their own.
          const own = e.what && formats.value?.get(e.what)?.gltf;
          select(own ? { file: e.path, path: '', part: undefined } : { file: e.path, path: '' });
        },
      });
      if (isOpen) entries(key, depth + 1);
    }
  };
  const folders = new Set<string>();
  for (const f of files.value) {
    // Dropped folders.
    const steps = f.path.split('/');
    let hidden = false;
    if (!words.length)
      for (let i = 1; i < steps.length; ++i) {
        const folder = steps.slice(0, i).join('/'), key = `folder:${folder}`;
        if (!folders.has(folder)) {
          folders.add(folder);
          out.push({ key, depth: i - 1, icon: 'folder', name: steps[i - 1], note: '', open: !opened.value.has(key), choose: () => toggle(key) });
        }
        if (opened.value.has(key)) {  // folders of the disk are open at first: the set holds the closed ones
          hidden = true;
          break;
        }
      }
    if (hidden) continue;
    const depth = words.length ? 0 : steps.length - 1, canOpen = f.kind !== 'file', isOpen = opened.value.has(f.path);
    const rootRow: Row = {
      key: f.path, depth, icon: f.error && !isUnknown(f) ? 'error' : f.kind, name: words.length ? f.path : f.name, note: f.title || f.size ? sizeText(f.size) : '…', hint: f.title, problem: !!f.error && !isUnknown(f),
      open: canOpen ? isOpen : undefined, file: f.path, root: f,
      choose: () => {
        if (canOpen) toggle(f.path, true);
        void show(f);
      },
    };
    if (words.length) {
      if (matches(`${f.path} ${f.title}`)) out.push(rootRow);
      if (f.kind === 'game')
        for (const p of partsOf(f)?.parts ?? []) if (matches(`${p.name} ${p.id} ${p.kind}`)) out.push(partRow(f, p, 0));
      if (canOpen && f.format !== 'folder') {
        const key = `${f.path}\n${text}`, found = searches.value.key === key ? searches.value.found : [];
        for (const e of found)
          out.push({ key: e.path, depth: 0, icon: e.kind, name: e.name, note: sizeText(e.size), hint: titleOf(e.what), file: e.path, choose: () => select({ file: e.path, path: '', part: undefined }) });
      }
      continue;
    }
    out.push(rootRow);
    if (!canOpen || !isOpen) continue;
    if (f.kind === 'game') {
      const game = partsOf(f), known = game?.kinds ?? [], others = [...new Set(game?.parts.map((p) => p.kind))].filter((kind) => !known.some((k) => k.kind === kind));
      for (const { kind, title, map } of [...known, ...others.map((kind) => ({ kind, title: titleOfKind(kind), map: false }))]) {
        const own = game!.parts.filter((p) => p.kind === kind), key = `${f.path}\n${kind}`, isShut = map === opened.value.has(key);  // the set holds what is not as it is at first
        if (!own.length) continue;
        out.push({ key, depth: depth + 1, icon: 'map', name: title, note: String(own.length), open: !isShut, choose: () => toggle(key) });
        if (!isShut) for (const p of own) out.push(partRow(f, p, depth + 2));
      }
    }
    if (f.format !== 'folder') entries(f.path, depth + 1);
  }
  return out;
}
/** The file that a part stands in: its values and bytes are shown beside the picture. */
export const fileOf = (f: OpenFile, p: GamePart) => p.path ?? f.path;
/** Selects a part of a game: its picture, if it has one, and its element in its file. */
export const choosePart = (f: OpenFile, p: GamePart) => select({ file: fileOf(f, p), path: p.element ?? '', part: p.hasScene ? p.id : undefined });
/** Selects a part by its id, in the game that a file is of. */
export function goToPart(file: string, id: string) {
  const game = gameOf(file), part = game && games.value.get(game.path)?.parts.find((p) => p.id === id);
  if (part) choosePart(game, part);
  else said.value = `This game has no ${id}`;
}
function partRow(f: OpenFile, p: GamePart, depth: number): Row {
  return {
    key: `${f.path}\n${p.id}`, depth, icon: p.hasScene ? 'map' : 'file', name: p.name || p.id, note: p.name ? p.id : '', file: p.hasScene ? f.path : fileOf(f, p), part: p.hasScene ? p.id : undefined,
    choose: () => choosePart(f, p),
  };
}

const searches = signal<{ key: string; found: Entry[] }>({ key: '', found: [] });

export function FilesPane({ open, openFolder }: { open: () => void; openFolder: () => void }) {
  const text = useSignal(''), lastPart = useRef<string | undefined>(undefined), table = useComputed(() => {
    const rows = rowsOf(text.value.trim());
    return { rows, numbers: new Map(rows.map((r, i) => [r.key, i])) };
  }), active = useSignal(''), list = useRef<ListHandle>(null), now = selection.value;
  useEffect(() => { if (files.value.length) void loadFormats(); }, [files.value.length]);
  // Archives above a selected file open, so that it can be seen.
  useEffect(() => {
    if (!now.file) return;
    const root = (now.part && gameOf(now.file)) || files.value.find((f) => now.file.startsWith(`${f.path}/`) || now.file === f.path);
    if (!root) return;
    // A part was chosen: it is its row that is selected, not that of its file.
    const isNew = now.part && now.part !== lastPart.current;
    lastPart.current = now.part;
    if (isNew || active.value.startsWith(`${root.path}\n`)) {
      if (!opened.value.has(root.path)) opened.value = new Set(opened.value).add(root.path);
      if (isNew) active.value = `${root.path}\n${now.part}`;
      return;
    }
    const next = new Set(opened.value);
    if (root.kind !== 'file' && now.file === root.path) next.add(root.path);
    for (let at = now.file.indexOf('/', root.path.length); at >= 0; at = now.file.indexOf('/', at + 1)) next.add(now.file.slice(0, at));
    if (next.size !== opened.value.size) opened.value = next;
    active.value = now.part && now.file === root.path ? `${root.path}\n${now.part}` : now.file;
  }, [now.file, now.part, files.value]);
  useEffect(() => {
    const t = text.value.trim();
    if (!t) return;
    let stale = false;
    for (const f of files.value) {
      if (f.kind === 'file' || f.format === 'folder') continue;
      void core.findFiles(f.path, t, 500).then((found) => { if (!stale) searches.value = { key: `${f.path}\n${t}`, found }; }, () => {});
    }
    return () => { stale = true; };
  }, [text.value]);
  if (!files.value.length)
    return <Empty icon="folder" title="Files">Lists the dropped files, and the files in archives, cartridges and discs.</Empty>;
  const { rows, numbers } = table.value, game = gameOf(now.file)?.path;
  const isSelected = (r: Row) => (r.part ? r.part === now.part && game === r.file : r.file === now.file && !(r.root && now.part));
  const at = numbers.get(active.value) ?? -1, shownAt = at >= 0 && isSelected(rows[at]) ? at : -1;
  return (
    <div class="pane-body files">
      <div class="bar">
        <Search label="Find a file or map" short="Find…" value={text.value} onInput={(v) => { text.value = v; }} test="find-file" onDown={() => list.current?.element?.focus()} onEnter={() => rows[0]?.choose()} />
        <IconButton icon="open" label="Open files" keys="Ctrl+O" onClick={open} />
        <IconButton icon="folder" label="Open a folder" onClick={openFolder} />
      </div>
      {!rows.length && <p class="dim padded">No file or map matches “{text.value.trim()}”.</p>}
      <Follow list={list} row={shownAt} />
      <VirtualList class="file-list" data-test="files" count={rows.length} rowHeight={k_row} handle={list} inner="group" role="tree" tabIndex={0} aria-label="Open files"
        aria-activedescendant={at >= 0 ? `file-${at}` : undefined}
        onKeyDown={(e) => {
          if (e.ctrlKey || e.metaKey || e.altKey) return;
          const row = rows[at];
          const go = (to: number) => {
            const next = rows[Math.max(0, Math.min(rows.length - 1, to))];
            if (!next) return;
            active.value = next.key;
            said.value = next.name;
            list.current?.reveal(rows.indexOf(next));
          };
          const isFolder = row && (row.key.startsWith('folder:') || (row.key.includes('\n') && row.open !== undefined));
          if (e.key === 'ArrowDown') go(at + 1);
          else if (e.key === 'ArrowUp') go(at - 1);
          else if (e.key === 'Home') go(0);
          else if (e.key === 'End') go(rows.length - 1);
          else if (e.key === 'PageDown') go(at + (list.current?.fit() ?? 10));
          else if (e.key === 'PageUp') go(at - (list.current?.fit() ?? 10));
          else if ((e.key === 'Enter' || e.key === ' ') && row) row.choose();
          else if (e.key === 'ArrowRight' && row?.open === false) toggle(row.key);
          else if (e.key === 'ArrowRight') go(at + 1);
          else if (e.key === 'ArrowLeft' && row?.open) toggle(row.key);
          else if (e.key === 'ArrowLeft' && row) go(rows.findLastIndex((r, i) => i < at && r.depth < row.depth));
          else if (e.key === 'Delete' && row?.root && !isFolder) close(row.root.path);
          else return;
          e.preventDefault();
        }}
        row={(i) => {
          const r = rows[i];
          return (
            <div class={`row${isSelected(r) ? ' selected' : ''}${i === at ? ' active' : ''}${r.problem ? ' problem-row' : ''}`} role="treeitem" id={`file-${i}`} aria-level={r.depth + 1} aria-expanded={r.open} aria-selected={isSelected(r)}
              title={[r.root?.path ?? r.name, r.hint].filter(Boolean).join(', ')} data-key={r.key} onClick={() => { active.value = r.key; r.choose(); }}>
              <span class="indent" style={{ width: `${4 + r.depth * 14}px` }} />
              <span class={`twist${r.open === undefined ? ' none' : r.open ? ' open' : ''}`} onClick={(e) => { if (r.open !== undefined) { e.stopPropagation(); toggle(r.key); } }}>{r.open !== undefined && <Icon name="right" size={10} />}</span>
              <Icon name={r.icon} size={14} />
              {r.file || r.root ? <FileName name={r.name} dim={!!r.root && isUnknown(r.root)} /> : <span class="file-name">{r.name}</span>}
              {r.file && !(r.part && !r.root) && isEdited(r.file) && <span class="edited-mark" role="img" aria-label="edited" title="Edited" data-test="edited-mark" />}
              <span class="note">{r.note}</span>
              {r.root && <button type="button" class="close-file" tabIndex={-1} aria-label={`Close ${r.name}`} title="Close (Delete)" onClick={(e) => { e.stopPropagation(); close(r.root!.path); }}><Icon name="close" size={11} /></button>}
            </div>
          );
        }} />
      <Pairing />
    </div>
  );
}
/** A name that is shortened in its middle: files of a folder often differ at the end. */
export function FileName({ name, dim = false }: { name: string; dim?: boolean }) {
  const k_end = 10, cut = name.length > 2 * k_end ? name.length - k_end : name.length;
  return <span class={`file-name${dim ? ' dim' : ''}`}><span>{name.slice(0, cut)}</span>{cut < name.length && <span class="end">{name.slice(cut)}</span>}</span>;
}
/** Brings the selected row into sight when it changes. */
function Follow({ list, row }: { list: { current: ListHandle | null }; row: number }) {
  useEffect(() => { if (row >= 0) list.current?.reveal(row); }, [row >= 0, selection.value.file, selection.value.part]);
  return null;
}

/** Textures, animations and other files that the selected one is shown together with. */
function Pairing() {
  const { file } = selection.value, root = files.value.find((f) => f.path === file);
  const key = root && files.value.length > 1 ? `${file}\n${files.value.map((f) => `${f.path} ${f.title}`).join('\n')}` : null;
  const found = useLater(key, () => core.candidates(file));
  const missing = root?.scene || root?.beside.length ? (root?.beside ?? []).filter((name) => !files.value.some((f) => nameOf(f.path) === name)) : [];
  if (found.error) return <Problem error={found.error} again={found.again} />;
  if (!root || (!found.value?.length && !missing.length)) return null;
  const change = async (path: string, on: boolean) => {
    found.value!.find((c) => c.path === path)!.chosen = on;  // at once; the core follows
    const chosen = found.value!.filter((c) => c.chosen).map((c) => c.path);
    await core.pair(file, chosen);
    await refresh(file);
    found.again();
    rebuild();
  };
  return (
    <section class="pairing" aria-label="Companion files" data-test="pairing">
      <h3><Icon name="pair" size={14} /> Companion files</h3>
      <ul>
        {found.value?.map((c) => <li key={c.path}><label><input type="checkbox" checked={c.chosen} onChange={(e) => void change(c.path, e.currentTarget.checked)} /> <span class="file-name" title={c.title}>{c.path}</span></label></li>)}
        {missing.length > 0 && <li class="dim" title={missing.join(', ')}>{missing.slice(0, 2).join(', ')}{missing.length > 2 && ` and ${missing.length - 2} more`} {missing.length > 1 ? 'are missing companion files: drop them here' : 'is a missing companion file: drop it here'}</li>}
      </ul>
    </section>
  );
}
export const shownFile = () => shown.value?.file ?? '';
