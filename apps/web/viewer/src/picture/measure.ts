// What is between two points.
import type { Vector3 } from 'three';

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
