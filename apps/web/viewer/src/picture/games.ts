// Games whose parts were shown: their overlays and options, and the states of parts. Asked for once.
import { signal } from '@preact/signals';
import { core, shown, type Shown } from '../state';

interface Game {
  /** Names of overlays, and of options. */
  overlays: string[];
  options: string[];
}
/** By the path of the game. */
const games = signal(new Map<string, Game>());
/** The names of the states of parts of games, the usual one first. By game and part. */
const states = signal(new Map<string, string[]>());
const keyOf = ({ file, part }: Shown) => `${file}|${part}`;

/** The game that a part is shown of, as soon as it is known. */
export const gameOf = (now: Shown | null) => (now?.part ? games.value.get(now.file) : undefined);
/** The states that the shown part of a game has. */
export const statesOf = (now: Shown | null): string[] => (now?.part && states.value.get(keyOf(now))) || [];

/** Asks for the game of the shown part. */
export function askGame() {
  const now = shown.value;
  if (!now?.part || games.value.has(now.file)) return;
  core.game(now.file).then((g) => (games.value = new Map(games.peek()).set(now.file, { overlays: g?.overlays ?? [], options: g?.options ?? [] })), () => {});
}
/** Asks for the states of the shown part. */
export function askStates() {
  const now = shown.value;
  if (!now?.part || !gameOf(now)?.options.includes('state') || states.value.has(keyOf(now))) return;
  const key = keyOf(now);
  core.describe(now.file, now.part).then((d) => (states.value = new Map(states.peek()).set(key, (d?.states ?? []).map((x: { state: string }) => x.state))), () => {});
}
