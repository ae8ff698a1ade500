// Names of nodes, written over the picture.
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { Vector3 } from 'three';
import { shown, type SceneData } from '../state';
import { labelOf } from './kinds';
import type { View } from './view';

const k_most_labels = 60;

interface Label {
  x: number;
  y: number;
  far: number;
  text: string;
}

/** The labels of all nodes that are seen fully, the nearest first. */
function labelsOf(v: View, { nodes }: SceneData, width: number, height: number): Label[] {
  const s = v.scene3!, at = new Vector3(), out: Label[] = [];
  const drawn = new Set<number>();
  for (const p of s.pieces) if (s.showsPiece(p) && s.shownLayers[p.layer] === 2) for (let i = p.node; i >= 0 && !drawn.has(i); i = nodes[i].parent) drawn.add(i);
  for (const i of drawn) {
    const n = nodes[i], text = labelOf(n);
    if (!text) continue;
    const box = n.mesh >= 0 ? v.picker!.boxOf(new Set([i])) : null;
    if (box) at.set((box[0] + box[3]) / 2, box[4], (box[2] + box[5]) / 2);
    else at.set(s.world[16 * i + 12], s.world[16 * i + 13], s.world[16 * i + 14]);
    const place = v.project(at);
    if (place && place.x > 0 && place.y > 0 && place.x < width && place.y < height) out.push({ ...place, text });
  }
  return out.sort((a, b) => a.far - b.far);
}
/** As many as there is room for: the nearest ones, none over another. */
function fitting(all: Label[]): Label[] {
  const taken: { x: number; y: number; w: number }[] = [], out: Label[] = [];
  for (const l of all) {
    const w = l.text.length * 6 + 14;
    if (taken.some((o) => Math.abs(o.x - l.x) < (o.w + w) / 2 && Math.abs(o.y - l.y) < 18)) continue;
    taken.push({ x: l.x, y: l.y, w });
    out.push(l);
    if (out.length === k_most_labels) break;
  }
  return out;
}
function elementOf({ x, y, text }: Label): HTMLElement {
  const e = document.createElement('span');
  e.textContent = text;
  e.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(-50%, -120%)`;
  return e;
}

export class Labels {
  readonly on = signal(false);
  /** The element that they are in. */
  readonly host = createRef<HTMLDivElement>();

  constructor(readonly view: () => View | null) {}

  toggle() {
    this.on.value = !this.on.value;
    this.place();
  }
  /** Puts them where their nodes are seen now. */
  place() {
    const host = this.host.current, v = this.view(), now = shown.peek();
    if (!host) return;
    if (!this.on.value || !v?.scene3 || !now) {
      if (host.childElementCount) host.replaceChildren();
      return;
    }
    host.replaceChildren(...fitting(labelsOf(v, now.data, host.clientWidth, host.clientHeight)).map(elementOf));
  }
}
