// What the core finds wrong, file by file, asked for once.
import { signal } from '@preact/signals';
import { logOf } from '../editing';
import { CoreError } from '../rpc';
import { counted } from '../words';
import { core, frameNext, said, hovered, select, selection, turnTo } from '../state';
import type { Finding } from '../types';

const known = signal(new Map<string, Finding[]>());
const problems = signal(new Map<string, Error>());
const asked = new Map<string, string>();

export const findingsOf = (file: string): Finding[] => known.value.get(file) ?? [];
export const hasChecked = (file: string) => known.value.has(file);
export const checkProblem = (file: string) => problems.value.get(file) ?? null;
/** `together`: names what the file is read with; another one is another question. */
export function wantFindings(file: string, together: string) {
  if (!file || asked.get(file) === together) return;
  asked.set(file, together);
  core.check(file).then((findings) => { known.value = new Map(known.value).set(file, findings); }, (error) => {
    asked.delete(file);
    problems.value = new Map(problems.value).set(file, error);
  });
}

/** What was found in all files of a game, and when: after so many edits. By the path of the game. */
export const wholeGame = signal(new Map<string, { found: Finding[]; edits: number }>());
/** How far the check of a whole game is; '' while there is none. */
export const gameProgress = signal('');
const keyOf = ({ id, file, path, offset, message }: Finding) => [id, file, path, offset, message].join('\n');

/** What is said of a file that could not be checked. */
const unchecked = (e: Error): Finding[] => [e instanceof CoreError && e.finding ? e.finding : { severity: 'error', id: 'viewer.check', message: `the file could not be checked: ${e.message}` }];
/** Checks each file of a game, and what they say of each other. */
export async function checkWholeGame(root: string) {
  if (gameProgress.peek()) return;
  gameProgress.value = 'Checking…';
  try {
    const { edits, found } = { edits: logOf(root).at, found: new Map<string, Finding>() };
    for (const f of await core.checkGame(root)) found.set(keyOf(f), f);
    const paths = [...new Set((await core.game(root))?.parts.flatMap(({ path }) => path ?? []) ?? [])];
    for (const [i, file] of paths.entries()) {
      if (i % 10 === 0) gameProgress.value = `Checking ${i.toLocaleString('en')} of ${counted(paths.length, 'file')}…`;
      for (const f of await core.check(file).catch(unchecked)) found.set(keyOf({ ...f, file }), { ...f, file });
    }
    wholeGame.value = new Map(wholeGame.value).set(root, { found: [...found.values()], edits });
    said.value = `Whole game: ${counted(found.size, 'finding')}`;
  } finally {
    gameProgress.value = '';
  }
}

/** Selects what a finding is about: its value or, where it has none in the file, what is at its offset. */
export async function goToFinding(place: { path?: string; offset?: number; size?: number }, file: string) {
  let path = place.path ?? '';
  if (file === selection.peek().file && path && !(await core.place(file, path).catch(() => null))) path = '';
  if (!path && place.offset !== undefined) path = (await core.pathAt(file, place.offset).catch(() => null)) ?? '';
  frameNext.wanted = true;
  select({ file, path });
  turnTo.value = path ? 'structure' : 'bytes';
  if (place.offset !== undefined) hovered.value = { offset: place.offset, size: place.size ?? 1 };
}
