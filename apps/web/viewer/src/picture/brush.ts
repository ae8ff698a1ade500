// A brush for the tiles of a map. What it can paint is what the named edits of the file say of themselves: those that change a
// rectangle of tiles, or a plate of the ground. A stroke becomes one edit.
import { Vector3 } from 'three';
import type { NamedEdit } from '../../../core.mjs';
import type { TileGrid } from '../types';

export interface Paint {
  /** The edit, and the argument that says what is painted: set-tiles, behavior. */
  edit: string;
  name: string;
  /** A placeholder for its value, such as NAME|N or 0..3, if it is not one of `choices`. */
  value?: string;
  choices: string[] | null;
  title: string;
  of: 'tiles' | 'plates';
  /** Whether tiles lie on several levels. */
  hasLevel: boolean;
  /** What can follow the ground: floor, walls, mesh, props. */
  follows: string[];
}

const titled = (text: string) => text[0].toUpperCase() + text.slice(1).replaceAll('-', ' ');

/** What can be painted, by the edits of a file. */
export function paintsOf(edits: NamedEdit[]): Paint[] {
  return edits.flatMap(({ edit, arguments: all }) => {
    const isRange = (name: string) => all.some((a) => a.name === name && a.kind === 'range' && a.required && !a.alternative);
    const ofTiles = isRange('x') && isRange('z') && all[0].name === 'x';
    if (!ofTiles && !(all[0]?.name === 'plate' && all.length > 1)) return [];
    const given = new Set(['x', 'z', 'plate', 'level']), follows = all.filter(({ choices }) => choices?.includes('follow')).map(({ name }) => name);
    return all.filter(({ name }) => !given.has(name) && !follows.includes(name)).map(({ name, value, choices }) => ({
      edit, name, value, choices: choices ?? null, title: titled(name === 'by' ? edit : name), of: ofTiles ? ('tiles' as const) : ('plates' as const), hasLevel: all.some((a) => a.name === 'level'), follows,
    }));
  });
}

/** Where the tiles of a file lie in the scene. */
export interface Grid {
  file: string;
  /** What heights are counted from. */
  base: number;
  west: number;
  north: number;
  tile: number;
  across: number;
  down: number;
  /** The number of the tile in the north-west corner, and whether rows are counted to the north. */
  first: [number, number];
  isNorth: boolean;
}
/** The tiles of a file, whose grid is relative to `at`. */
export const gridAt = ({ tile, corner, tiles, first, rows }: TileGrid, file: string, [x, y, z]: ArrayLike<number> & Iterable<number> = [0, 0, 0]): Grid => ({
  file, base: y, west: x + corner[0], north: z + corner[1], tile, across: tiles[0], down: tiles[1], first, isNorth: rows === 'north',
});
export type Tile = [x: number, z: number];
export function tileAt(g: Grid, { x, z }: { x: number; z: number }): Tile | null {
  const column = Math.floor((x - g.west) / g.tile), row = Math.floor((z - g.north) / g.tile);
  return column < 0 || row < 0 || column >= g.across || row >= g.down ? null : [g.first[0] + column, g.first[1] + (g.isNorth ? -row : row)];
}
export const keyOfTile = ([x, z]: Tile) => `${x},${z}`;
/** The tiles around one, those of a square. */
export function around(g: Grid, [x, z]: Tile, size: number): Tile[] {
  const out: Tile[] = [], r = (size - 1) / 2, low = Math.min(g.first[1], g.first[1] + (g.isNorth ? 1 - g.down : g.down - 1));
  for (let j = z - r; j <= z + r; ++j) for (let i = x - r; i <= x + r; ++i) if (i >= g.first[0] && i < g.first[0] + g.across && j >= low && j < low + g.down) out.push([i, j]);
  return out;
}

/** Tiles as few rectangles that do not overlap: runs of rows, and equal runs below each other as one. */
export function rectangles(tiles: Iterable<Tile>): { x: [number, number]; z: [number, number] }[] {
  const rows = new Map<number, number[]>(), out: { x: [number, number]; z: [number, number] }[] = [];
  for (const [x, z] of tiles) rows.set(z, [...(rows.get(z) ?? []), x]);
  for (const z of [...rows.keys()].sort((a, b) => a - b)) {
    const row = rows.get(z)!.sort((a, b) => a - b);
    for (let i = 0; i < row.length;) {
      let end = i;
      while (end + 1 < row.length && row[end + 1] === row[end] + 1) ++end;
      const above = out.find((r) => r.x[0] === row[i] && r.x[1] === row[end] && r.z[1] === z - 1);
      if (above) above.z[1] = z;
      else out.push({ x: [row[i], row[end]], z: [z, z] });
      i = end + 1;
    }
  }
  return out;
}
const range = ([from, to]: [number, number]) => (from === to ? String(from) : `${from}..${to}`);

