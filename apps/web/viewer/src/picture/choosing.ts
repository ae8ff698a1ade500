// A click in the picture selects: first the nearest thing that can be moved, then a value of the file below the pointer.
import { core, files, said, select, selectPlace, selection, shown, type Shown } from '../state';
import type { SourcePlace } from '../types';
import { nameOf } from '../words';
import { Vector3 } from 'three';
import { elementOf } from '../paths';
import { others, selectTogether, toggleTogether } from '../together';
import type { End } from './gizmo';
import { type Elements, elementsOf, type Marks, withChildren } from './marks';
import { endOf, endsOf, movableAround } from './movable';
import { titleOf } from './overlays';
import type { Hit } from './picking';
import type { View } from './view';

/** The path by which a file of a scene was opened: one of a game, or one beside the file that is shown. */
function openedPath({ file, part }: Shown, source: string): string {
  if (!source) return file;
  if (files.peek().some((f) => f.path === source || source.startsWith(`${f.path}/`))) return source;
  return part ? `${file}/${source}` : source;
}

export class Choosing {
  /** The node that was clicked last; -1: none. */
  touched = -1;
  #ahead: { key: string; place: Promise<SourcePlace | null> } = { key: '', place: Promise.resolve(null) };

  constructor(readonly view: () => View | null, readonly marks: Marks) {}

