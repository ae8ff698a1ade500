// Help and the command palette: dialogs above the panes.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { core, files, pictureApi, select, selection, type Command } from '../state';
import { edit, refusal, save } from '../editing';
import { closing, remove } from '../opening';
import { choosePart } from '../panes/Files';
import { findingText, hintText, nameOf, valueText } from '../words';
import { IconButton, useLater } from './ui';

/** `then`: what is done once it is gone; while it is open, no pane can take the focus. */
function Dialog({ label, close, children, wide, then }: { label: string; close: () => void; children: ComponentChildren; wide?: boolean; then?: { current: (() => void) | undefined } }) {
  const box = useRef<HTMLDialogElement>(null), gone = useRef(false);
  // Before the next key: what is shown and not yet open would not be closed by Escape.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null, element = box.current!;
    element.showModal();
    return () => {
      gone.current = true;
      element.close();
      before?.focus?.();
      then?.current?.();
    };
  }, []);
  return <dialog ref={box} class={wide ? 'wide' : ''} aria-label={label} onClose={() => { if (!gone.current) close(); }} onCancel={close} onClick={(e) => { if (e.target === box.current) close(); }}>{children}</dialog>;
}

const help: [string, [string, string][]][] = [
  ['Everywhere', [['Ctrl+K', 'find commands, files and maps by name'], ['Ctrl+O', 'open files'], ['F6, Shift+F6', 'go to the next, previous pane'], ['Alt+1 … Alt+5', 'go to files, picture, structure, bytes, findings'], ['N, P', 'go to the next, previous finding'], ['Alt+Left, Alt+Right', 'go back, forward'], ['?', 'open this help']]],
  ['Files', [['Up, Down, Enter', 'move the cursor, open the file'], ['Right, Left', 'expand, collapse an archive'], ['Delete', 'close the file']]],
  ['Picture', [['Drag', 'rotate the view; with Shift, the right button or two fingers: move it'], ['Wheel', 'zoom in, out; while flying: change the speed'], ['O, V, T', 'switch to orbiting, flying, the top view'], ['W, A, S, D, E, Q', 'move forward, left, back, right, up, down; with Shift faster'], ['C, Shift+C', 'switch to the next, previous camera'], ['F, Home', 'frame the selection, everything'], ['1, 3, 7', 'view from the front, the side, the top; with Ctrl from the opposite side'], ['4, 6, 8, 2', 'rotate the view by 15 degrees'], ['9, 5', 'view from behind; switch between parallel projection and perspective'], ['+, -', 'zoom in, out'], ['Space', 'play or pause'], [', .', 'go back, forward by one frame'], ['M', 'measure between two points'], ['L, N, K', 'show or hide layers, names; choose the console look'], ['I', 'save a PNG'], ['Shift+F', 'show only the picture, or all panes again']]],
  ['Structure', [['Up, Down, Home, End', 'move the cursor'], ['Right, Left', 'expand; collapse, or go to the parent'], ['/', 'find a name, path or value'], ['Ctrl+C', 'copy the path']]],
  ['Editing', [['Double click, Enter', 'edit the value'], ['Insert', 'add an element'], ['Ctrl+D', 'duplicate the element'], ['Delete', 'delete the element'], ['Alt+Up, Alt+Down', 'move the element within its list; you can also drag rows'], ['Ctrl+C, Ctrl+V', 'copy the element and its path; paste the element, also into another file'], ['Ctrl+Z, Ctrl+Shift+Z', 'undo, redo'], ['Ctrl+S, Ctrl+Shift+S', 'save the file; download it even if the server can save it'], ['G, R, B', 'in the picture: move, rotate, scale the selection'], ['X, Y, Z, Shift', 'restrict a movement to one axis; Shift: move in steps'], ['Ctrl+Click, Ctrl+Drag', 'add an object to the selection or remove it; select all objects in a rectangle'], ['End', 'drop the selection to the ground'], ['P, U', 'paint tiles and heights; draw a path; Escape ends it'], ['Alt+Click', 'while painting: pick the value of a tile; Shift+drag moves the camera'], ['Ctrl+Arrows, PageUp, PageDown', 'move the selection by one step (one tile on maps with tiles); with Shift by ten']]],
  ['Bytes', [['Arrows', 'move by one byte, one row'], ['G', 'go to an offset'], ['[ ]', 'go to the previous, next unknown bytes']]],
  ['Borders between panes', [['Arrows, Shift', 'move the border; with Shift faster'], ['Home, End', 'move the border as far as possible']]],
];
export function Help({ close, extra = [] }: { close: () => void; extra?: [string, [string, string][]][] }) {
  return (
    <Dialog label="Help" close={close} wide>
      <header><h2>Help</h2><IconButton icon="close" label="Close" keys="Esc" onClick={close} /></header>
      <div class="help" data-test="help">
        <p>All panes share one selection. Click a row, a byte, a finding or a triangle in the picture, and all other panes show the same element. The address of the page contains the selection, so a link to the page restores it once the same file is open.</p>
        <div class="help-keys">
          {[...help, ...extra].map(([title, keys]) => <section key={title}><h3>{title}</h3><dl>{keys.map(([k, what]) => <><dt>{(k === ', .' ? [',', '.'] : k.split(', ')).map((one, i) => <>{i > 0 && ' '}<kbd>{one}</kbd></>)}</dt><dd>{what}</dd></>)}</dl></section>)}
        </div>
        <p class="dim">In Bytes, colours only separate neighbouring fields. Hatched bytes belong to no known field; underlined bytes have a finding. No data leaves your computer.</p>
      </div>
    </Dialog>
  );
}

