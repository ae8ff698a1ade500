// What the core finds wrong, file by file, asked for once.
import { signal } from '@preact/signals';
import { core } from '../state';
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