  /** Asks where something under the pointer comes from while the pointer rests there, so that a click need not wait for the core. */
  askAhead(hit: Hit, now: Shown) {
    void this.#sourceOf(hit, now, this.#thingOf(hit));
  }
  #sourceOf({ piece, source }: Hit, { sceneId }: Shown, thing: number) {
    const node = thing < 0 ? piece.node : thing, of = thing < 0 ? source : undefined, key = `${sceneId} ${node} ${of}`;
    if (this.#ahead.key !== key) this.#ahead = { key, place: core.sourcePath(sceneId, node, of).catch(() => null) };
    return this.#ahead.place;
  }
  /** The node that a click takes, that of the nearest thing that can be moved; -1: that one is selected already, and the click takes a part of it. */
  #thingOf(hit: Hit): number {
    const thing = movableAround(hit.piece.node);
    return thing >= 0 && (others().length > 0 || this.touched < 0 || movableAround(this.touched) !== thing || !selection.peek().path) ? thing : -1;
  }
  /** The end of a node that a click was near; '' if it was near none. */
  async #endNear({ place }: Hit, file: string, node: number): Promise<string> {
    const own = shown.peek()!.data.nodes[node], ends: End[] = [];
    for (const name of endsOf(own)) ends.push(await endOf(this.view()!, file, `${own.extras.path}.${name}`, node));
    const far = (a: number[], b: number[], axes: string) => Math.hypot(...[...axes].map((axis) => a['xyz'.indexOf(axis)] - b['xyz'.indexOf(axis)]));
    const length = ends.length > 1 ? far(ends[0].at, ends[1].at, ends[0].axes) : 0;
    return ends.find((end) => far(end.at, place.toArray(), end.axes) < length / 5)?.path ?? '';
  }

  /** A click: the nearest thing that can be moved, or a part of it if that is selected already. `inside`: always a part. `again`: what is there once the scene
   * was built again. */
  async choose(hit: Hit | null, inside = false, again?: () => Hit | null): Promise<void> {
    const v = this.view()!, now = shown.peek();
    if (!now) return;
    if (!hit) return this.#chooseNothing();
    const { scene3 } = v, { nodes } = now.data, thing = inside ? -1 : this.#thingOf(hit), isThing = thing >= 0;
    const mine = isThing ? { nodes: withChildren(nodes, [thing]), elements: [] } : { nodes: new Set([hit.piece.node]), elements: [{ piece: hit.piece, element: hit.element }] };
    this.marks.marked = mine;
    this.touched = hit.piece.node;
    said.value = titleOf(now.data, isThing ? thing : hit.piece.node);
    const place = await this.#sourceOf(hit, now, thing);
    // The scene was built again meanwhile: something else may have the number of this node.
    if (shown.peek() !== now) return void (again && this.choose(again(), inside));
    if (place && !(await this.#select(place, hit, now, thing, inside))) mine.nodes = new Set();
    if (!isThing && place) mine.elements = await this.#wholePolygon(place, hit, now);
    // The other panes come first: drawing the picture again holds up their frames where there is no graphics card.
    setTimeout(() => {
      if (this.marks.marked === mine && this.view() === v && v.scene3 === scene3) v.mark(mine.elements, [isThing ? v.picker!.boxOf(mine.nodes) : null].filter((box) => box !== null));
    }, 60);
  }
  /** A click that adds the nearest thing that can be moved to the selection, or takes it away. */
  async toggle(hit: Hit | null) {
    const now = shown.peek(), thing = hit ? movableAround(hit.piece.node) : -1;
    if (!now || !hit) return;
    const place = thing >= 0 ? await this.#sourceOf(hit, now, thing) : null;
    if (!place || elementOf(place.path)?.path !== place.path) return void (said.value = 'Only movable elements can be selected together');
    this.touched = thing, this.marks.clicked = '';
    toggleTogether(openedPath(now, place.file), place.path, now.part);
  }
  /** Selects all that can be moved and is seen in a rectangle of the canvas: those of one file, of that with the most of them. */
  async chooseWithin(left: number, top: number, right: number, bottom: number) {
    const now = shown.peek(), v = this.view()!;
    if (!now || !v.scene3) return;
    const seen = new Set(v.scene3.pieces.filter((p) => v.scene3!.shownLayers[p.layer]).map((p) => movableAround(p.node)));
    const isWithin = (node: number) => {
      const box = node >= 0 && v.picker!.boxOf(withChildren(now.data.nodes, [node]));
      const at = box && v.project(new Vector3((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2));
      return at && at.x >= left && at.x <= right && at.y >= top && at.y <= bottom;
    };
    const places = await Promise.all([...seen].filter(isWithin).map((node) => core.sourcePath(now.sceneId, node).catch(() => null)));
    if (shown.peek() !== now) return;
    const byFile = new Map<string, Set<string>>();
    for (const place of places) {
      if (!place || elementOf(place.path)?.path !== place.path) continue;
      const file = openedPath(now, place.file);
      byFile.set(file, (byFile.get(file) ?? new Set()).add(place.path));
    }
    const [file, found] = [...byFile].sort((a, b) => b[1].size - a[1].size)[0] ?? [];
    if (!file || !found) return void (said.value = 'This rectangle contains no movable element');
    this.touched = -1, this.marks.clicked = '';
    selectTogether(file, [...found], now.part);
  }
  /** An empty click or Escape: nothing is selected, marked or in focus. */
  #chooseNothing() {
    this.touched = -1;
    this.marks.clear();
    if (selection.peek().path) select({ path: '' });
  }
  /** The triangles that are one polygon of the file: those of a quad. Strips of many are marked only where they were clicked. */
  async #wholePolygon(place: SourcePlace, { piece, element }: Hit, now: Shown): Promise<Elements> {
    const file = openedPath(now, place.file), scene = this.view()?.scene3, one = [{ piece, element }];
    const found = await core.shows(now.sceneId, file, place.path).catch(() => []), own = found.find(({ node }) => node === piece.node);
    const all = scene && own?.sources ? elementsOf(scene, piece.node, own.sources) : one;
    return all.length === 2 && all.some((e) => e.piece === piece && e.element === element) ? all : one;
  }
  /** False: nothing was selected. A click leads into another file only if that was asked for: it is easily missed, and all panes follow. */
  async #select(place: SourcePlace, hit: Hit, now: Shown, thing: number, inside: boolean): Promise<boolean> {
    const file = openedPath(now, place.file), { part } = now;
    if (!part && file !== now.file && !inside) {
      said.value = `${nameOf(file)}: Alt+Click opens this file`;
      return false;
    }
    const end = thing >= 0 && (await this.#endNear(hit, file, thing));
    this.marks.clicked = `${file}|${end || place.path}`;
    if (end) select({ file, path: end, part });
    else if (place.offset !== undefined && place.size) selectPlace({ file, path: place.path, offset: place.offset, size: place.size }, part);
    else select({ file, path: place.path, part });
    if (others().length) selectTogether(file, [place.path], part);
    return true;
  }
}
