// Keeps the picture at what is selected: one scene at a time, and only the newest wish is fulfilled.
import { effect, signal } from '@preact/signals';
import { sceneOf } from '../../core.mjs';
import { chooseKinds, loadFormats } from './formats';
import { core, files, gameOf, rearranged, selection, shown, worldOptions } from './state';
import { nameOf } from './words';
import type { Finding, OpenFile } from './types';
import { Cancelled, CoreError } from './rpc';

/** The file that is selected, as far as it is known. */
export const current = signal<OpenFile | null>(null);
/** Why there is no picture, where there should be one. */
export const pictureProblem = signal<{ of: string; text: string; finding?: Finding; retry: boolean } | null>(null);

/** What a race shows, as a layer of files that can be played. */
export const race = 'race';

let wish = '', running = false, isStale = false;
const keyOf = () => {
  const { file, part } = selection.value, { time, state, show } = worldOptions.value;
  return JSON.stringify(part ? [gameOf(file)?.path ?? file, part, time, state, show] : [file, '', 0, state, show.includes(race) ? [race] : []]);
};

// A state belongs to one map.
let place = '';
effect(() => {
  const { file, part } = selection.value, now = part ? `${gameOf(file)?.path ?? file}|${part}` : file;
  if (now === place) return;
  place = now;
  const options = worldOptions.peek();
  if (options.state) worldOptions.value = { ...options, state: '' };
});

async function build(key: string) {
  const [file, part, time, state, show] = JSON.parse(key) as [string, string, number, string, string[]];
  const old = shown.value;
  const close = () => { if (old) void core.closeScene(old.sceneId).catch(() => {}); };
  if (!file) {
    shown.value = null;
    return close();
  }
  let plays = false, format: string | null = null;
  if (!part) {
    const known = current.peek()?.path === file ? current.peek() : await core.open(file).catch(() => null);
    plays = !!known?.simulates, format = known?.format ?? '';
    if (!known || known.error || !known.scene) {
      shown.value = null;
      pictureProblem.value = null;
      return close();
    }
  }
  try {
    const options: Record<string, string> = {}, made = rearranged.peek();
    const known = part ? await core.game(file) : null;
    await loadFormats();
    if (known?.options.includes('time')) options.time = `${String(Math.floor(time / 3600)).padStart(2, '0')}:${String(Math.floor(time / 60) % 60).padStart(2, '0')}`;
    const overlays = show.filter((name) => known?.overlays.includes(name));
    if (overlays.length) options.show = overlays.join(',');
    if (state) options.state = state;
    // Sends only arrays that the shown scene does not have.
    const last = old?.sceneId ?? 0;
    const { sceneId, packed } = part ? await core.world(file, part, options, last) : await core.scene(file, plays && show.includes(race) ? { race: 'yes' } : {}, last);
    chooseKinds(part ? null : format);
    shown.value = { file, part: part || undefined, sceneId, data: sceneOf(packed, old?.data), title: part || nameOf(file), rearranged: made };
    pictureProblem.value = null;
    close();
  } catch (e) {
    shown.value = null;
    close();
    const of = part || file;
    if (e instanceof Cancelled) pictureProblem.value = { of, text: 'Stopped before the picture was complete.', retry: true };
    else pictureProblem.value = { of, text: (e as Error).message, finding: e instanceof CoreError ? e.finding : undefined, retry: false };
  }
}
async function run() {
  if (running) return;
  running = true;
  for (let done = '\0'; isStale || done !== wish;) {
    done = wish, isStale = false;
    await build(wish);
  }
  running = false;
}
export function again() {
  void run();
}

/** Reads the selected file again. */
export async function reopen(path: string) {
  const now = await core.open(path);
  files.value = files.value.map((f) => (f.path === path ? now : f));
  if (selection.value.file === path) current.value = now;
  void run();
}

/** The shown file, or its companions, changed: build it anew, also if it is just being built. */
export function rebuild() {
  isStale = true;
  void run();
}

effect(() => {
  const key = keyOf();
  if (key === wish) return;
  wish = key;
  void run();
});
effect(() => {
  const { file } = selection.value, known = files.value.find((f) => f.path === file);
  if (!file || (known && known.title)) {
    current.value = known ?? null;
    return;
  }
  void core.open(file).then((opened) => { if (selection.value.file === file) current.value = opened; }, (e) => {
    if (selection.value.file !== file) return;
    const finding = e instanceof CoreError ? e.finding : undefined;
    current.value = {
      id: 0, name: nameOf(file), path: file, size: 0, format: null, title: 'Not open', platform: '', kind: 'file', inParts: false, scene: false, beside: [], companions: [], edition: 0,
      error: finding ?? { severity: 'error', id: 'viewer.open', message: (e as Error).message },
    };
  });
});
