// Nodes of the scene that can be moved, and their ends: parts of a node that have a place of their own.
import { formats, kindOf } from '../formats';
import { current } from '../showing';
import { core, shown } from '../state';
import type { SceneData } from '../types';
import type { End } from './gizmo';
import type { Scene3 } from './scene3';
import type { View } from './view';

type Node = SceneData['nodes'][number];

/** Whether a node can be moved; in a scene of one file, only nodes of kinds of its format can. */
export function isMovable(node: Node): boolean {
  const { extras } = node, now = shown.peek();
  if (!extras?.path || !formats.value) return false;
  if (kindOf(node)?.cell) return true;
  const own = formats.value.get(current.peek()?.format ?? ''), all = now?.part || !own?.placed ? [...formats.value.values()] : [own];
  return all.some(({ placed }) => placed?.includes(extras.kind));
}
/** The node around one that can be moved; -1: there is none. */
export function movableAround(node: number): number {
  const { nodes } = shown.peek()!.data;
  for (let i = node; i >= 0 && i < nodes.length; i = nodes[i].parent) if (isMovable(nodes[i])) return i;
  return -1;
}

/** Whether a node is part of what things stand on: the world itself or a file of the scene, no marker of the editor. */
export function isGround(scene: Scene3, { node, layer }: { node: number; layer: number }): boolean {
  const { nodes } = shown.peek()!.data, isOfFile = (i: number): boolean => i >= 0 && (!!nodes[i].extras?.file || isOfFile(nodes[i].parent));
  return movableAround(node) < 0 && (scene.layering.layers[layer].base || (!shown.peek()!.part && isOfFile(node)));
}

/** The names of the ends of a node. */
export const endsOf = ({ extras }: Node) => (extras.handles ?? []) as string[];
/** Where an end is: its own coordinates, the others as those of the node. */
export async function endOf(view: View, file: string, path: string, node: number): Promise<End> {
  const { members } = await core.branch(file, path, 0, 3), [x0, y0, z0, x1, y1, z1] = view.picker!.boxOf(new Set([node])) ?? [0, 0, 0, 0, 0, 0];
  const at = [(x0 + x1) / 2, y0 + (y1 - y0) * 0.2, (z0 + z1) / 2], axes = members.map((m) => m.name).filter((name) => 'xyz'.includes(name));
  for (const { name, value } of members) if (axes.includes(name)) at['xyz'.indexOf(name)] = Number(value);
  return { path, at, axes: axes.join('') };
}
