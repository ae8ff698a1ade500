// What all panes share: the files, the one selection, what the picture shows, and the door to the core.
import { batch, computed, effect, signal, type Signal } from '@preact/signals';
import { remember, remembered } from './remembering';
import { core } from './core';
import type { OpenFile, SceneData } from './types';

export { core };
export type { OpenFile, SceneData };

/** `file`: the path of an opened file, possibly inside archives. `path`: of a value in it, '' for the whole file. `part`: the
 * part of a game that the picture shows ('map/411'). */
export interface Selection {
  file: string;
  path: string;
  part?: string;
}
export interface Shown {
  file: string;
  part?: string;
  sceneId: number;
  data: SceneData;
  title: string;
  /** How many edits had rearranged elements when it was built. */
  rearranged: number;
}
export interface Busy {
  text: string;
  done?: number;
  of?: number;
  cancel?: () => void;
}

/** How many edits have changed which element is which: what was built before the last of them names elements wrongly. */
export const rearranged = signal(0);
/** What was dropped. */
export const files: Signal<OpenFile[]> = signal([]);
export const selection: Signal<Selection> = signal({ file: '', path: '' });
/** What the picture shows; null while nothing has a picture. */
export const shown: Signal<Shown | null> = signal(null);
/** Changing it makes the core build the scene again. `time`: seconds of the day. */
export const worldOptions: Signal<{ time: number; state: string; show: string[] }> = signal({ time: 12 * 3600, state: '', show: [] });
/** Set while something takes longer than half a second. */
export const busy: Signal<Busy | null> = signal(null);
export const theme: Signal<'dark' | 'light' | 'system'> = signal('system');
export const reducedMotion: Signal<boolean> = signal(matchMedia('(prefers-reduced-motion: reduce)').matches);
/** A picture of the scene that is shown (a number in `images`), whose triangles are marked; -1: none. */
export const markedImage: Signal<number> = signal(-1);
/** Bytes under the pointer, of the selected file: all panes mark them faintly. */
export const hovered: Signal<{ offset: number; size: number } | null> = signal(null);
/** Whether Bytes are shown: as somebody wants it, else where there is no picture. */
export const bytesWanted: Signal<boolean | null> = signal(remembered<boolean | null>('bytes', null));
export const areBytesOpen = computed(() => bytesWanted.value ?? !shown.value);
export const openBytes = (open: boolean) => remember('bytes', (bytesWanted.value = open));
/** Whether the picture has the window for itself. */
export const isPictureAlone: Signal<boolean> = signal(false);
/** On phones, where one pane is seen at a time: the one that has to be seen next. */
export const turnTo: Signal<'' | 'structure' | 'bytes'> = signal('');
/** The last sentence for people who hear the page instead of seeing it. */
export const said: Signal<string> = signal('');
/** The same for all: a line that is seen for two seconds, once nothing is in its place (`busy`). */
export const toast: Signal<string> = signal('');
let toasted = 0, drawn = 0;
effect(() => {
  clearTimeout(toasted);
  cancelAnimationFrame(drawn);
  if (!toast.value || busy.value) return;
  // From when it was drawn: where a frame takes seconds, it would be gone before anybody saw it.
  drawn = requestAnimationFrame(() => {
    drawn = requestAnimationFrame(() => { toasted = setTimeout(() => { toast.value = ''; }, 2200) as unknown as number; });
  });
});
export function tell(text: string) {
  toast.value = '';  // the same line once more is seen as long as another one
  said.value = toast.value = text;
}

/** The bytes of a value, where they are known before it is selected: marking them then needs no answer of the core. */
export interface Marked {
  file: string;
  path: string;
  offset: number;
  size: number;
}
export const lastPlace: Signal<Marked | null> = signal(null);
/** What is going to be selected in a moment: its bytes are marked already, before all the other panes follow. */
export const coming: Signal<Marked | null> = signal(null);
/** Selects a value of which the bytes are known. */
export function selectPlace(place: Marked, part?: string) {
  const follow = () => batch(() => {
    coming.value = null;
    lastPlace.value = place;
    select({ file: place.file, path: place.path, part });
  });
  if (place.file !== selection.peek().file) return follow();
  coming.value = place;
  setTimeout(follow);
}

/** The game that a file belongs to, or is. */
export function gameOf(file: string): OpenFile | undefined {
  return files.value.find((f) => f.kind === 'game' && (file === f.path || file.startsWith(`${f.path}/`) || f.members?.includes(file)));
}

/** Changes the selection. `part` stays unless it is given; another file starts at its top. 'push' makes a step in the history. */
export function select(change: Partial<Selection>, how: 'push' | 'replace' = 'push') {
  const now = selection.value;
  const next: Selection = { file: change.file ?? now.file, path: change.path ?? (change.file === undefined || change.file === now.file ? now.path : '') };
  const part = 'part' in change ? change.part : now.part;
  if (part) next.part = part;
  if (next.file === now.file && next.path === now.path && next.part === now.part) return;
  selection.value = next;
  writeAddress(next, how);
}

// ---- the address: '#file=...&path=...&part=...' ----

export function addressOf({ file, path, part }: Selection): string {
  const words = [['file', file], ['path', path], ['part', part ?? '']].filter(([, value]) => value);
  return '#' + words.map(([name, value]) => `${name}=${encodeURIComponent(value).replace(/%2F/gi, '/')}`).join('&');
}
export function selectionOf(address: string): Selection {
  const words = new Map(address.replace(/^#/, '').split('&').map((word) => {
    const at = word.indexOf('=');
    try {
      return [word.slice(0, at), decodeURIComponent(word.slice(at + 1))] as const;
    } catch {
      return ['', ''] as const;
    }
  }));
  const out: Selection = { file: words.get('file') ?? '', path: words.get('path') ?? '' };
  if (words.get('part')) out.part = words.get('part');
  return out;
}

// Browsers refuse more than some 200 changes of the address in half a minute: of many that follow each other closely, the last is
// written.
const pushed: number[] = [];
let waiting = 0;
function writeAddress(now: Selection, how: 'push' | 'replace') {
  clearTimeout(waiting);
  const write = (step: boolean) => {
    try {
      // The picture keeps in it where it is seen from.
      const address = addressOf(now) + (/&view=[^&]*/.exec(location.hash)?.[0] ?? '');
      if (step) history.pushState(null, '', address);
      else history.replaceState(null, '', address);
    } catch {
      // A page without an address of its own has no links.
    }
  };
  const time = performance.now();
  while (pushed.length && pushed[0] < time - 4000) pushed.shift();
  if (how === 'push' && pushed.length < 20) {
    pushed.push(time);
    write(true);
  } else waiting = setTimeout(() => write(false), 150) as unknown as number;
}
addEventListener('popstate', () => {
  clearTimeout(waiting);
  selection.value = selectionOf(location.hash);
});

/** Whether the picture looks at the next selection, if it does not see it. */
export const frameNext = { wanted: false };
export interface Command {
  title: string;
  keys?: string;
  run: () => void;
}
/** The interface of the picture for the rest of the page; null while there is no picture. */
export interface PictureApi {
  /** A key that is pressed elsewhere. */
  press: (e: KeyboardEvent) => void;
  /** What it adds to the commands. */
  commands: () => Command[];
  /** The place of the scene in the middle of the picture. */
  middle: () => number[] | null;
}
export const pictureApi: { current: PictureApi | null } = { current: null };
