// Distances between two points of the picture.
import { signal } from '@preact/signals';
import type { Vector3 } from 'three';
import { said, shown } from '../state';
import type { Hit } from './picking';
import type { View } from './view';

/** A length in few digits: '0.042', '17.5', '1,024'. */
export function short(x: number): string {
  const a = Math.abs(x);
  if (a === 0) return '0';
  if (a >= 1000) return Math.round(x).toLocaleString('en');
  return String(+x.toPrecision(a >= 1 ? 4 : 2));
}
export function between(a: Vector3, b: Vector3, metresPerUnit: number) {
  const units = a.distanceTo(b), d = b.clone().sub(a);
  return { units, metres: units * metresPerUnit, across: Math.hypot(d.x, d.z), up: d.y, text: `${short(units)} units, ${short(units * metresPerUnit)} m` };
}

export class Measuring {
  readonly on = signal(false);
  readonly points = signal<Vector3[]>([]);

  constructor(readonly view: () => View | null) {}

  start() {
    this.on.value = true;
    this.#clear();
  }
  stop() {
    if (!this.on.value) return;
    this.on.value = false;
    this.#clear();
  }
  #clear() {
    this.points.value = [];
    this.view()?.measure([]);
  }
  /** A click: the first point, or the second one. */
  click(hit: Hit | null) {
    if (!hit) return;
    const { points } = this;
    points.value = points.value.length === 2 ? [hit.place] : [...points.value, hit.place];
    this.view()!.measure(points.value);
    if (points.value.length === 2) said.value = between(points.value[0], points.value[1], shown.peek()!.data.metresPerUnit).text;
  }
}
