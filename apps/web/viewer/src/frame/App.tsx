// The frame: header, five panes with borders that move, dialogs, and the keyboard.
import { effect, signal, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { closing, start, takeDropped, takeFiles } from '../opening';
import { BytesPane } from '../panes/Bytes';
import { FilesPane, partName } from '../panes/Files';
import { FindingsPane } from '../panes/Findings';
import { checkWholeGame, findingsOf } from '../panes/findings';
import { StructurePane } from '../panes/Structure';
import { NoScene } from '../panes/Textures';
import { PicturePane } from '../picture/PicturePane';
import { add, destinations, download, downloadFile, duplicate, isEditable, isEdited, logOf, redo, refusal, removeElement, rootOf, save, undo } from '../editing';
import { current } from '../showing';
import { type Command, areBytesOpen, busy, files, gameOf, isPictureAlone, openBytes, pictureApi, reducedMotion, said, select, selection, shown, tell, theme, toast, turnTo } from '../state';
import { isUnknown } from '../types';
import { nameOf } from '../words';
import { Closing, Help, Palette, Refused } from './Overlays';
import { remember, remembered } from '../remembering';
import { Icon, IconButton, Splitter, copyText } from './ui';
import { Logo, Welcome } from './Welcome';

const panes = ['files', 'picture', 'structure', 'bytes', 'findings'] as const;
type Pane = (typeof panes)[number];
const titles: Record<Pane, string> = { files: 'Files', picture: 'Picture', structure: 'Structure', bytes: 'Bytes', findings: 'Findings' };

theme.value = remembered('theme', 'system');
const dark = matchMedia('(prefers-color-scheme: dark)');
const systemDark = signal(dark.matches);
dark.addEventListener('change', () => { systemDark.value = dark.matches; });
matchMedia('(prefers-reduced-motion: reduce)').addEventListener('change', (e) => { reducedMotion.value = e.matches; });
effect(() => {
  document.documentElement.dataset.theme = theme.value === 'system' ? (systemDark.value ? 'dark' : 'light') : theme.value;
  remember('theme', theme.value);
});
effect(() => { document.title = selection.value.file ? `${nameOf(selection.value.file)} — diorama` : 'diorama'; });

const phoneQuery = matchMedia('(max-width: 700px)');

interface Sizes {
  left: number;
  right: number;
  bottom: number;
  lower: number;
}
const usual = (): Sizes => ({ left: innerWidth < 1500 ? 216 : 270, right: innerWidth < 1500 ? 372 : 470, bottom: Math.round(innerHeight * 0.34), lower: Math.round(innerHeight * 0.3) });

/** The keys for the selected element, wherever the focus is; Structure has more of them. True if it was one. */
function editsByKey(e: KeyboardEvent): boolean {
  const { file, path } = selection.value, ctrl = e.ctrlKey || e.metaKey;
  if (!path || !isEditable(file) || e.altKey) return false;
  if (ctrl && e.key === 'd') duplicate(file, path);
  else if (ctrl) return false;
  else if (e.key === 'Delete') removeElement(file, path);
  else if (e.key === 'Insert') add(file, path, false);
  else return false;
  return true;
}

export function App() {
  const [sizes, setSizes] = useState<Sizes>(() => ({ ...usual(), ...remembered<Partial<Sizes>>('sizes', {}) }));
  const [phone, setPhone] = useState(phoneQuery.matches), tab = useSignal<Pane>('picture'), over = useSignal(0);
  const dialog = useSignal<'help' | 'palette' | null>(null), problem = useSignal('');
  const filePick = useRef<HTMLInputElement>(null), folderPick = useRef<HTMLInputElement>(null);
  const open = () => filePick.current?.click(), openFolder = () => folderPick.current?.click();
  const [view, setView] = useState({ width: innerWidth, height: innerHeight });

  useEffect(() => {
    const onQuery = () => setPhone(phoneQuery.matches), onResize = () => setView({ width: innerWidth, height: innerHeight });
    phoneQuery.addEventListener('change', onQuery);
    addEventListener('resize', onResize);
    const onLeave = (e: BeforeUnloadEvent) => {
      if (files.value.some((f) => isEdited(f.path))) e.preventDefault();
    };
    addEventListener('beforeunload', onLeave);
    (window as any).__ready = start().catch((e) => { problem.value = (e as Error).message; }).then(() => true);
    return () => { phoneQuery.removeEventListener('change', onQuery); removeEventListener('resize', onResize), removeEventListener('beforeunload', onLeave); };
  }, []);

  useSignalEffect(() => {
    if (!turnTo.value) return;
    tab.value = turnTo.value;
    if (turnTo.value === 'bytes') openBytes(true);
    turnTo.value = '';
  });

  const resize = (change: Partial<Sizes>) => {
    const next = { ...sizes, ...change };
    setSizes(next);
    remember('sizes', next);
  };
  // At once, so that what is typed next arrives; on phones the pane has to appear first.
  const focusOn = (pane: Pane, find: () => HTMLElement | null | undefined) => {
    const isHidden = (phone && tab.value !== pane) || (pane === 'bytes' && !areBytesOpen.value) || isPictureAlone.value;
    tab.value = pane;
    if (pane === 'bytes') openBytes(true);
    if (pane !== 'picture') isPictureAlone.value = false;
    if (isHidden) requestAnimationFrame(() => find()?.focus());
    else find()?.focus();
  };
  const focusPane = (pane: Pane) => {
    focusOn(pane, () => {
      const box = document.getElementById(`pane-${pane}`), wishes = ['.scroller[tabindex="0"]', 'canvas[tabindex="0"]', 'button.finding-main', '[tabindex="0"]', 'button, input'];
      const inner = wishes.map((w) => [...(box?.querySelectorAll<HTMLElement>(w) ?? [])].find((e) => e.getClientRects().length)).find(Boolean);
      return inner ?? box;
    });
  };
  const stepFinding = (by: number) => {
    const { file, path } = selection.value, all = findingsOf(file).filter((f) => f.path);
    if (!all.length) return;
    const at = all.findIndex((f) => f.path === path), next = all[(at + by + all.length) % all.length];
    said.value = next.message ?? next.id;
    select({ path: next.path });
  };
  const nextTheme = () => { theme.value = ({ system: 'dark', dark: 'light', light: 'system' } as const)[theme.value]; };
  const store = (how: (file: string) => Promise<unknown>) => {
    const { file } = selection.value;
    problem.value = '';
    if (file) void how(file).catch((e) => { problem.value = e.message; });
  };
  const commands: Command[] = [
    { title: 'Open files', keys: 'Ctrl+O', run: open },
    { title: 'Open a folder', run: openFolder },
    ...panes.map((p, i) => ({ title: `Go to ${titles[p].toLowerCase()}`, keys: `Alt+${i + 1}`, run: () => focusPane(p) })),
    { title: 'Next finding', keys: 'N', run: () => stepFinding(1) },
    { title: 'Previous finding', keys: 'P', run: () => stepFinding(-1) },
    { title: 'Copy a link to the selection', run: () => void copyText(location.href).then(() => tell('Link copied')) },
    { title: 'Copy the path of the value', run: () => void copyText(selection.value.path).then(() => tell('Path copied')) },
    ...(gameOf(selection.value.file) ? [{ title: 'Check the whole game', run: () => { void checkWholeGame(gameOf(selection.peek().file)!.path).then(() => tell(said.value), (e) => tell(e.message)); } }] : []),
    { title: 'Undo', keys: 'Ctrl+Z', run: () => void undo(selection.value.file) },
    { title: 'Redo', keys: 'Ctrl+Shift+Z', run: () => void redo(selection.value.file) },
    { title: `Save ${nameOf(rootOf(selection.value.file))}`, keys: 'Ctrl+S', run: () => store(save) },
    ...(destinations.size ? [{ title: `Download ${nameOf(rootOf(selection.value.file))}`, keys: 'Ctrl+Shift+S', run: () => store(download) }] : []),
    { title: 'Download only the selected file', run: () => store(downloadFile) },
    { title: 'Theme: dark', run: () => { theme.value = 'dark'; } },
    { title: 'Theme: light', run: () => { theme.value = 'light'; } },
    { title: 'Theme: same as the system', run: () => { theme.value = 'system'; } },
    { title: 'Reset the pane sizes', run: () => resize(usual()) },
    { title: 'Show only the picture', keys: 'Shift+F', run: () => { isPictureAlone.value = !isPictureAlone.value; } },
    { title: areBytesOpen.value ? 'Hide the bytes' : 'Show the bytes', run: () => openBytes(!areBytesOpen.value) },
    { title: 'Help', keys: '?', run: () => { dialog.value = 'help'; } },
  ];

  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      const typing = /^(INPUT|TEXTAREA|SELECT)$/.test((e.target as Element).tagName), ctrl = e.ctrlKey || e.metaKey;
      if (ctrl && e.key.toLowerCase() === 'k') dialog.value = dialog.value === 'palette' ? null : 'palette';
      else if (ctrl && e.key.toLowerCase() === 'o') open();
      else if (dialog.value || refusal.value || closing.value) return;
      else if (ctrl && !typing && e.key.toLowerCase() === 'z') void (e.shiftKey ? redo : undo)(selection.value.file);
      else if (ctrl && !typing && e.key.toLowerCase() === 'y') void redo(selection.value.file);
      else if (ctrl && e.key.toLowerCase() === 's') store(e.shiftKey ? download : save);
      else if (!typing && !(e.target as Element).closest('#pane-files, #pane-structure') && editsByKey(e)) return e.preventDefault();
      else if (e.key === 'F6') {
        const now = panes.findIndex((p) => document.getElementById(`pane-${p}`)?.contains(document.activeElement));
        focusPane(panes[(now + (e.shiftKey ? -1 : 1) + panes.length) % panes.length]);
      } else if (e.altKey && /^[1-5]$/.test(e.key)) focusPane(panes[Number(e.key) - 1]);
      else if (typing || ctrl || e.altKey) return;
      else if (e.key === '?') dialog.value = 'help';
      else if (e.key === 'F') isPictureAlone.value = !isPictureAlone.value;
      else if ('fltok'.includes(e.key) && pictureApi.current && !(e.target as Element).closest('#pane-picture')) pictureApi.current.press(e);
      else if (e.key === '/') focusOn('structure', () => document.querySelector<HTMLElement>('[data-test="find-value"]'));
      else if (e.key === 'g' && !(e.target as Element).closest('#pane-picture')) focusOn('bytes', () => document.querySelector<HTMLElement>('[data-test="goto"]'));
      else if (e.key === 'n' && !(e.target as Element).closest('#pane-picture')) stepFinding(1);
      else if (e.key === 'p' && !(e.target as Element).closest('#pane-picture')) stepFinding(-1);
      else return;
      e.preventDefault();
    };
    const hasFiles = (e: DragEvent) => !!e.dataTransfer?.types.includes('Files');
    const enter = (e: DragEvent) => { if (hasFiles(e)) { over.value++; e.preventDefault(); } };
    const leave = (e: DragEvent) => { if (hasFiles(e)) over.value = Math.max(0, over.value - 1); };
    const drag = (e: DragEvent) => { if (hasFiles(e)) { e.preventDefault(); e.dataTransfer!.dropEffect = 'copy'; } };
    const drop = (e: DragEvent) => {
      if (!e.dataTransfer) return;
      e.preventDefault();
      over.value = 0;
      problem.value = '';
      void takeDropped(e.dataTransfer).then((failed) => {
        if (failed.length) problem.value = `The browser does not let this page read the dropped folder "${failed[0]}". Use "Open a folder" instead.`;
      }, (error) => { problem.value = error.message; });
    };
    addEventListener('keydown', onKey);
    addEventListener('dragenter', enter);
    addEventListener('dragleave', leave);
    addEventListener('dragover', drag);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('dragenter', enter);
      removeEventListener('dragleave', leave);
      removeEventListener('dragover', drag);
      removeEventListener('drop', drop);
    };
  });

  const picked = (input: HTMLInputElement) => {
    problem.value = '';
    const chosen = [...(input.files ?? [])];
    input.value = '';
    void takeFiles(chosen).catch((e) => { problem.value = e.message; });
  };
  const any = files.value.length > 0, { left, right, bottom, lower } = sizes;
  // What is remembered may be from a larger window.
  const l = Math.min(left, view.width * 0.4), r = Math.min(right, view.width * 0.5), b = Math.min(bottom, view.height * 0.75), w = Math.min(lower, view.height * 0.75);
  const pane = (id: Pane, children: ComponentChildren) => <PaneBox key={id} id={id} hidden={phone && tab.value !== id} phone={phone}>{children}</PaneBox>;
  return (
    <div class={`app${phone ? ' phone' : ''}${any ? '' : ' first'}`} data-test="app">
      <Header open={open} nextTheme={nextTheme} help={() => { dialog.value = 'help'; }} save={() => store(save)} palette={() => { dialog.value = 'palette'; }} phone={phone} any={any} />
      {problem.value && <div class="notice error" role="alert"><Icon name="error" /><span>{problem.value}</span><IconButton icon="close" label="Dismiss" onClick={() => { problem.value = ''; }} /></div>}
      {!any ? <main><Welcome open={open} openFolder={openFolder} /></main> : (
        <main class={`grid${isPictureAlone.value && !phone ? ' alone' : ''}${areBytesOpen.value || phone ? '' : ' no-bytes'}`} style={phone || isPictureAlone.value ? undefined : { gridTemplateColumns: `${l}px 5px minmax(0, 1fr) 5px ${r}px`, '--bottom': `${b}px`, '--lower': `${w}px` } as any}>
          {pane('files', <FilesPane open={open} openFolder={openFolder} />)}
          {!phone && <Splitter area="s1" vertical label="Width of the Files pane" value={l} min={140} max={view.width * 0.4} onChange={(v) => resize({ left: v })} />}
          <div class="column middle" style={{ display: phone && tab.value !== 'picture' && tab.value !== 'bytes' ? 'none' : undefined }}>
            {pane('picture', <Pictures />)}
            {!phone && areBytesOpen.value && <Splitter area="s3" label="Height of the Bytes pane" value={b} min={90} max={view.height * 0.75} reverse onChange={(v) => resize({ bottom: v })} />}
            {phone || areBytesOpen.value ? pane('bytes', <BytesPane />) : <button type="button" class="bytes-bar" aria-expanded={false} onClick={() => openBytes(true)} data-test="open-bytes"><Icon name="right" size={10} /> Bytes</button>}
          </div>
          {!phone && <Splitter area="s2" vertical label="Width of the Structure pane" value={r} min={240} max={view.width * 0.5} reverse onChange={(v) => resize({ right: v })} />}
          <div class="column right" style={{ display: phone && tab.value !== 'structure' && tab.value !== 'findings' ? 'none' : undefined }}>
            {pane('structure', <StructurePane />)}
            {!phone && <Splitter area="s3" label="Height of the Findings pane" value={w} min={90} max={view.height * 0.75} reverse onChange={(v) => resize({ lower: v })} />}
            {pane('findings', <FindingsPane />)}
          </div>
        </main>
      )}
      {phone && any && (
        <nav class="phone-tabs" role="tablist" aria-label="Panes">
          {panes.map((p) => <button type="button" role="tab" key={p} aria-selected={tab.value === p} aria-controls={`pane-${p}`} onClick={() => { tab.value = p; }} data-test={`tab-${p}`}>{titles[p]}{p === 'findings' && findingsOf(selection.value.file).length > 0 && <span class="badge">{findingsOf(selection.value.file).length}</span>}</button>)}
        </nav>
      )}
      {busy.value && (
        <div class="busy" role="status" data-test="busy">
          <span class="spinner" /> <span>{busy.value.text}{busy.value.of ? ` ${busy.value.done} of ${busy.value.of}` : '…'}</span>
          {busy.value.of && <progress aria-label={busy.value.text} value={busy.value.done} max={busy.value.of} />}
          {busy.value.cancel && <button type="button" class="small" onClick={busy.value.cancel}>Cancel</button>}
        </div>
      )}
      {toast.value && !busy.value && <div class="busy toast" aria-hidden="true">{toast.value}</div>}
      {over.value > 0 && <div class="drop-over" aria-hidden="true"><div><Icon name="open" size={48} /><strong>Drop to open</strong></div></div>}
      {dialog.value === 'help' && <Help close={() => { dialog.value = null; }} />}
      {refusal.value && <Refused />}
      {closing.value && <Closing />}
      {dialog.value === 'palette' && <Palette commands={commands} close={() => { dialog.value = null; }} />}
      <input ref={filePick} type="file" multiple hidden aria-label="Files to open" data-test="file-input" onChange={(e) => picked(e.currentTarget)} />
      <input ref={folderPick} type="file" hidden {...({ webkitdirectory: true } as any)} aria-label="Folder to open" data-test="folder-input" onChange={(e) => picked(e.currentTarget)} />
      <Said />
    </div>
  );
}

