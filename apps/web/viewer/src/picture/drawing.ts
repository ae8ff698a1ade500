// Paths are drawn point by point: each click adds a point after the one that is selected, as a copy of it at another place, so that
// it is in the same group and as wide. A checkpoint has two ends, and takes two clicks. Each point is one edit.
import { signal } from '@preact/signals';
import { Vector3 } from 'three';
import { edit } from '../editing';
import { elementOf } from '../paths';
import { kindOf } from '../formats';
import { core, said, selection, shown } from '../state';
import type { Branch, SceneNode } from '../types';
import type { View } from './view';

/** The list that a path is, or leads into, if it is one of points of paths; and a node of the scene that shows such a point. */
function listOf(path: string): { list: string; index?: number; point: SceneNode } | null {
  const nodes = shown.peek()?.data.nodes ?? [], points = nodes.filter((n) => n.extras?.path && kindOf(n)?.point);
  for (let at = elementOf(path); at; at = elementOf(at.list)) {
    const own = at, point = points.find((n) => elementOf(n.extras.path)?.list === own.list);
    if (point) return { list: own.list, index: own.index, point };
  }
  // Or what the list is in: its section, its group.
  const point = path ? points.find((n) => n.extras.path.startsWith(`${path}[`) || n.extras.path.startsWith(`${path}.`)) : undefined, list = point && elementOf(point.extras.path)!.list;
  return list && !list.slice(path.length).includes('[') ? { list, point } : null;
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
    said.value = 'Click to add points; Escape ends the path';
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
    const ends = (found.point.extras.handles ?? []) as string[], left = this.end.value, isPair = ends.length === 2;
    if (isPair && !left) {
      this.end.value = to;
      said.value = `Click the ${ends[1]} end`;
      return;
    }
    const more = kindOf(found.point)?.added_with, fields = isPair ? [[ends[0], typed(left!.x, left!.z)], [ends[1], typed(to.x, to.z)]] : [['position', typed(to.x, to.y, to.z)]];
    if (more) fields.push(more.split('='));
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
