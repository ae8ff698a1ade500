// Handles on the selection: the node that they hold, and the edit that is made when they let it go somewhere else.
import { signal, untracked } from '@preact/signals';
import { Ray, Vector3 } from 'three';
import { edit, isEditable } from '../editing';
import { kindOf } from '../formats';
import { elementOf } from '../paths';
import { others } from '../together';
import { core, rearranged, said, tell, selection, shown, type Shown } from '../state';
import type { Choosing } from './choosing';
import type { End, Handle, Pose } from './gizmo';
import { tiledAround } from './kinds';
import { withChildren } from './marks';
import { endOf, endsOf, isGround, isMovable } from './movable';
import type { Tools } from './tools';
import type { View } from './view';

/** Directions of the keys that move the selection. */
const directions: Record<string, number[]> = { ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 0, -1], ArrowDown: [0, 0, 1], PageUp: [0, 1, 0], PageDown: [0, -1, 0] };

/** The nodes below that of an element that cannot be moved itself, but in its parts: the points of a path. */
function partsOf({ data: { nodes }, part }: Shown, path: string): number[] {
  const group = part || elementOf(path)?.path !== path ? -1 : nodes.findIndex((n) => n.extras?.path === path);
  return group < 0 ? [] : [...withChildren(nodes, [group])].filter((i) => i !== group && isMovable(nodes[i]));
}

export class Handles {
  /** The node that they hold; -1: none. */
  readonly node = signal(-1);
  readonly handle = signal<Handle>('translate');
  /** The file that the node is in. */
  #file = '';

  constructor(readonly view: () => View | null, readonly choosing: Choosing, readonly tools: Tools) {}

  /** Holds what is selected, if it can be moved and no tool has the pointer. */
  async show() {
    const now = shown.peek(), chosen = selection.peek(), { file, path } = chosen, besides = untracked(others);
    const isStale = () => shown.peek() !== now || selection.peek() !== chosen || this.tools.isOn;
    const hold = (nodes: number[], end?: End) => {
      if (nodes.length && isStale()) return;
      this.node.value = nodes[0] ?? -1;
      this.#file = file;
      this.view()?.hold(nodes, end);
    };
    if (!now || now.rearranged !== rearranged.peek() || !this.view() || isStale() || !elementOf(path) || !isEditable(file) || (!now.part && file !== now.file)) return hold([]);
    const { nodes } = now.data, found = await Promise.all([path, ...besides].map((one) => this.#nodeOf(now, file, one)));
    const all = found[0] < 0 && !besides.length ? partsOf(now, path) : found;
    if (!all.length || all.includes(-1)) return hold([]);
    const [node] = all, own: string = nodes[node].extras.path, end = besides.length ? undefined : endsOf(nodes[node]).find((name) => path === `${own}.${name}` || path.startsWith(`${own}.${name}.`));
    // What hangs below another one goes along with it.
    const isBelow = (i: number) => all.some((other) => other !== i && withChildren(nodes, [other]).has(i));
    hold(all.filter((i) => !isBelow(i)), end ? await endOf(this.view()!, file, `${own}.${end}`, node).catch(() => undefined) : undefined);
  }
  /** The node that stands for the innermost element at a path that can be moved; -1: there is none. */
  async #nodeOf(now: Shown, file: string, path: string): Promise<number> {
    const { nodes } = now.data;
    for (let at = elementOf(path); at; at = elementOf(at.list)) {
      const wanted = at.path;
      // In a world, the core knows which nodes stand for the element of a file.
      const all = now.part ? (await core.shows(now.sceneId, file, wanted).catch(() => [])).map((s) => s.node) : nodes.map((_, i) => i);
      const node = this.#clickedOf(all.filter((n) => nodes[n].extras?.path === wanted && isMovable(nodes[n])), nodes);
      if (node >= 0) return node;
    }
    return -1;
  }
  /** A file of a world may be in several places: the one that was clicked; -1: it is in none. */
  #clickedOf(all: number[], nodes: { parent: number }[]): number {
    const clicked = new Set<number>();
    for (let i = this.choosing.touched; i >= 0; i = nodes[i]?.parent ?? -1) clicked.add(i);
    return all.find((n) => clicked.has(n)) ?? all[0] ?? -1;
  }
  letGo() {
    this.view()?.hold([]);
    this.node.value = -1;
  }
  set(to: Handle) {
    this.handle.value = to;
    const v = this.view();
    if (v) v.gizmo.handle = to;
    said.value = { translate: 'Move', rotate: 'Rotate', scale: 'Scale' }[to];
  }

  // ---- edits ----

