// Marks of the selection in the picture, and of other triangles that somebody asked for.
import { untracked } from '@preact/signals';
import { Ray, Vector3 } from 'three';
import { axes } from './cameras';
import { others } from '../together';
import { core, frameNext, markedImage, said, selection, shown } from '../state';
import type { Layers } from './layers';
import { movableAround } from './movable';
import type { Piece, Scene3 } from './scene3';
import type { View } from './view';

export type Elements = Parameters<View['mark']>[0];
export interface Marked {
  /** Those that a box is around. */
  nodes: Set<number>;
  elements: Elements;
}

/** Nodes and all that hang below them. */
export function withChildren(all: { parent: number }[], nodes: Iterable<number>): Set<number> {
  const out = new Set(nodes);
  all.forEach((n, i) => n.parent >= 0 && out.has(n.parent) && out.add(i));
  return out;
}
type Box = ArrayLike<number>;
const sizeOf = (box: Box) => Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
const radiusOf = (box: Box) => Math.hypot(box[3] - box[0], box[4] - box[1], box[5] - box[2]) / 2;
const grown = (box: Box, by: number): number[] => Array.from(box, (x, i) => (i < 3 ? x - by : x + by));
/** Boxes around a thing and pitches to look at it: with what stands around it and rather from above, if nothing hides it from there. */
const closeness = [1, 0.3, 0], pitches = [0.75, 0.4, 1.2];

/** The triangles, lines and points of a node that have a corner among some vertices of the file: runs, each a first one and a count. */
export function elementsOf(scene: Scene3, node: number, runs: [number, number][]): Elements {
  const out: Elements = [];
  for (const piece of scene.pieces) {
    if (piece.node !== node || !piece.primitive.sources) continue;
    const { indices, sources: from, positions, shape } = piece.primitive, step = shape === 'triangles' ? 3 : shape === 'lines' ? 2 : 1, count = indices?.length ?? positions.length / 3;
    for (let i = 0; i + step <= count; i += step)
      for (let k = 0; k < step; ++k) {
        const s = from[indices ? indices[i + k] : i + k];
        if (runs.some(([first, n]) => s >= first && s < first + n)) {
          out.push({ piece, element: i / step });
          break;
        }
      }
  }
  return out;
}

export class Marks {
  marked: Marked = { nodes: new Set(), elements: [] };
  /** A file and a path that are marked already, where they were clicked. */
  clicked = '';

  constructor(readonly view: () => View | null, readonly layers: Layers) {}

