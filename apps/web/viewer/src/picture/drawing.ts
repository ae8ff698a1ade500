// Paths are drawn point by point: each click adds a point after the one that is selected, as a copy of it at another place, so that
// it is in the same group and as wide. A checkpoint has two ends, and takes two clicks. Each point is one edit.
import { signal } from '@preact/signals';
import { Vector3 } from 'three';
import { edit, elementOf } from '../editing';
import { core, said, selection, shown } from '../state';
import type { Branch } from '../types';
import type { View } from './view';

const k_lists = /^((ENPT|ITPT|CKPT)(\.entries)?|POTI\.entries\[\d+\](\.points)?)$/;

/** The list that a path is, or leads into, if it is one of points. */
function listOf(path: string): { list: string; index?: number } | null {
  const whole = (list: string) => (list.startsWith('POTI') ? list.replace(/(\.points)?$/, '.points') : list.replace(/(\.entries)?$/, '.entries'));
  for (let at = elementOf(path); at; at = elementOf(at.list)) if (k_lists.test(at.list)) return { list: whole(at.list), index: at.index };
  return k_lists.test(path) ? { list: whole(path) } : null;
}
export const canDraw = (path: string) => !!listOf(path);
const typed = (...numbers: number[]) => numbers.map((x) => String(Math.fround(x))).join(',');

export class Drawing {
  readonly on = signal(false);
  /** The first end of a checkpoint. */
  readonly end = signal<Vector3 | null>(null);
  #queue: Promise<unknown> = Promise.resolve();

  constructor(readonly view: () => View | null) {}

  start() {
    this.on.value = true;
    this.end.value = null;
    said.value = 'Click to add points; Escape ends';
  }
  stop() {
    this.on.value = false;
    this.end.value = null;
    this.view()?.showStroke([], []);
  }
  /** Escape: first the end of a checkpoint that has no other one, then all of it. */
  back() {
    if (!this.end.value) return this.stop();
    this.end.value = null;
    this.view()?.showStroke([], []);
  }

  /** The point that is selected, where it is seen. */
  #from(): Vector3 | null {
    const now = shown.peek(), { path } = selection.peek(), v = this.view(), found = listOf(path);
    if (!now || !v?.scene3 || !found) return null;
    const at = (index: number) => now.data.nodes.findIndex((n) => n.extras?.path === `${found.list}[${index}]`);
    let node = found.index === undefined ? -1 : at(found.index);
    if (found.index === undefined) for (let i = 0, next; (next = at(i)) >= 0; ++i) node = next;
    return node < 0 ? null : new Vector3(...(v.scene3.world.subarray(16 * node + 12, 16 * node + 15) as unknown as [number, number, number]));
  }
  /** A place at the height of the point before. */
  #placeAt(x: number, y: number): Vector3 | null {
    return this.view()!.onPlane(x, y, this.#from()?.y ?? 0);
  }
  move(x: number, y: number) {
    const to = this.#placeAt(x, y), from = this.end.value ?? this.#from();
    this.view()!.showStroke([], to && from ? [from, to] : []);
  }
  click(x: number, y: number) {
    const work = () => this.#add(x, y);
    this.#queue = this.#queue.then(work, work);
  }
  async #add(x: number, y: number) {
    if (!this.on.value) return;
    const { file, path } = selection.peek(), found = listOf(path), to = this.#placeAt(x, y);
    if (!to || !found) return void (said.value = to ? 'Select a point first' : 'The pointer is above the horizon');
    const isCheck = found.list.startsWith('CKPT'), left = this.end.value;
    if (isCheck && !left) {
      this.end.value = to;
      said.value = 'Click the right end';
      return;
    }
    const fields = isCheck ? [['left', typed(left!.x, left!.z)], ['right', typed(to.x, to.z)], ['type', '-1']] : [['position', typed(to.x, to.y, to.z)]];
    this.end.value = null;
    await edit(file, async () => {
      const now = selection.peek().file === file ? listOf(selection.peek().path) : null;
      if (now?.list !== found.list) return null;
      const { list } = now, index = now.index ?? (await core.branch(file, list, 0, 0).then((b: Branch) => b.total, () => 0)) - 1;
      if (index < 0) return ['add', list, ...fields.map(([name, value]) => `${name}=${value}`)];
      return ['duplicate', `${list}[${index}]`, 'set', ...fields.map(([name, value]) => `${list}[${index + 1}].${name}=${value}`)];
    });
  }
}
