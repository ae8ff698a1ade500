// Elements that are selected together: the selection and others of its file. They are moved, duplicated and deleted in one edit.
import { signal } from '@preact/signals';
import { elementOf } from './paths';
import { said, select, selection } from './state';

/** Further selected elements, and the selection that they belong to: they are dropped when another one is selected. */
const together = signal<{ file: string; path: string; others: string[] }>({ file: '', path: '', others: [] });

/** The elements that are selected besides the selection. */
export function others(): string[] {
  const { file, path } = selection.value, now = together.value;
  return now.file === file && now.path === path ? now.others : [];
}
/** All elements that are selected, that of the selection first. */
export function selectedElements(): string[] {
  const own = elementOf(selection.value.path)?.path;
  return own ? [own, ...others()] : [];
}
/** Selects elements of a file; the first one is the selection. */
export function selectTogether(file: string, [path = '', ...rest]: string[], part?: string) {
  together.value = { file, path, others: rest };
  select({ file, path, part });
  if (rest.length) said.value = `${rest.length + 1} selected`;
}
/** Toggles an element in the selection. */
export function toggleTogether(file: string, path: string, part?: string) {
  const all = selection.peek().file === file ? selectedElements() : [];
  selectTogether(file, all.includes(path) ? all.filter((other) => other !== path) : [path, ...all], part);
}
/** After an edit: `follow` says where an element is now, null that it is gone. The selection itself has followed already. */
export function followTogether(before: string[], follow: (path: string) => string | null) {
  const { file, path } = selection.peek();
  const rest = before.map(follow).filter((to): to is string => to !== null && to !== elementOf(path)?.path);
  together.value = { file, path, others: rest };
}
/** The words of an edit that does the same to several elements: the last of a list first, so that the others are still where they were. */
export function wordsForEach(name: string, paths: string[]): string[] {
  const at = (path: string) => elementOf(path)!, isBelow = (path: string) => paths.some((other) => path.startsWith(`${other}.`));
  return paths.filter((path) => !isBelow(path)).sort((a, b) => at(b).index - at(a).index).flatMap((path) => [name, path]);
}
