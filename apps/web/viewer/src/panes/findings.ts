// What the core finds wrong, file by file, asked for once.
import { signal } from '@preact/signals';
import { core, frameNext, hovered, select, selection, turnTo } from '../state';
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