  /** Marks the selection. */
  async show() {
    const now = shown.peek(), v = this.view(), { file, path } = selection.peek();
    if (!now || !v?.scene3) return;
    const besides = untracked(others);
    if (this.clicked === `${file}|${path}` && !besides.length) return;
    this.clicked = '';
    if (!path && file === now.file) return v.mark([], []);
    const all = await Promise.all([path, ...besides].map((one) => core.shows(now.sceneId, file, one).catch(() => []))), found = all.flat();
    if (shown.peek() !== now || selection.peek().file !== file || selection.peek().path !== path) return;
    const elements: Elements = [], nodes = new Set<number>();
    for (const { node, sources } of found) {
      if (!sources) nodes.add(node);
      else for (const element of elementsOf(v.scene3, node, sources)) elements.push(element);
    }
    const within = withChildren(now.data.nodes, nodes);
    const isAll = v.scene3.pieces.every((p) => within.has(p.node));  // a box around everything says nothing
    this.#showLayersOf(v.scene3, within.size && !isAll ? within : new Set(elements.map(({ piece }) => piece.node)));
    const box = nodes.size && !isAll ? v.picker!.boxOf(within) : null;
    const boxOf = (of: typeof found) => v.picker!.boxOf(withChildren(now.data.nodes, of.filter(({ sources }) => !sources).map(({ node }) => node)));
    v.mark(elements, box ? all.map(boxOf).filter((one) => one !== null) : []);
    this.marked = { nodes: within, elements };
    if (frameNext.wanted) this.#frameUnseen(v, elements.length ? v.elementsBox(elements) : box);
    frameNext.wanted = false;
  }
  /** Where all of them are in layers that are switched off, one of these is switched on: else the selection is not seen. */
  #showLayersOf(scene: Scene3, nodes: Set<number>) {
    const layers = new Set(scene.pieces.filter((p) => nodes.has(p.node)).map((p) => p.layer));
    if (layers.size && [...layers].every((layer) => !scene.shownLayers[layer])) this.layers.setLayer([...layers][0], true);
  }
  /** Looks at a box whose middle is not in the picture, or that is only a few pixels there. */
  #frameUnseen(v: View, box: ArrayLike<number> | null) {
    const at = box && v.project(new Vector3((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2)), { width, height } = v.size;
    const isSmall = box && at && radiusOf(box) < 12 * v.rig.unitsOfPixel(at.far);
    if (box && (isSmall || !at || at.x < 0 || at.y < 0 || at.x > width || at.y > height)) this.frame();
  }
  /** A texture was chosen: marks the triangles that it is on. */
  showImage() {
    const image = markedImage.value, v = this.view(), now = shown.peek();
    if (!v?.scene3 || !now || image < 0) return;
    const { data } = now, elements: Elements = [];
    for (const piece of v.scene3.pieces)
      if (v.scene3.showsPiece(piece) && data.textures[data.materials[piece.primitive.material]?.texture]?.image === image)
        for (let element = 0; element < piece.indexCount / 3; ++element) elements.push({ piece, element });
    this.clicked = '';
    this.marked = { nodes: new Set(), elements };
    v.mark(elements, []);
    said.value = `${data.images[image].name}: used by ${elements.length} triangles`;
  }
  /** Marks the polygons that the game does not draw from here. */
  showHidden() {
    const v = this.view()!, { elements } = v.scene3!.hiddenFrom(v.seenFrom?.bit ?? 0);
    if (this.layers.asGame.value) this.layers.setAsGame(false);
    this.marked = { nodes: new Set(), elements };
    v.mark(elements, []);
  }
  clear() {
    this.clicked = '';
    this.marked = { nodes: new Set(), elements: [] };
    this.layers.clearFocus();
    this.view()!.mark([], []);
  }
  /** Looks at all that is marked; at the whole scene if that is nothing. */
  frame() {
    const v = this.view();
    if (!v?.scene3) return;
    const { nodes, elements } = this.marked, only = elements.length ? v.elementsBox(elements) : v.picker!.boxOf(nodes);
    if (only && elements.length) v.rig.fit(only);
    else if (only) this.#frameThing(v, only, nodes);
    else v.fitAll();
  }
  /** Looks at nodes in a box, from where nothing else hides their middle. */
  #frameThing(v: View, box: Box, nodes: Set<number>) {
    const { place } = v.rig, size = sizeOf(box), middle = new Vector3((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2);
    const isOwn = (p: Piece) => nodes.has(p.node), isElse = (p: Piece) => p.primitive.shape === 'triangles' && !isOwn(p) && movableAround(p.node) < 0;
    const isSeen = (by: number, pitch: number) => {
      const { ahead } = axes({ ...place, pitch }), far = (1.2 * radiusOf(grown(box, by * size))) / Math.sin(place.fov / 2);  // not nearer than the view will be
      const ray = new Ray(middle.clone().addScaledVector(ahead, -far), ahead), own = v.picker!.pick(ray, 0, 0, isOwn)?.distance ?? far, hit = v.picker!.pick(ray, 0, 0, isElse);
      return !hit || hit.distance > own;
    };
    const wanted = place.mode === 'top' ? [place.pitch] : [Math.max(place.pitch, pitches[0]), ...pitches];
    const found = closeness.flatMap((by) => wanted.map((pitch) => [by * size, pitch, by] as const)).find(([, pitch, by]) => isSeen(by, pitch));
    const [by, pitch] = found ?? [0, wanted[0]];
    v.rig.fit(grown(box, by), true, place.mode === 'top' ? {} : { pitch });
  }
}
