// How nodes, cameras and scenes are shown, as the core describes their kinds.
import { kindOf, platformOf } from '../formats';
import type { SceneData } from '../types';
import type { Look } from './materials';

type Node = SceneData['nodes'][number];

/** The looks to choose from, that of the console of the scene before the others. */
export function looksOf(data: SceneData | undefined): Look[] {
  return data && platformOf(data) === 'PlayStation' ? ['plain', 'psx', 'ds'] : ['plain', 'ds', 'psx'];
}
/** Whether the game hides polygons when it looks through a camera. */
export const isHidingCamera = (node: Node) => !!kindOf(node)?.hides_as_game;
/** The name of the camera at a node: that of the node, unless it is nothing but a camera. */
export function nameOfCamera({ cameras }: SceneData, { name, camera, extras }: Node): string {
  return extras?.kind === 'ignore' ? cameras[camera].name || name : name;
}

/** The text of a node's label; '' where it has none. */
export function labelOf(node: Node): string {
  const { name, extras } = node, label = kindOf(node)?.label;
  if (!name || !extras?.kind || label === false) return '';
  return (label && extras[label]) || name;
}

/** The node itself or its nearest ancestor with tiles; -1 if none has tiles. */
export function tiledAround(nodes: Node[], node: number): number {
  let at = node;
  while (at >= 0 && !kindOf(nodes[at])?.tiles) at = nodes[at].parent;
  return at;
}
/** The node with tiles of a map in one of its states (-1: it has none); -1: there is none. */
export function tiledIn(nodes: Node[], state: number): number {
  return nodes.findIndex((n, i) => kindOf(n)?.tiles && (state < 0 || n.parent === state || nodes[n.parent]?.parent === state || i === state));
}