  /** A handle was let go: the file says so from now on. `poses`: of all nodes that it holds. */
  async place(poses: Pose[], by: Handle) {
    const now = shown.peek(), v = this.view(), file = this.#file;
    if (!now || !v?.gizmo.held.length) return;
    const { held, isFar } = v.gizmo;
    const words = async () => {
      if (now.rearranged !== rearranged.peek()) return null;
      const all = await Promise.all(held.map((node, i) => this.#wordsOf(now, file, node, poses[i], by, isFar)));
      return all.some((one) => one.length) ? all.flat() : null;
    };
    if (!(await edit(file, words))) {
      v.hold([]);  // back to where it was
      v.hold(held);
    }
  }
  /** The words of the edit that places one node; none: it stays where it is. */
  async #wordsOf(now: Shown, file: string, node: number, pose: Pose, by: Handle, isFar: boolean): Promise<string[]> {
    const { cell } = kindOf(now.data.nodes[node]) ?? {};
    if (cell && by !== 'translate') {
      tell('In the picture, this element can only be moved, by whole cells; to rotate it, edit its values');
      return [];
    }
    if (cell) return this.#wordsInCells(now, file, node, pose.translation, cell);
    const what = ({ translate: 'translation', rotate: 'rotation', scale: 'scale' } as const)[by], both = what === 'translation' || !isFar ? [what] : ['translation', what] as const;
    return ['place', now.data.nodes[node].extras.path, ...both.map((one) => `${one}=${pose[one].map((x) => String(Math.fround(x))).join(',')}`)];
  }
  /** Its element counts cells: it is moved by whole ones. */
  async #wordsInCells(now: Shown, file: string, node: number, [x, , z]: number[], cell: number): Promise<string[]> {
    const { translation, extras } = now.data.nodes[node], by = new Map([['x', Math.round((x - translation[0]) / cell)], ['z', Math.round((z - translation[2]) / cell)]]);
    const { members } = await core.branch(file, extras.path, 0, 100);
    const moved = members.flatMap(({ name, value }) => (by.get(name) ? [`${extras.path}.${name}=${Number(value) + by.get(name)!}`] : []));
    return moved.length ? ['set', ...moved] : [];
  }
  /** An end of the selection was moved. */
  async moveEnd({ path, at, axes }: End) {
    const now = shown.peek(), words = [...axes].map((axis) => `${path}.${axis}=${Math.fround(at['xyz'.indexOf(axis)])}`);
    if (now && !(await edit(this.#file, async () => (now.rearranged === rearranged.peek() ? ['set', ...words] : null)))) void this.show();
  }
  /** A tile, where the selection is on tiles; else a round length, about a hundredth of what is seen. */
  #step() {
    const now = shown.peek(), node = this.node.peek();
    if (now && node >= 0) {
      const { nodes, extras } = now.data, tiled = tiledAround(nodes, node), tile = kindOf(nodes[node])?.cell ?? (tiled >= 0 ? (kindOf(nodes[tiled])!.tile_grid ?? extras?.tile_grid)?.tile : undefined);
      if (tile) return tile;
    }
    const { place, radius } = this.view()!.rig;
    return 10 ** Math.round(Math.log10(Math.max(Math.min(place.distance, radius), 1e-6) / 100));
  }
  /** Drops what is selected onto the ground: the nearest surface below it, or else the highest one above, of things that cannot be moved. */
  drop() {
    const now = shown.peek(), v = this.view();
    if (!now || !v?.scene3 || !v.gizmo.held.length || v.gizmo.endPath) return void (said.value = 'This element has no height');
    const { world } = v.scene3, { held, poses } = v.gizmo;
    /** How far the ground is above an origin; null: there is none. */
    const groundOf = (node: number) => {
      const [x, y, z] = world.subarray(16 * node + 12, 16 * node + 15);
      const from = (height: number) => v.picker!.pickAny(new Ray(new Vector3(x, height, z), new Vector3(0, -1, 0)), (p) => isGround(v.scene3!, p));
      const found = from(y + v.rig.radius * 1e-4) ?? from(y + v.rig.radius * 4);
      return found && found.place.y - y;
    };
    const far = held.map(groundOf), missing = far.filter((by) => by === null).length;
    if (missing === held.length) return void (said.value = 'There is no ground below or above the selection');
    const dropped = poses.map((pose, i) => {
      const { parent } = now.data.nodes[held[i]], [x, y, z] = pose.translation;
      return { ...pose, translation: [x, y + (far[i] ?? 0) / (parent < 0 ? 1 : Math.hypot(...world.subarray(16 * parent + 4, 16 * parent + 7))), z] };
    });
    void this.place(dropped, 'translate').then(() => { if (missing) tell(`${missing} of ${held.length} elements have no ground below or above them and were not moved`); });
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
