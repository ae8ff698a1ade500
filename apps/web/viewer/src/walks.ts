// What the viewer asks of a file that needs more than one call of the core.
import type { Leaf } from './types';
import { valueText } from './words';

const k_page = 500;

/** Where a value and the values above it stand among their neighbours: from the top down, as far as they are listed. What a format
 * always holds, as a magic number, is listed nowhere: then what it is in comes last. */
export function trailOf(file: any, path: string): { path: string; index: number }[] {
  const out: { path: string; index: number }[] = [];
  let above = '';
  while (above !== path) {
    // Elements stand where their number says, but for lists that begin elsewhere.
    const rest = path.slice(above.length), number = /^\[(\d+)\]/.exec(rest), guess = number ? Number(number[1]) : 0;
    const holds = (p: string) => p === path || (path.startsWith(p) && '.['.includes(path[p.length]));
    let found = -1, next = '';
    const look = (from: number, count: number): number => {
      const { members, total } = file.branch(above, from, count) as { members: Leaf[]; total: number };
      const i = members.findIndex((m) => m.path !== above && holds(m.path));
      if (i >= 0) [found, next] = [from + i, members[i].path];
      return total;
    };
    const total = look(guess, 1);
    for (let from = 0; found < 0 && from < total; from += k_page) look(from, k_page);
    if (found < 0) return out;
    out.push({ path: next, index: found });
    above = next;
  }
  return out;
}

/** The next bytes after (or before) an offset that no field describes. */
export function nextGap(file: any, size: number, offset: number, back: boolean): { offset: number; size: number } | null {
  let width = 1 << 12;
  for (let at = back ? offset : Math.max(0, offset + 1); back ? at > 0 : at < size; width = Math.min(width * 2, 1 << 18)) {
    const from = back ? Math.max(0, at - width) : at, end = back ? at : Math.min(size, at + width);
    const gaps = (file.spans(from, end - from).gaps as { offset: number; size: number }[]).filter((g) => (back ? g.offset < offset : g.offset > offset));
    gaps.sort((a, b) => a.offset - b.offset);
    const found = back ? gaps[gaps.length - 1] : gaps[0];
    if (found) return { offset: found.offset, size: found.size };
    at = back ? from : end;
  }
  return null;
}

const k_traced = 8 << 20;

/** Every value as its path and what it shows, for searches. Of large files (archives) without what long runs hold. */
export function textsOf(file: any, size: number): [path: string, shown: string, offset?: number, size?: number][] {
  const out: [string, string, number?, number?][] = [];
  if (size <= k_traced) {
    for (const s of file.trace().spans) {
      out.push([s.path, typeof s.value === 'object' && s.show === undefined ? '' : valueText(s), s.offset, s.size]);
      for (const b of s.bits ?? []) out.push([b.path, valueText(b), s.offset, s.size]);
    }
    return out;
  }
  const walk = (path: string) => {
    for (let from = 0; ; from += k_page) {
      const { members, total } = file.branch(path, from, k_page) as { members: Leaf[]; total: number };
      for (const m of members) {
        if (!m.count) out.push([m.path, valueText(m), m.offset, m.size]);
        else if (m.type === 'object' || m.type === 'list') walk(m.path);
      }
      if (from + k_page >= total) return;
    }
  };
  walk('');
  return out;
}
