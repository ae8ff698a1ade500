// Paths of values and elements in a file: 'entries[3].position.x'.
import type { Change } from './types';

/** The innermost element that a path is or leads into: its list and its index. */
export function elementOf(path: string): { list: string; index: number; path: string } | null {
  const found = /^(.*)\[(\d+)\](?!.*\[)/.exec(path);
  return found && { list: found[1], index: Number(found[2]), path: `${found[1]}[${found[2]}]` };
}

/** Where a path leads after changes; null: what it led to is gone. */
export function follow(path: string, changes: Change[]): string | null {
  for (const { kind, path: list, index = 0, order } of changes) {
    if (kind === 'drop' && (path === list || path.startsWith(`${list}.`))) return null;
    if ((kind !== 'insert' && kind !== 'remove' && kind !== 'order') || !path.startsWith(`${list}[`)) continue;
    const end = path.indexOf(']', list.length), at = Number(path.slice(list.length + 1, end));
    let to = at;
    if (kind === 'insert' && at >= index) to = at + 1;
    if (kind === 'remove' && at === index) return null;
    if (kind === 'remove' && at > index) to = at - 1;
    if (kind === 'order') to = order!.indexOf(at);
    path = `${list}[${to}]${path.slice(end + 1)}`;
  }
  return path;
}
/** The elements that changes added to a list. */
export function added(changes: Change[], list: string): string[] {
  return changes.flatMap((change, i) => {
    if (change.kind !== 'insert' || change.path !== list) return [];
    return follow(`${change.path}[${change.index}]`, changes.slice(i + 1)) ?? [];
  });
}
/** The path to select when an element was removed: its successor, or else its predecessor or its list. */
export function near(path: string, changes: Change[]): string {
  const gone = elementOf(path);
  if (!gone) return path.replace(/[.[][^.[]*$/, '');
  for (const index of [gone.index + 1, gone.index - 1]) {
    const to = index >= 0 ? follow(`${gone.list}[${index}]`, changes) : null;
    if (to) return to;
  }
  return gone.list;
}