export interface Wish {
  paint: Paint;
  value: string;
  level: string;
  /** What follows the ground. */
  following: ReadonlySet<string>;
}
/** The edit of a stroke over tiles, or over plates. */
export function wordsOf({ paint: { edit, name, of, hasLevel, follows }, value, level, following }: Wish, tiles: Iterable<Tile>, plates: Iterable<number>): string[] {
  const rest = [`${name}=${value}`];
  if (hasLevel && level !== '0') rest.push(`level=${level}`);
  for (const what of follows) if (following.has(what)) rest.push(`${what}=follow`);
  if (of === 'plates') return [...plates].sort((a, b) => a - b).flatMap((plate) => [edit, `plate=${plate}`, ...rest]);
  return rectangles(tiles).flatMap(({ x, z }) => [edit, `x=${range(x)}`, `z=${range(z)}`, ...rest]);
}

/** What a file answers about a tile. */
export type Told = Record<string, any> | null;
/** What a tile has of what is painted, as it is typed; '' if that is not known. */
export function valueOf({ name }: Paint, told: Told): string {
  if (!told) return '';
  const field = name.replaceAll('-', '_'), flag = name.replaceAll('-', ' ');
  if (name === 'behavior') return told.name;
  if (typeof told[field] === 'boolean') return told[field] ? '1' : '0';
  if (typeof told[field] === 'string' || typeof told[field] === 'number') return String(told[field]);
  if (told[`${field}_value`] !== undefined) return String(told[`${field}_value`]);
  return Array.isArray(told.flags) && ['absent', 'untargetable', 'pass only'].includes(flag) ? (told.flags.some((f: string) => f.startsWith(flag)) ? 'yes' : 'no') : '';
}
/** The plate of a tile that is nearest to a height; -1: none. */
export function plateOf(told: Told, height: number): number {
  const plates = (told?.plates ?? []) as { plate: number; height: number }[];
  return plates.reduce((best, p) => (Math.abs(p.height - height) < Math.abs(best.height - height) ? p : best), plates[0] ?? { plate: -1, height: 0 }).plate;
}

/** The corners of a tile in the scene, from the north-west, counterclockwise from above. */
export function cornersOfTile(g: Grid, [x, z]: Tile, told: Told): Vector3[] {
  const west = g.west + (x - g.first[0]) * g.tile, north = g.north + (g.isNorth ? g.first[1] - z : z - g.first[1]) * g.tile, y = told?.corner_y;
  const flat = g.base + (told?.plates?.length ? Math.max(...told.plates.map((p: { height: number }) => p.height)) : 0), at = (corner: string) => (y ? g.base - y[corner] : flat);
  return [new Vector3(west, at('NW'), north), new Vector3(west, at('SW'), north + g.tile), new Vector3(west + g.tile, at('SE'), north + g.tile), new Vector3(west + g.tile, at('NE'), north)];
}

export interface Coloured {
  value: string;
  color: [number, number, number];
  alpha: number;
  quads: Vector3[][];
}
/** All tiles in colours that tell their values apart, or plates theirs: numbers from dark to light. */
export function coloured(g: Grid, paint: Paint, told: Map<string, Told>): Coloured[] {
  const byValue = new Map<string, Vector3[][]>();
  for (const [at, one] of told) {
    if (!one) continue;
    const value = paint.of === 'plates' ? String(one.plates?.[0]?.plate ?? '') : paint.name === 'by' ? String(one.height) : valueOf(paint, one);
    if (value !== '') byValue.set(value, [...(byValue.get(value) ?? []), cornersOfTile(g, at.split(',').map(Number) as Tile, one)]);
  }
  const values = [...byValue.keys()], isNumber = paint.of !== 'plates' && !paint.choices && values.every((v) => Number.isFinite(Number(v))), numbers = isNumber ? values.map(Number) : [];
  const low = Math.min(...numbers), wide = Math.max(...numbers) - low || 1;
  values.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const taken: number[] = [];
  return values.map((value) => {
    const part = (Number(value) - low) / wide;
    return { value, color: isNumber ? [0.15 + 0.8 * part, 0.25 + 0.6 * part, 0.55 + 0.1 * part] : hue(freeHue(value, taken)), alpha: 0.72, quads: byValue.get(value)! };
  });
}
/** A hue for a value, the same each time unless a value before it has one like it. `taken`: by these. */
function freeHue(value: string, taken: number[]): number {
  const hash = [...value].reduce((sum, c) => (sum * 31 + c.charCodeAt(0)) >>> 0, 7), isNear = (h: number) => taken.some((t) => Math.abs(((h - t + 1.5) % 1) - 0.5) < 0.07);
  let h = (hash * 0.61803) % 1;
  for (let tries = 0; tries < 12 && isNear(h); ++tries) h = (h + 0.61803) % 1;
  taken.push(h);
  return h;
}
function hue(h: number): [number, number, number] {
  return [0, 1, 2].map((k) => 0.35 + 0.55 * Math.min(1, Math.max(0, Math.abs(((h * 6 + [0, 4, 2][k]) % 6) - 3) - 1))) as [number, number, number];
}