/** What people hear who do not see the page. By itself, as it changes with each click: the frame need not be drawn again for it. */
const Said = () => <div class="hidden" role="status" aria-live="polite">{said.value}</div>;

/** The picture, or why there is none. Once it was there it stays, out of sight: a canvas and its shaders take long to make. */
function Pictures() {
  const isKept = useRef(false);
  isKept.current ||= !!shown.value;
  return <>{isKept.current && <div class="picture-box" hidden={!shown.value}><PicturePane /></div>}{!shown.value && <NoScene />}</>;
}

/** A pane that breaks says so, and leaves the others alone. */
function PaneBox({ id, hidden, phone, children }: { id: Pane; hidden: boolean; phone: boolean; children: ComponentChildren }) {
  const [error, reset] = useErrorBoundary();
  return (
    <section id={`pane-${id}`} class={`pane pane-${id}`} role={phone ? 'tabpanel' : 'region'} aria-label={titles[id]} style={hidden ? { display: 'none' } : undefined} tabIndex={-1} data-test={`pane-${id}`}>
      {error ? <div class="problem"><Icon name="error" /><span>This pane failed: {String((error as Error).message ?? error)}</span><button type="button" class="small" onClick={reset}>Reload the pane</button></div> : children}
    </section>
  );
}

function Header({ open, save, nextTheme, help, palette, phone, any }: { open: () => void; save: () => void; nextTheme: () => void; help: () => void; palette: () => void; phone: boolean; any: boolean }) {
  const { file, part } = selection.value, known = current.value;
  const root = rootOf(file), log = logOf(file);
  const inner = (file === root ? '' : file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file).split('/').filter(Boolean);
  return (
    <header class="top">
      <span class="brand"><Logo />{(!phone || !any) && <span>diorama</span>}</span>
      {any && (
        <h1 class="title" data-test="title">
          {phone ? (part && partName(file, part)) || nameOf(file) : <>
            <button type="button" class="crumb" onClick={() => select({ file: root, path: '' })}>{nameOf(root)}</button>
            {inner.map((step, i) => {
              const to = inner.slice(0, i + 1).join('/');
              return <span key={to}><span class="slash">/</span>{i + 1 < inner.length ? <span class="crumb-text">{step}</span> : <strong>{step}</strong>}</span>;
            })}
          </>}
          {known?.path === file && known.title && <span class={`format${known.error && !isUnknown(known) ? ' error' : ''}`}>{known.title}</span>}
          {isEdited(root) && <span class="format edited" data-test="edited">edited</span>}
          {part && <span class="format part">{partName(file, part) ?? part}</span>}
        </h1>
      )}
      <span class="grow" />
      {any && (log.made.length > 0 || isEdited(root)) && <>
        <IconButton icon="undo" label={log.at ? `Undo: ${log.made[log.at - 1].done}` : 'Nothing to undo'} keys="Ctrl+Z" disabled={!log.at} onClick={() => void undo(file)} test="undo" />
        <IconButton icon="redo" label={log.at < log.made.length ? `Redo: ${log.made[log.at].done}` : 'Nothing to redo'} keys="Ctrl+Shift+Z" disabled={log.at === log.made.length} onClick={() => void redo(file)} test="redo" />
        <IconButton icon="save" label={`Save ${nameOf(root)}`} keys="Ctrl+S" onClick={save} test="save-edited" />
      </>}
      {any && <IconButton icon="open" label="Open files" keys="Ctrl+O" onClick={open} />}
      {!phone && <IconButton icon="command" label="Commands" keys="Ctrl+K" onClick={palette} />}
      <IconButton icon={{ system: 'auto', dark: 'moon', light: 'sun' }[theme.value]} label={`Theme: ${theme.value === 'system' ? 'same as the system' : theme.value}`} onClick={nextTheme} test="theme" />
      <IconButton icon="help" label="Help" keys="?" onClick={help} test="help-button" />
    </header>
  );
}