/** An edit that was not made: why, and what else can be done. */
export function Refused() {
  const now = refusal.value!, close = () => { refusal.value = null; };
  const again = (how: { unlink?: boolean; cascade?: boolean }) => {
    close();
    void edit(now.file, now.words, how);
  };
  const isReferred = now.finding.id === 'edit.referred' && !now.isAnswered;
  return (
    <Dialog label="The edit was rejected" close={close}>
      <header><h2>{isReferred ? 'The element is still referred to' : 'The edit was rejected'}</h2><IconButton icon="close" label="Close" keys="Esc" onClick={close} /></header>
      <div class="padded" data-test="refused">
        <p>{now.finding.path && <code>{now.finding.path}: </code>}{findingText(now.finding)}</p>
        {!isReferred && hintText(now.finding) && <p class="dim">{hintText(now.finding)}.</p>}
        <p class="buttons">
          {isReferred && <button type="button" class="small" onClick={() => again({ unlink: true })} data-test="unlink">Delete it and clear these references</button>}
          {isReferred && <button type="button" class="small" onClick={() => again({ cascade: true })} data-test="cascade">Delete it and the elements that refer to it</button>}
          <button type="button" class="small" onClick={close} autofocus>{isReferred ? 'Keep the element' : 'Close'}</button>
        </p>
      </div>
    </Dialog>
  );
}

/** Before a file with edits is closed. */
export function Closing() {
  const path = closing.value, name = nameOf(path), problem = useSignal(''), keep = () => { closing.value = ''; };
  const leave = () => {
    keep();
    remove(path);
  };
  return (
    <Dialog label="Close without saving?" close={keep}>
      <header><h2>{name} has unsaved edits</h2><IconButton icon="close" label="Keep the file open" keys="Esc" onClick={keep} /></header>
      <div class="padded" data-test="closing">
        {problem.value && <p role="alert">{problem.value}</p>}
        <p class="buttons">
          <button type="button" class="small" onClick={() => void save(path).then(leave, (e) => { problem.value = e.message; })} data-test="save-and-close">Save and close</button>
          <button type="button" class="small" onClick={leave} data-test="close-unsaved">Close without saving</button>
          <button type="button" class="small" onClick={keep} autofocus>Keep the file open</button>
        </p>
      </div>
    </Dialog>
  );
}

