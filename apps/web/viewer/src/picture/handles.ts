// Handles on the selection: the node that they hold, and the edit that is made when they let it go somewhere else.
import { signal } from '@preact/signals';
import { Ray, Vector3 } from 'three';
import { edit, elementOf, isEditable } from '../editing';
import { kindOf } from '../formats';
import { core, rearranged, said, selection, shown, type Shown } from '../state';
import type { Choosing } from './choosing';
import type { End, Handle, Pose } from './gizmo';
import { tiledAround } from './kinds';
import { endOf, endsOf, isMovable, movableAround } from './movable';
import type { Piece } from './scene3';
import type { Tools } from './tools';
import type { View } from './view';

/** Directions of the keys that move the selection. */
const directions: Record<string, number[]> = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 0, -1], ArrowDown: [0, 0, 1], PageUp: [0, 1, 0], PageDown: [0, -1, 0] };

export class Handles {
  /** The node that they hold; -1: none. */
  readonly node = signal(-1);
  readonly handle = signal<Handle>('translate');
  /** The file that the node is in. */
  #file = '';

  constructor(readonly view: () => View | null, readonly choosing: Choosing, readonly tools: Tools) {}

  /** Holds the selection, if it can be moved and no tool has the pointer. */
  async show() {
    const now = shown.peek(), chosen = selection.peek(), { file, path } = chosen, wanted: string[] = [];
    const isStale = () => shown.peek() !== now || selection.peek() !== chosen || this.tools.isOn;
    const hold = (node: number, end?: End) => {
      if (node >= 0 && isStale()) return;
      this.node.value = node;
      this.#file = file;
      this.view()?.hold(node, end);
    };
    for (let at = elementOf(path); at; at = elementOf(at.list)) wanted.push(at.path);
    if (!now || now.rearranged !== rearranged.peek() || !this.view() || isStale() || !wanted.length || !isEditable(file) || (!now.part && file !== now.file)) return hold(-1);
    const { nodes } = now.data;
    let node = -1;
    for (const at of wanted) {
      // In a world, the core knows which nodes stand for the element of a file.
      const all = now.part ? (await core.shows(now.sceneId, file, at).catch(() => [])).map((s) => s.node) : nodes.map((_, i) => i);
      node = this.#clickedOf(all.filter((n) => nodes[n].extras?.path === at && isMovable(nodes[n])), nodes);
      if (node >= 0) break;
    }
    if (node < 0) return hold(-1);
    const own: string = nodes[node].extras.path, end = endsOf(nodes[node]).find((name) => path === `${own}.${name}` || path.startsWith(`${own}.${name}.`));
    hold(node, end ? await endOf(this.view()!, file, `${own}.${end}`, node).catch(() => undefined) : undefined);
  }
  /** A file of a world may be in several places: the one that was clicked; -1: it is in none. */
  #clickedOf(all: number[], nodes: { parent: number }[]): number {
    const clicked = new Set<number>();
    for (let i = this.choosing.touched; i >= 0; i = nodes[i]?.parent ?? -1) clicked.add(i);
    return all.find((n) => clicked.has(n)) ?? all[0] ?? -1;
  }
  letGo() {
    this.view()?.hold(-1);
    this.node.value = -1;
  }
  set(to: Handle) {
    this.handle.value = to;
    const v = this.view();
    if (v) v.gizmo.handle = to;
    said.value = { translate: 'Move', rotate: 'Turn', scale: 'Scale' }[to];
  }

  // ---- edits ----

  /** A handle was let go: the file says so from now on. */
  async place(pose: Pose, by: Handle) {
    const now = shown.peek(), v = this.view(), node = v?.gizmo.node ?? -1;
    if (!now || node < 0) return;
    const { cell } = kindOf(now.data.nodes[node]) ?? {};
    if (cell) return this.#placeInCell(now, node, pose.translation, cell);
    const what = ({ translate: 'translation', rotate: 'rotation', scale: 'scale' } as const)[by], both = what === 'translation' || !v!.gizmo.isFar ? [what] : ['translation', what] as const;
    const words = both.map((one) => `${one}=${pose[one].map((x) => String(Math.fround(x))).join(',')}`);
    if (!(await edit(this.#file, async () => (now.rearranged === rearranged.peek() ? ['place', now.data.nodes[node].extras.path, ...words] : null)))) {
      v!.hold(-1);  // back to where it was
      v!.hold(node);
    }
  }
  /** Its element counts cells: it is moved by whole ones. */
  async #placeInCell(now: Shown, node: number, [x, , z]: number[], cell: number) {
    const { translation, extras } = now.data.nodes[node], by = new Map([['x', Math.round((x - translation[0]) / cell)], ['z', Math.round((z - translation[2]) / cell)]]), file = this.#file;
    const words = async () => {
      if (now.rearranged !== rearranged.peek()) return null;
      const { members } = await core.branch(file, extras.path, 0, 100);
      const moved = members.flatMap(({ name, value }) => (by.get(name) ? [`${extras.path}.${name}=${Number(value) + by.get(name)!}`] : []));
      return moved.length ? ['set', ...moved] : null;
    };
    if (!(await edit(file, words))) {
      this.view()!.hold(-1);  // back to where it was
      this.view()!.hold(node);
    }
  }
  /** An end of the selection was moved. */
  async moveEnd({ path, at, axes }: End) {
    const now = shown.peek(), words = [...axes].map((axis) => `${path}.${axis}=${Math.fround(at['xyz'.indexOf(axis)])}`);
    if (now && !(await edit(this.#file, async () => (now.rearranged === rearranged.peek() ? ['set', ...words] : null)))) void this.show();
  }
  /** A tile, where the selection is on tiles; else a round length that is easy to see. */
  #step() {
    const now = shown.peek(), node = this.node.peek();
    if (now && node >= 0) {
      const { nodes, extras } = now.data, tiled = tiledAround(nodes, node), tile = kindOf(nodes[node])?.cell ?? (tiled >= 0 ? (kindOf(nodes[tiled])!.tile_grid ?? extras?.tile_grid)?.tile : undefined);
      if (tile) return tile;
    }
    return 10 ** Math.round(Math.log10(Math.max(this.view()?.rig.radius ?? 1, 1e-6) / 100));
  }
  /** Drops the selection onto the ground: the nearest surface below it, or else the highest one above, of things that cannot be moved. */
  drop() {
    const now = shown.peek(), v = this.view(), node = this.node.peek();
    if (!now || !v?.scene3 || node < 0 || v.gizmo.endPath) return void (said.value = 'It has no height');
    const { world } = v.scene3, { parent } = now.data.nodes[node], [x, y, z] = world.subarray(16 * node + 12, 16 * node + 15);
    const isGround = (p: Piece) => p.primitive.shape === 'triangles' && movableAround(p.node) < 0;
    const from = (height: number) => v.picker!.pick(new Ray(new Vector3(x, height, z), new Vector3(0, -1, 0)), 0, 0, isGround);
    const found = from(y + v.rig.radius * 1e-4) ?? from(y + v.rig.radius * 4);
    if (!found) return void (said.value = 'There is no ground below or above it');
    this.set('translate');
    v.gizmo.nudge(0, (found.place.y - y) / (parent < 0 ? 1 : Math.hypot(...world.subarray(16 * parent + 4, 16 * parent + 7))), 0);
  }
  /** Whether the handles move in steps. */
  snap(on: boolean) {
    this.view()!.gizmo.snap = on ? this.#step() : null;
  }
  /** Moves the selection a step, or `times` as far, the way that a key says; false if it says none. */
  nudge(key: string, times: number): boolean {
    const way = directions[key], step = this.#step() * times;
    if (!way) return false;
    this.set('translate');
    this.view()!.gizmo.nudge(way[0] * step, way[1] * step, way[2] * step);
    return true;
  }
}
