// Tiles are painted: the state of the brush, its strokes, and the bar that says what it paints.
import { batch, signal, type Signal } from '@preact/signals';
import type { Vector3 } from 'three';
import { edit } from '../editing';
import { kindOf } from '../formats';
import { core, said, select, selection, type Shown } from '../state';
import type { TileGrid } from '../types';
import { around, coloured, cornersOfTile, type Grid, gridAt, keyOfTile, type Paint, paintsOf, plateOf, type Tile, tileAt, type Told, valueOf, wordsOf } from './brush';
import { Glyph } from './icons';
import { movableAround } from './movable';
import type { View } from './view';

/** Where the tiles of the files of a scene lie: of the file itself, or of those of a world, in which one may be in several places. */
async function gridsOf(now: Shown, view: View): Promise<Grid[]> {
  const { extras, nodes } = now.data, whole: TileGrid | undefined = extras?.tile_grid;
  if (!now.part) return whole ? [gridAt(whole, now.file)] : [];
  const wanted = nodes.flatMap((n, node) => {
    const kind = kindOf(n), grid = kind?.tile_grid ?? whole;
    return kind?.tiles && grid ? [{ node, grid, at: kind.tile_grid ? view.scene3!.world.subarray(16 * node + 12, 16 * node + 15) : undefined }] : [];
  });
  return (await Promise.all(wanted.map(async ({ node, grid, at }): Promise<Grid[]> => {
    const file = (await core.sourcePath(now.sceneId, node).catch(() => null))?.file;
    return file ? [gridAt(grid, file, at)] : [];
  }))).flat();
}
/** Whether a scene may have tiles to paint. */
export const hasTiles = ({ data: { extras, nodes }, part }: Shown) => (part ? nodes.some((n) => kindOf(n)?.tiles) : !!extras?.tile_grid);

export class Painting {
  readonly on = signal(false);
  /** Null: being read. */
  readonly paints: Signal<Paint[] | null> = signal(null);
  readonly at = signal(0);
  readonly value = signal('');
  readonly size = signal(1);
  readonly level = signal('0');
  /** What follows the ground; walls change more than one expects. */
  readonly following = signal<ReadonlySet<string>>(new Set(['floor', 'mesh', 'props']));
  /** What tiles are coloured by, each with its colour. */
  readonly legend: Signal<{ value: string; color: string }[]> = signal([]);
  /** Values that tiles have now, and all words for them. */
  readonly known: Signal<string[]> = signal([]);

  #view: () => View | null;
  #shown: Shown | null = null;
  #grids: Grid[] = [];
  #grid: Grid | null = null;
  #told = new Map<string, Told>();
  #stroke: { tiles: Map<string, Tile>; plates: Set<number> } | null = null;
  #last: { x: number; y: number } | null = null;
  #reading = 0;
  /** What was painted last. */
  #before: Paint | undefined;
  #height = 0;

  constructor(view: () => View | null) {
    this.#view = view;
  }
  get paint(): Paint | undefined {
    return this.paints.value?.[this.at.value];
  }
  get isPainting() {
    return !!this.#stroke;
  }