export function Palette({ commands, close }: { commands: Command[]; close: () => void }) {
  const then = useRef<(() => void) | undefined>(undefined), text = useSignal(''), at = useSignal(0), parts = useSignal<Command[]>([]);
  useEffect(() => {
    for (const f of files.value)
      if (f.kind === 'game')
        void core.game(f.path).then((game) => {
          parts.value = [...parts.value, ...(game?.parts ?? []).map((p) => ({ title: `${p.name || p.id}`, keys: p.id, run: () => choosePart(f, p) }))];
        }, () => {});
  }, []);
  // Values of the selected file, by their names, paths and what they show.
  const { file } = selection.value, sought = text.value.trim();
  const values = useLater(file && sought.length > 1 ? `${file}\n${sought}` : null, () => core.findValues(file, sought, 12));
  const ofPicture = useMemo(() => pictureApi.current?.commands() ?? [], []);
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  // A map or file of this name comes before commands that only mention it.
  const typed = words.join(' '), rankOf = ({ title }: Command, isCommand: boolean) => {
    const own = title.toLowerCase();
    return own === typed ? 0 : own.startsWith(typed) ? 1 : own.includes(typed) && !isCommand ? 2 : 3;
  };
  const all: Command[] = [...commands, ...ofPicture, ...files.value.map((f) => ({ title: f.path, keys: f.title, run: () => select({ file: f.path, path: '', part: undefined }) })), ...parts.value];
  const matching = all.filter((c) => words.every((w) => `${c.title} ${c.keys ?? ''}`.toLowerCase().includes(w)));
  if (typed) {
    const own = new Set([...commands, ...ofPicture]), ranks = new Map(matching.map((c) => [c, rankOf(c, own.has(c))]));
    matching.sort((a, b) => ranks.get(a)! - ranks.get(b)!);
  }
  const ofFile = (values.value?.found ?? []).map((leaf): Command => ({ title: `${leaf.path} ${valueText(leaf)}`.slice(0, 100), keys: nameOf(file), run: () => select({ path: leaf.path }) }));
  const first = matching.slice(0, 48), found = [...first, ...ofFile];
  const run = (c?: Command) => {
    then.current = c?.run;
    close();
  };
  // Until the values of the typed text are found, those of an earlier text are shown: Enter waits, because they may be in other places.
  const isEntered = useRef(false), isCurrent = at.value < first.length || !values.loading;
  useEffect(() => { if (isEntered.current && isCurrent) run(found[at.value]); });
  useEffect(() => document.getElementById(`command-${at.value}`)?.scrollIntoView({ block: 'nearest' }), [at.value]);
  return (
    <Dialog label="Commands" close={close} then={then}>
      <div class="palette" data-test="palette">
        <input type="text" role="combobox" aria-expanded="true" aria-controls="commands" aria-label="Command, file, map, layer or value" aria-activedescendant={found.length ? `command-${at.value}` : undefined} placeholder="Command, file, map, layer or value" value={text.value} autofocus spellcheck={false} autocomplete="off"
          onInput={(e) => { text.value = e.currentTarget.value; at.value = 0; isEntered.current = false; }}
          onKeyDown={(e) => {
            if (e.key === 'ArrowDown') at.value = Math.min(found.length - 1, at.value + 1);
            else if (e.key === 'ArrowUp') at.value = Math.max(0, at.value - 1);
            else if (e.key === 'Enter' && isCurrent) run(found[at.value]);
            else if (e.key === 'Enter') isEntered.current = true;
            else return;
            e.preventDefault();
          }} />
        <ul id="commands" role="listbox" aria-label="Commands">
          {found.map((c, i) => <li key={`${c.title}${c.keys}${i}`} id={`command-${i}`} role="option" aria-selected={i === at.value} class={i === at.value ? 'selected' : ''} onClick={() => run(c)} onMouseMove={() => { at.value = i; }}><span>{c.title}</span>{c.keys && <span class="note">{c.keys}</span>}</li>)}
        </ul>
        {!found.length && <p class="dim padded">No command, file, map or value matches.</p>}
      </div>
    </Dialog>
  );
}
