// Final Fantasy Tactics draws some polygons only from some of twelve directions, so that walls do not hide what stands behind them.
import type { SceneData, ScenePrimitive } from '../types';

/** A direction that one looks from, and its bit in `hidden_from`. */
export interface Direction {
  name: string;
  bit: number;
}
// Clockwise from the north, thirty degrees each.
const around: [string, number][] = [
  ['NNE', 0x008], ['NE', 0x200], ['ENE', 0x004], ['ESE', 0x002], ['SE', 0x100], ['SSE', 0x001], ['SSW', 0x080], ['SW', 0x800], ['WSW', 0x040], ['WNW', 0x020], ['NW', 0x400], ['NNW', 0x010],
];

/** Where someone stands, from what they look at; null: straight above or below. */
export function directionOf(east: number, north: number): Direction | null {
  if (Math.hypot(east, north) < 1e-3) return null;
  const turn = Math.atan2(east, north) / (2 * Math.PI), [name, bit] = around[Math.floor((turn - Math.floor(turn)) * 12) % 12];
  return { name, bit };
}

/** Of each triangle of a primitive the directions that it is not drawn from, if there are any. */
export function hiddenOf(data: SceneData, node: number, { shape, sources, indices, positions }: ScenePrimitive): Uint16Array | undefined {
  const pairs = data.nodes[node].extras?.hidden_from as [polygon: number, bits: number][] | undefined;
  if (!pairs?.length || !sources || shape !== 'triangles') return undefined;
  const bits = new Map(pairs), out = new Uint16Array((indices?.length ?? positions.length / 3) / 3);
  let any = false;
  out.forEach((_, i) => {
    out[i] = bits.get(polygonOf(sources[indices ? indices[3 * i] : 3 * i])) ?? 0;
    any ||= out[i] > 0;
  });
  return any ? out : undefined;
}
/** The polygon that a vertex is of. */
export const polygonOf = (source: number) => source >> 2;