  /** Begins, or goes on with another scene. */
  async start(now: Shown) {
    const view = this.#view(), turn = ++this.#reading;
    if (!view?.scene3) return;
    const grids = await gridsOf(now, view);
    if (turn !== this.#reading) return;
    this.#shown = now, this.#grids = grids;
    // Where the brush was, or what is selected.
    const here = this.#grid && grids.find((g) => g.file === this.#grid!.file && g.west === this.#grid!.west && g.north === this.#grid!.north);
    await this.#take(here ?? grids.find((g) => g.file === selection.peek().file) ?? grids[0], turn);
  }
  /** What can be painted is offered with what the tiles have now: a value that arrives later would be mixed with what is typed. */
  async #take(grid: Grid | undefined, turn = ++this.#reading) {
    const paints = grid ? paintsOf(await core.edits(grid.file).catch(() => [])) : [], told = grid ? await this.#read(grid) : new Map<string, Told>();
    if (turn !== this.#reading) return;
    this.#grid = grid ?? null;
    batch(() => {
      const before = this.paint ?? this.#before;
      this.paints.value = paints;
      this.at.value = Math.max(0, paints.findIndex((p) => p.edit === before?.edit && p.name === before.name));
      this.#know(told);
    });
  }
  follow(what: string, on: boolean) {
    const next = new Set(this.following.value);
    if (on) next.add(what);
    else next.delete(what);
    this.following.value = next;
  }
  choose(index: number) {
    this.at.value = index;
    this.#first();
    this.draw();
    this.known.value = this.#values();
    void this.#addWords();
  }
  #first() {
    const p = this.paint;
    if (p) this.value.value = p.choices?.at(-1) ?? (p.name === 'by' ? '1' : this.#values()[0] ?? '');
  }
  /** The tiles were changed: asks for them again. */
  async renew() {
    const g = this.#grid;
    if (!g || !this.on.value) return;
    const told = await this.#read(g);
    if (this.#grid === g) this.#know(told);
  }
  async #read(g: Grid): Promise<Map<string, Told>> {
    const all: Tile[] = Array.from({ length: g.across * g.down }, (_, i) => [g.first[0] + (i % g.across), g.first[1] + (g.isNorth ? -1 : 1) * Math.floor(i / g.across)]);
    const told = await core.tiles(g.file, all, this.level.value).catch(() => []);
    return new Map(all.map((tile, i) => [keyOfTile(tile), told[i] ?? null]));
  }
  #know(told: Map<string, Told>) {
    this.#told = told;
    this.known.value = this.#values();
    void this.#addWords();
    if (this.value.value === '') this.#first();
    this.draw();
  }
  #values(): string[] {
    const p = this.paint;
    return p ? [...new Set([...this.#told.values()].map((t) => valueOf(p, t)))].filter(Boolean).sort((a, b) => a.localeCompare(b, 'en', { numeric: true })) : [];
  }
  /** Offers the words that no tile has yet. */
  async #addWords() {
    const g = this.#grid, p = this.paint, path = [...this.#told.values()].find((t) => t?.path)?.path, wordsAt = (of: string) => core.words(g!.file, of).catch(() => []);
    if (!g || !p || !path || p.choices) return;
    const own = await wordsAt(`${path}.${p.name.replaceAll('-', '_')}`), all = own.length ? own : await wordsAt(path);
    if (this.#grid === g && this.paint === p) this.known.value = [...new Set([...this.#values(), ...all.filter(({ flag }) => !flag).map(({ word }) => word)])];
  }
  stop() {
    ++this.#reading;
    this.#grid = null;
    this.#before = this.paint ?? this.#before;
    this.paints.value = null;
    this.on.value = false;
    this.#stroke = null;
    this.#view()?.showTiles([]), this.#view()?.showStroke([], []);
  }
  draw() {
    const g = this.#grid, p = this.paint;
    const all = g && p ? coloured(g, p, this.#told) : [];
    this.legend.value = all.map(({ value, color }) => ({ value, color: `rgb(${color.map((x) => Math.round(x * 255)).join()})` }));
    this.#view()?.showTiles(all);
  }

  // ---- strokes ----

  /** On the ground, below what stands there; where nothing is seen, as high as the last place. */
  #placeAt(x: number, y: number): Vector3 | null {
    const view = this.#view()!, at = view.pickAt(x, y, (p) => movableAround(p.node) < 0)?.place ?? view.onPlane(x, y, this.#height);
    if (at) this.#height = at.y;
    return at;
  }
  #quads(tiles: Iterable<Tile>): Vector3[][] {
    const g = this.#grid!;
    return [...tiles].map((tile) => cornersOfTile(g, tile, this.#told.get(keyOfTile(tile)) ?? null));
  }
  /** What the brush is above of. */
  #under(at: Vector3): Tile[] {
    const tile = this.#grid && tileAt(this.#grid, at);
    return tile ? around(this.#grid!, tile, this.paint?.of === 'tiles' ? this.size.value : 1) : [];
  }
  #cover(x: number, y: number) {
    const at = this.#placeAt(x, y), s = this.#stroke, p = this.paint;
    if (!at || !s || !p) return;
    for (const tile of this.#under(at)) {
      if (p.of === 'tiles') s.tiles.set(keyOfTile(tile), tile);
      else {
        const plate = plateOf(this.#told.get(keyOfTile(tile)) ?? null, at.y - this.#grid!.base);
        if (plate >= 0) s.plates.add(plate);
      }
    }
  }
  #show() {
    const s = this.#stroke!;
    const tiles = s.plates.size ? [...this.#told].filter(([, t]) => t?.plates?.some((p: { plate: number }) => s.plates.has(p.plate))).map(([at]) => at.split(',').map(Number) as Tile) : [...s.tiles.values()];
    this.#view()!.showStroke(this.#quads(tiles), []);
  }
  /** The pointer went down: a stroke, unless `picks`: then the value of the tile there is painted from now on. */
  down(x: number, y: number, picks: boolean) {
    const at = this.#placeAt(x, y), p = this.paint;
    if (!at || !p) return;
    if (this.#grid && !tileAt(this.#grid, at)) {
      const other = this.#grids.find((g) => tileAt(g, at));
      if (!other) return;
      select({ file: other.file, path: '', part: this.#shown?.part });
      this.#told = new Map();
      this.#grid = other;
      void this.#take(other);
    }
    if (picks) {
      const tile = this.#grid && tileAt(this.#grid, at), value = tile && valueOf(p, this.#told.get(keyOfTile(tile)) ?? null);
      if (value) said.value = `Painting ${(this.value.value = value)}`;
      return;
    }
    this.#stroke = { tiles: new Map(), plates: new Set() };
    this.#last = { x, y };
    this.#cover(x, y), this.#show();
  }
  move(x: number, y: number) {
    if (!this.#stroke) {
      const at = this.#placeAt(x, y);
      return this.#view()!.showStroke(at ? this.#quads(this.#under(at)) : [], []);
    }
    // Fast pointers skip tiles.
    const from = this.#last!, steps = Math.max(1, Math.ceil(Math.hypot(x - from.x, y - from.y) / 5));
    for (let i = 1; i <= steps; ++i) this.#cover(from.x + ((x - from.x) * i) / steps, from.y + ((y - from.y) * i) / steps);
    this.#last = { x, y };
    this.#show();
  }
  /** The stroke is done: what it painted is one edit. */
  async up() {
    const s = this.#stroke, paint = this.paint, g = this.#grid;
    this.#stroke = null;
    if (!s || !paint || !g) return;
    const words = wordsOf({ paint, value: this.value.value, level: this.level.value, following: this.following.value }, s.tiles.values(), s.plates);
    const isMade = words.length > 0 && (await edit(g.file, words));
    if (!isMade) this.#view()?.showStroke([], []);
  }
}

/** What it means that something follows the ground. */
const followed: Record<string, string> = {
  floor: 'Vertices at the corners of the tiles move with the ground', walls: 'The edges of walls along the tile borders move with the ground',
  mesh: 'The model above the plate moves with it', props: 'The props on the plate move with it',
};

export function BrushBar({ painting: p }: { painting: Painting }) {
  const paint = p.paint, fixed = paint && paint.choices;
  if (!paint) return <div class="brush" data-test="brush-bar"><span class="dim">{p.paints.value ? 'Nothing here can be painted' : 'Reading the tiles…'}</span></div>;
  return (
    <div class="brush" role="group" aria-label="Brush" data-test="brush-bar">
      <Glyph name="brush" />
      <select aria-label="Property to paint" value={p.at.value} onChange={(e) => p.choose(+e.currentTarget.value)} data-test="brush-what">
        {p.paints.value!.map((x, i) => <option value={i}>{x.title}</option>)}
      </select>
      {fixed ? (
        <select aria-label="Value" value={p.value.value} onChange={(e) => { p.value.value = e.currentTarget.value; }} data-test="brush-value">{fixed.map((v) => <option value={v}>{v}</option>)}</select>
      ) : <>
        <input type="text" aria-label="Value" title={`${paint.value}; Alt+click picks the value of a tile`} list="brush-values" value={p.value.value} spellcheck={false} autocomplete="off" onInput={(e) => { p.value.value = e.currentTarget.value; }} data-test="brush-value" />
        <datalist id="brush-values">{p.known.value.map((v) => <option value={v} />)}</datalist>
      </>}
      {paint.of === 'tiles' && (
        <select aria-label="Size of the brush" value={p.size.value} onChange={(e) => { p.size.value = +e.currentTarget.value; }} data-test="brush-size">{[1, 3, 5, 9].map((n) => <option value={n}>{n} × {n}</option>)}</select>
      )}
      {paint.hasLevel && (
        <select aria-label="Level" value={p.level.value} onChange={(e) => { p.level.value = e.currentTarget.value; void p.renew(); }} data-test="brush-level"><option value="0">Ground</option><option value="1">Upper level</option></select>
      )}
      {paint.follows.map((what) => (
        <label key={what} title={followed[what]}><input type="checkbox" checked={p.following.value.has(what)} onChange={(e) => p.follow(what, e.currentTarget.checked)} data-test={`brush-${what}`} />{what[0].toUpperCase()}{what.slice(1)} {what.endsWith('s') ? 'follow' : 'follows'}</label>
      ))}
    </div>
  );
}
/** What the colours of the tiles mean; a click on one takes its value. */
export function BrushLegend({ painting: p }: { painting: Painting }) {
  const paint = p.paint, all = p.legend.value;
  if (!paint || paint.of !== 'tiles' || all.length < 2) return null;
  return (
    <ul class="brush-legend" aria-label="Colours of the tiles" data-test="brush-legend">
      {all.map(({ value, color }) => (
        <li key={value}><button type="button" aria-pressed={value === p.value.value} disabled={paint.name === 'by'} title={`Paint ${value}`} onClick={() => { p.value.value = value; }}><i style={{ background: color }} />{value}</button></li>
      ))}
    </ul>
  );
}
