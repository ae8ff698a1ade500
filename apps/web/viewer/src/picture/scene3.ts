// A scene as three.js draws it. Everything that stands still is merged into few meshes, by what draws it and by where it is, so
// that a world of thousands of props takes a few hundred draw calls; what moves takes its place from a table.
import {
  BufferAttribute, BufferGeometry, DataTexture, FloatType, Group, IntType, LineSegments, Mesh, NearestFilter, Points, RGBAFormat, Sphere, Vector2, Vector3, Vector4,
  type IUniform, type Object3D,
} from 'three';
import type { SceneData, SceneImage, SceneMaterial, ScenePrimitive } from '../types';
import { type Atlas, makeAtlas } from './atlas';
import { hiddenOf, polygonOf } from './corners';
import { foggyBit, linearBit, litBit, type Look, materialTexels, mostLamps, mostLayers, nodeTexels, type Program, Programs, rowsAcross, texturedBit, undithered, wrapBits } from './materials';
import { type Layering, layersOf, type Sky } from './overlays';

/** A primitive at a node. */
export interface Piece {
  node: number;
  mesh: number;
  primitive: ScenePrimitive;
  /** Smallest and largest coordinates in the space of the node. */
  box: Float32Array;
  layer: number;
  state: number;
  moving: boolean;
  skinned: boolean;
  /** Where a skinned one stands now, in the scene. */
  posed?: Float32Array;
  batch: Batch;
  firstVertex: number;
  firstIndex: number;
  indexCount: number;
  /** What its material looks like, and the place it was drawn at, as numbers. */
  surface: string;
  /** Of each triangle the directions that the game does not draw it from; with the indices of all. */
  hidden?: Uint16Array;
  all?: Uint32Array;
}

/** A part of a large world, seen from above a square. */
export interface Chunk {
  box: Float64Array;
  triangles: number;
  isFar: boolean;
}

export interface Batch {
  /** What its pieces have in common. */
  key: string;
  chunk?: Chunk;  // what is not part of one is always drawn
  object: Mesh | LineSegments | Points;
  program: Program;
  pieces: Piece[];
  layer: number;  // -1: several
  state: number;
  triangles: number;
  center: Vector3;
}

const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/** c = a * b of columns, in arrays of many. */
export function multiply(c: Float32Array | Float64Array, ci: number, a: ArrayLike<number>, ai: number, b: ArrayLike<number>, bi: number) {
  for (let col = 0; col < 4; ++col) {
    const x = b[bi + col * 4], y = b[bi + col * 4 + 1], z = b[bi + col * 4 + 2], w = b[bi + col * 4 + 3];
    for (let row = 0; row < 4; ++row) c[ci + col * 4 + row] = a[ai + row] * x + a[ai + 4 + row] * y + a[ai + 8 + row] * z + a[ai + 12 + row] * w;
  }
}

const boxes = new WeakMap<Float32Array, Float32Array>();
/** Smallest and largest coordinates; looked for once for each array, as edits leave most of them as they are. */
function boxOf(positions: Float32Array): Float32Array {
  let known = boxes.get(positions);
  if (!known) boxes.set(positions, (known = measuredBox(positions)));
  return known;
}
function measuredBox(positions: Float32Array): Float32Array {
  const out = new Float32Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  for (let i = 0; i < positions.length; i += 3)
    for (let k = 0; k < 3; ++k) {
      const v = positions[i + k];
      if (v < out[k]) out[k] = v;
      if (v > out[3 + k]) out[3 + k] = v;
    }
  return out;
}
/** The box around a box that a matrix moves. */
export function movedBox(box: ArrayLike<number>, m: ArrayLike<number>, at: number, out: Float32Array | Float64Array, o: number) {
  for (let row = 0; row < 3; ++row) {
    let low = m[at + 12 + row], high = low;
    for (let col = 0; col < 3; ++col) {
      const e = m[at + col * 4 + row], a = e * box[col], b = e * box[3 + col];
      low += Math.min(a, b), high += Math.max(a, b);
    }
    out[o + row] = low, out[o + 3 + row] = high;
  }
}

function facesOf(p: ScenePrimitive): Float32Array {
  const out = new Float32Array(p.positions.length), { positions: v } = p;
  const count = p.indices?.length ?? v.length / 3, at = (i: number) => 3 * (p.indices ? p.indices[i] : i);
  for (let i = 0; i + 2 < count; i += 3) {
    const a = at(i), b = at(i + 1), c = at(i + 2);
    const ux = v[b] - v[a], uy = v[b + 1] - v[a + 1], uz = v[b + 2] - v[a + 2], wx = v[c] - v[a], wy = v[c + 1] - v[a + 1], wz = v[c + 2] - v[a + 2];
    const n = [uy * wz - uz * wy, uz * wx - ux * wz, ux * wy - uy * wx];
    for (const k of [a, b, c]) for (let j = 0; j < 3; ++j) out[k + j] += n[j];
  }
  for (let i = 0; i < out.length; i += 3) {
    const l = Math.hypot(out[i], out[i + 1], out[i + 2]) || 1;
    out[i] /= l, out[i + 1] /= l, out[i + 2] /= l;
  }
  return out;
}

/** That of the weather, as the DS has it: nothing of it is drawn while `uFog.z` is 0. */
function fogOf(data: SceneData): Record<string, unknown> {
  const { color = 0, offset = 0, step = 0, densities = [] } = data.extras?.fog_table ?? {};
  const six = (five: number) => five && five * 2 + 1;
  return {
    uFog: new Vector3(offset, step, 0), uFogColor: new Vector3(six(color & 31), six((color >> 5) & 31), six((color >> 10) & 31)),
    uFogDensities: Array.from({ length: 32 }, (_, i) => densities[i] ?? 0),
  };
}

/** How many triangles a chunk of a large scene should have; scenes below eight times as many are one chunk. */
const trianglesOfChunk = 6000;

export class Scene3 {
  readonly root = new Group();
  readonly atlas: Atlas;
  readonly pieces: Piece[] = [];
  readonly batches: Batch[] = [];
  readonly chunks: Chunk[] = [];
  readonly layering: Layering;
  /** What is shown of each layer: 0 nothing, 1 faint, 2 all. */
  readonly shownLayers: Uint8Array;
  state = -1;
  variant = -1;
  /** Places of all nodes in the scene, matrices of columns. */
  readonly world: Float64Array;
  readonly translation: Float32Array;
  readonly rotation: Float32Array;
  readonly scale: Float32Array;
  /** Whether an animation shows a node now; its own, without its parents. */
  readonly visible: Uint8Array;
  readonly moving: Uint8Array;
  /** Of animated materials: colour, offset, rotation, scale. */
  readonly materialNow = new Map<number, Float32Array>();
  /** Those of the view, as long as the scene is shown. */
  readonly uniforms: Record<string, IUniform>;
  triangles = 0;
  /** What the scene holds that is not an overlay; of all if there is nothing else. */
  readonly box = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);

  #nodeSlots = new Map<number, number>();
  #nodeTable: DataTexture;
  #rows = new Map<string, { row: number; material: number; inVariants: { variant: number; material: number }[] }>();
  #materialTable: DataTexture;
  #look: Look = 'plain';
  #movingNodes: number[] = [];
  #shownNow: Uint8Array;
  #hiddenFrom = 0;
  /** Of each material, what the vertices say of it; made when it is first needed. */
  #surfaces: string[] = [];
  /** Whether the scene after this one shows its pictures. */
  #atlasIsTaken = false;

  /** `before`: the scene that this one replaces; equal geometry and pictures are reused. */
  constructor(readonly data: SceneData, mostTexels: number, readonly programs: Programs, sky: Sky, before: Scene3 | null = null) {
    const { nodes } = data, count = nodes.length;
    this.translation = new Float32Array(3 * count), this.rotation = new Float32Array(4 * count), this.scale = new Float32Array(3 * count);
    this.visible = new Uint8Array(count), this.moving = new Uint8Array(count), this.world = new Float64Array(16 * count);
    this.#shownNow = new Uint8Array(count);
    const played = new Uint8Array(count), animated = new Set<number>();
    for (const a of data.animations) {
      for (const c of a.channels) this.moving[c.node] = 1;
      for (const c of a.visibilityChannels) this.moving[c.node] = played[c.node] = 1;
      for (const c of a.materialChannels) animated.add(c.material);
    }
    nodes.forEach((n, i) => {
      if (n.parent >= 0 && this.moving[n.parent]) this.moving[i] = 1;
      if (this.moving[i]) this.#movingNodes.push(i);
    });
    this.resetNodes(nodes.map((_, i) => i));
    for (const m of animated) {
      this.materialNow.set(m, new Float32Array(9));
      this.resetMaterial(m);
    }
    for (let i = 0; i < count; ++i) this.#place(i);
    this.layering = layersOf(data, played, sky);
    this.shownLayers = Uint8Array.from(this.layering.layers, ({ on, faint }) => (on ? (faint ? 1 : 2) : 0));
    this.state = this.layering.states.find(({ on }) => on)?.node ?? -1;

    this.atlas = before?.giveAtlas(data.images) ?? makeAtlas(data.images, mostTexels);
    this.uniforms = programs.uniforms;
    programs.tell({
      uAtlas: this.atlas.texture, uScreen: new Vector2(1, 1), uPointSize: 4, uBehind: new Vector3(0, 0, 0), uIsCoarse: false, uFade: Array.from({ length: mostLayers / 4 }, () => new Vector4()), uNodes: null, uMaterials: null,
      ...fogOf(data), uLamps: 0, uMetres: data.metresPerUnit, uParallel: false,
      uLampColor: Array.from({ length: mostLamps }, () => new Vector4()), uLampPlace: Array.from({ length: mostLamps }, () => new Vector4()), uLampWay: Array.from({ length: mostLamps }, () => new Vector4()),
      uLampCone: new Array(mostLamps).fill(-2),
    });
    this.#build(animated, before);
    this.#nodeTable = this.#table(nodeTexels, this.#nodeSlots.size + 1);
    this.#nodeTable.image.data!.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
    this.#materialTable = this.#table(materialTexels, this.#rows.size + 1);
    this.uniforms.uNodes.value = this.#nodeTable, this.uniforms.uMaterials.value = this.#materialTable;
    this.update(), this.updateMaterials(), this.applyLayers();
  }

  /** Its pictures, for a scene with the same. */
  giveAtlas(images: SceneImage[]): Atlas | null {
    const own = this.data.images;
    if (images.length !== own.length || !images.every((x, i) => x.pixels === own[i].pixels && x.width === own[i].width && x.height === own[i].height)) return null;
    this.#atlasIsTaken = true;
    return this.atlas;
  }
  dispose() {
    if (!this.#atlasIsTaken) this.atlas.texture.dispose();
    this.#nodeTable.dispose(), this.#materialTable.dispose();
    for (const b of this.batches) b.object.geometry.dispose();
    this.root.removeFromParent();
  }

  /** Corners around what the scene shows, without the few things that lie far from all others. */
  outline(): Vector3[] {
    const boxes: Float64Array[] = [], { nodes } = this.data, framed = nodes.map(() => false);
    // What is played on, where the core says so; parents come before their children.
    nodes.forEach((n, i) => { framed[i] = n.extras?.framed === true || (n.parent >= 0 && framed[n.parent]); });
    const hasFramed = this.pieces.some((p) => framed[p.node] && this.showsPiece(p)), hasBase = this.layering.layers.some((l) => l.base);
    for (const p of this.pieces) {
      const { base } = this.layering.layers[p.layer];
      if (!this.showsPiece(p) || (hasFramed ? !framed[p.node] : !base && hasBase)) continue;
      const box = new Float64Array(6);
      movedBox(p.posed ? measuredBox(p.posed) : p.box, p.posed ? identity : this.world, p.posed ? 0 : 16 * p.node, box, 0);
      boxes.push(box);
    }
    const range = [0, 1, 2].map((k) => {
      const middles = boxes.map((b) => (b[k] + b[3 + k]) / 2).sort((a, b) => a - b), at = (part: number) => middles[Math.floor(part * (middles.length - 1))];
      const wide = Math.max(at(0.95) - at(0.05), 1e-9);
      return boxes.length < 40 ? [-Infinity, Infinity] : [at(0.05) - wide * 0.6, at(0.95) + wide * 0.6];
    });
    return boxes.filter((b) => range.every(([low, high], k) => (b[k] + b[3 + k]) / 2 >= low && (b[k] + b[3 + k]) / 2 <= high))
      .flatMap((b) => Array.from({ length: 8 }, (_, i) => new Vector3(b[i & 1 ? 3 : 0], b[i & 2 ? 4 : 1], b[i & 4 ? 5 : 2])));
  }

  // ---- nodes ----

  /** Gives nodes the places they have without animations. */
  resetNodes(which: Iterable<number>) {
    for (const i of which) {
      const { translation: t, rotation: r, scale: s, visible } = this.data.nodes[i];
      for (let k = 0; k < 3; ++k) (this.translation[3 * i + k] = t[k]), (this.scale[3 * i + k] = s[k]);
      for (let k = 0; k < 4; ++k) this.rotation[4 * i + k] = r[k];
      this.visible[i] = visible ? 1 : 0;
    }
  }
  resetMaterial(m: number) {
    const { color, transform } = this.data.materials[m];
    this.materialNow.get(m)!.set([...color, ...transform.offset, transform.rotation, ...transform.scale]);
  }

  #place(i: number) {
    const r = this.rotation, x = r[4 * i], y = r[4 * i + 1], z = r[4 * i + 2], w = r[4 * i + 3], t = this.translation;
    const sx = this.scale[3 * i], sy = this.scale[3 * i + 1], sz = this.scale[3 * i + 2];
    const local = [
      (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0, 2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0,
      2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0, t[3 * i], t[3 * i + 1], t[3 * i + 2], 1,
    ];
    const parent = this.data.nodes[i].parent;
    if (parent < 0) this.world.set(local, 16 * i);
    else multiply(this.world, 16 * i, this.world, 16 * parent, local, 0);
  }

  /** After an animation moved nodes: their places, the table of them, and skins. */
  update() {
    const { data } = this, table = this.#nodeTable?.image.data as Float32Array | undefined;
    for (const i of this.#movingNodes) {
      this.#place(i);
      const parent = data.nodes[i].parent;
      this.#shownNow[i] = this.visible[i] && (parent < 0 || !this.moving[parent] || this.#shownNow[parent]) ? 1 : 0;
      const slot = this.#nodeSlots.get(i);
      if (slot === undefined || !table) continue;
      const at = ((slot >> 6) * rowsAcross + (slot & 63)) * nodeTexels * 4, m = 16 * i, on = this.#shownNow[i];
      for (let row = 0; row < 3; ++row) for (let col = 0; col < 4; ++col) table[at + row * 4 + col] = on ? this.world[m + col * 4 + row] : 0;
    }
    if (this.#nodeTable) this.#nodeTable.needsUpdate = true;
    for (const p of this.pieces) if (p.skinned) this.#pose(p);
  }
  /** Whether an animation, or the lack of one, shows a node now. */
  isShown(node: number): boolean {
    return !this.moving[node] || this.#shownNow[node] === 1;
  }

  #pose(p: Piece) {
    const { joints, inverseBind } = this.data.skins[this.data.nodes[p.node].skin], { positions, normals } = p.primitive;
    const matrices = new Float64Array(16 * joints.length);
    joints.forEach((j, k) => multiply(matrices, 16 * k, this.world, 16 * j, inverseBind, 16 * k));
    const out = (p.posed ??= new Float32Array(positions.length));
    const geometry = p.batch.object.geometry, to = geometry.attributes.position as BufferAttribute, facing = geometry.attributes.normal as BufferAttribute | undefined;
    for (let v = 0; v < positions.length / 3; ++v) {
      const at = [0, 0, 0], n = [0, 0, 0];
      for (let k = 0; k < 4; ++k) {
        const weight = p.primitive.weights![4 * v + k];
        if (!weight) continue;
        const m = 16 * p.primitive.joints![4 * v + k];
        for (let row = 0; row < 3; ++row) {
          at[row] += weight * (matrices[m + row] * positions[3 * v] + matrices[m + 4 + row] * positions[3 * v + 1] + matrices[m + 8 + row] * positions[3 * v + 2] + matrices[m + 12 + row]);
          if (normals && facing) n[row] += weight * (matrices[m + row] * normals[3 * v] + matrices[m + 4 + row] * normals[3 * v + 1] + matrices[m + 8 + row] * normals[3 * v + 2]);
        }
      }
      out.set(at, 3 * v);
      if (facing) (facing.array as Float32Array).set(n, 3 * (p.firstVertex + v));
    }
    (to.array as Float32Array).set(out, 3 * p.firstVertex);
    to.needsUpdate = true;
    if (facing) facing.needsUpdate = true;
  }

  // ---- materials ----

  #table(texels: number, rows: number): DataTexture {
    const width = rowsAcross * texels, height = Math.max(1, Math.ceil(rows / rowsAcross));
    const table = new DataTexture(new Float32Array(width * height * 4), width, height, RGBAFormat, FloatType);
    table.minFilter = table.magFilter = NearestFilter;
    table.needsUpdate = true;
    return table;
  }
  #bits(m: SceneMaterial | undefined): number {
    if (!m) return 0;
    const t = this.data.textures[m.texture];
    return (t ? texturedBit | wrapBits[t.wrapU] | (wrapBits[t.wrapV] << 2) | (t.nearest ? 0 : linearBit) : 0) | (m.unlit ? 0 : litBit) | (m.extras?.dither === false ? undithered : 0) | (m.extras?.fog === true ? foggyBit : 0);
  }
  #cutoff(m: SceneMaterial | undefined): number {
    return m?.alpha === 'mask' ? Math.min(255, Math.ceil(m.alphaCutoff * 255 - 1e-3)) : 0;
  }
  #rect(m: SceneMaterial | undefined) {
    const t = m && this.data.textures[m.texture];
    return t ? this.atlas.places[t.image] : { x: 0, y: 0, width: 0, height: 0, layer: 0 };
  }
  /** After an animation changed `only` these materials, or a variant all. */
  updateMaterials(only?: Set<number>) {
    const table = this.#materialTable.image.data as Float32Array;
    for (const { row, material, inVariants } of this.#rows.values()) {
      const index = inVariants.length ? (inVariants.find(({ variant }) => variant === this.variant)?.material ?? material) : material;
      if (only && !only.has(index)) continue;
      const m = this.data.materials[index], rect = this.#rect(m);
      const now = this.materialNow.get(index);
      const [r, g, b, a, ox, oy, turn, sx, sy] = now ?? (m ? [...this.layering.colors[index], ...m.transform.offset, m.transform.rotation, ...m.transform.scale] : [1, 1, 1, 1, 0, 0, 0, 1, 1]);
      const c = Math.cos(turn), d = Math.sin(turn);
      table.set([r, g, b, a, rect.x, rect.y, rect.width, rect.height, rect.layer, this.#bits(m), this.#cutoff(m), 0, c * sx, d * sy, ox, 0, -d * sx, c * sy, oy, 0],
        ((row >> 6) * rowsAcross + (row & 63)) * materialTexels * 4);
    }
    this.#materialTable.needsUpdate = true;
  }
  setVariant(variant: number) {
    this.variant = variant;
    this.updateMaterials();
  }

  get look() {
    return this.#look;
  }
  set look(look: Look) {
    if (look === this.#look) return;
    this.#look = look;
    for (const b of this.batches) b.object.material = this.programs.of(b.program, look);
  }

  // ---- layers ----

  /** Which batches are shown, by layers and states. */
  applyVisibility() {
    for (const b of this.batches) b.object.visible = (b.state < 0 || b.state === this.state) && (b.layer < 0 || this.shownLayers[b.layer] > 0);
  }
  applyLayers() {
    const fade = this.uniforms.uFade.value as Vector4[];
    this.shownLayers.forEach((shown, i) => fade[i >> 2].setComponent(i & 3, shown === 1 ? 1 : 0));
    this.applyVisibility();
    for (const b of this.batches) if (b.layer < 0) this.#keep(b);
  }
  /** Leaves out the triangles that the game does not draw from some directions. */
  hideFrom(bits: number) {
    if (bits === this.#hiddenFrom) return;
    this.#hiddenFrom = bits;
    const changed = new Set<Batch>();
    for (const p of this.pieces) {
      if (!p.hidden) continue;
      const index = p.batch.object.geometry.index!, out = (p.batch.object.userData.indices ?? index.array) as Uint32Array;
      out.set(p.all!, p.firstIndex);
      p.hidden.forEach((from, i) => from & bits && out.fill(p.all![3 * i], p.firstIndex + 3 * i, p.firstIndex + 3 * i + 3));
      index.needsUpdate = true;
      changed.add(p.batch);
    }
    for (const b of changed) if (b.layer < 0) this.#keep(b);
  }
  hides({ hidden }: Piece, element: number): boolean {
    return !!hidden && (hidden[element] & this.#hiddenFrom) > 0;
  }
  /** The triangles that are not drawn from a direction, and how many polygons they are. */
  hiddenFrom(bit: number): { polygons: number; elements: { piece: Piece; element: number }[] } {
    const polygons = new Set<string>(), elements: { piece: Piece; element: number }[] = [];
    for (const piece of this.pieces)
      if (this.showsPiece(piece))
        piece.hidden?.forEach((from, element) => {
          if (!(from & bit)) return;
          const { indices, sources } = piece.primitive;
          elements.push({ piece, element });
          polygons.add(`${piece.node} ${polygonOf(sources![indices ? indices[3 * element] : 3 * element])}`);
        });
    return { polygons: polygons.size, elements };
  }
  showsPiece(p: Piece): boolean {
    return this.shownLayers[p.layer] > 0 && (p.state < 0 || p.state === this.state) && this.isShown(p.node);
  }

  // ---- translucent triangles ----

  /** In the order of the file, without the layers that are hidden. */
  #keep(b: Batch) {
    const index = b.object.geometry.index!, all = b.object.userData.indices as Uint32Array;
    let to = 0;
    for (const p of b.pieces) {
      if (!this.shownLayers[p.layer]) continue;
      index.array.set(all.subarray(p.firstIndex, p.firstIndex + p.indexCount), to);
      to += p.indexCount;
    }
    b.object.geometry.setDrawRange(0, to);
    index.needsUpdate = true;
  }
  /** The farthest first, as seen along `way`. */
  sort(way: Vector3) {
    for (const b of this.batches) {
      if (b.program.alpha !== 'blend' || b.program.moving || b.program.shape !== 'triangles' || !b.object.visible) continue;
      const index = b.object.geometry.index!, all = b.object.userData.indices as Uint32Array, v = b.object.geometry.attributes.position.array;
      const chosen: number[] = [];
      for (const p of b.pieces) if (this.shownLayers[p.layer]) for (let i = 0; i < p.indexCount; i += 3) chosen.push(p.firstIndex + i);
      const depth = new Float64Array(chosen.length);
      chosen.forEach((i, k) => {
        let d = 0;
        for (let j = 0; j < 3; ++j) {
          const at = 3 * all[i + j];
          d += v[at] * way.x + v[at + 1] * way.y + v[at + 2] * way.z;
        }
        depth[k] = d;
      });
      const order = Uint32Array.from(chosen.keys()).sort((x, y) => depth[y] - depth[x] || x - y), out = index.array;
      order.forEach((k, n) => {
        for (let j = 0; j < 3; ++j) out[3 * n + j] = all[chosen[k] + j];
      });
      b.object.geometry.setDrawRange(0, 3 * order.length);
      index.needsUpdate = true;
    }
  }

  // ---- building ----

  #row(material: number, inVariants: { variant: number; material: number }[]): number {
    const key = `${material} ${inVariants.map((v) => `${v.variant}:${v.material}`).join()}`;
    let found = this.#rows.get(key);
    if (!found) this.#rows.set(key, (found = { row: this.#rows.size + 1, material, inVariants }));
    return found.row;
  }

  #build(animated: Set<number>, before: Scene3 | null) {
    const { data, layering } = this;
    interface Draft { piece: Piece; program: Program; material: SceneMaterial | undefined; box: Float64Array }
    const drafts: Draft[] = [], total = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    const grow = (to: Float64Array, box: Float64Array) => {
      for (let k = 0; k < 3; ++k) to[k] = Math.min(to[k], box[k]), to[3 + k] = Math.max(to[3 + k], box[3 + k]);
    };
    data.nodes.forEach((n, node) => {
      if (n.mesh < 0) return;
      for (const primitive of data.meshes[n.mesh].primitives) {
        if (!primitive.positions.length) continue;
        const material = data.materials[primitive.material], all = [material, ...primitive.inVariants.map((v) => data.materials[v.material])];
        const local = boxOf(primitive.positions);
        const skinned = n.skin >= 0 && !!primitive.joints && !!primitive.weights;
        const moving = skinned || this.moving[node] === 1 || primitive.inVariants.length > 0 || animated.has(primitive.material);
        const program: Program = {
          alpha: all.some((m) => m?.alpha === 'blend') ? 'blend' : all.some((m) => m?.alpha === 'mask') ? 'mask' : 'opaque', doubleSided: all.some((m) => m?.doubleSided),
          lit: primitive.shape === 'triangles' && all.some((m) => m && !m.unlit), moving, shape: primitive.shape,
        };
        const box = new Float64Array(6);
        movedBox(local, skinned ? identity : this.world, skinned ? 0 : 16 * node, box, 0);
        const piece: Piece = { node, mesh: n.mesh, primitive, box: local, layer: layering.layer[node], state: layering.state[node], moving, skinned, hidden: hiddenOf(data, node, primitive), batch: null!, firstVertex: 0, firstIndex: 0, indexCount: primitive.indices?.length ?? primitive.positions.length / 3, surface: moving ? '' : this.#surface(primitive.material) };
        drafts.push({ piece, program, material, box });
        this.pieces.push(piece);
        const { base, on } = layering.layers[piece.layer];
        if (base && (piece.state < 0 || piece.state === this.state)) grow(this.box, box);
        if (on) grow(total, box);
        if (primitive.shape === 'triangles') this.triangles += piece.indexCount / 3;
      }
    });
    if (!(this.box[0] <= this.box[3])) this.box.set(total);
    if (!(this.box[0] <= this.box[3])) this.box.set([-1, -1, -1, 1, 1, 1]);

    const wide = Math.max(total[3] - total[0], 1e-6), deep = Math.max(total[5] - total[2], 1e-6);
    const cell = this.triangles > 8 * trianglesOfChunk ? Math.sqrt((wide * deep * trianglesOfChunk) / this.triangles) : Infinity;
    const groups = new Map<string, { drafts: Draft[]; chunk?: Chunk }>(), chunks = new Map<string, Chunk>();
    const isWorld = cell !== Infinity && this.box[4] - this.box[1] < (wide + deep) / 4;
    for (const d of drafts) {
      const x = cell === Infinity ? 0 : Math.floor(((d.box[0] + d.box[3]) / 2 - total[0]) / cell), z = cell === Infinity ? 0 : Math.floor(((d.box[2] + d.box[5]) / 2 - total[2]) / cell);
      // Translucent triangles of several layers are sorted together.
      const layer = d.program.alpha === 'blend' && !d.program.moving ? -1 : d.piece.layer;
      const key = `${JSON.stringify(d.program)} ${layer} ${d.piece.state} ${x} ${z}`;
      let chunk: Chunk | undefined;
      if (isWorld && layering.layers[d.piece.layer].base && d.program.shape === 'triangles') {
        chunk = chunks.get(`${x} ${z}`);
        if (!chunk) chunks.set(`${x} ${z}`, (chunk = { box: d.box.slice(), triangles: 0, isFar: false }));
        grow(chunk.box, d.box);
        chunk.triangles += d.piece.indexCount / 3;
      }
      const group = groups.get(key);
      if (group) group.drafts.push(d);
      else groups.set(key, { drafts: [d], chunk: layer < 0 && layering.layers.some((l) => !l.base) ? undefined : chunk });
    }
    const drawn = new Map(before?.batches.map((b) => [b.key, b]));
    for (const [key, { drafts: group, chunk }] of groups) {
      const same = drawn.get(key);
      if (same && this.#takes(before!, same, group.map(({ piece }) => piece), chunk)) continue;
      this.#batch(key, group, chunk);
    }
    this.chunks.push(...chunks.values());
  }

  /** What the vertices of a material say of it. */
  #surface(material: number): string {
    const m = this.data.materials[material];
    return (this.#surfaces[material] ??= JSON.stringify([this.layering.colors[material], m?.transform, this.#rect(m), this.#cutoff(m), this.#bits(m)]));
  }
  /** Reuses a batch of the previous scene if these pieces look the same. */
  #takes(before: Scene3, batch: Batch, pieces: Piece[], chunk?: Chunk): boolean {
    if (batch.program.moving || batch.pieces.length !== pieces.length || pieces.some((p) => p.hidden)) return false;
    const isSame = (p: Piece, q: Piece) => {
      const a = p.primitive, b = q.primitive;
      if (a.positions !== b.positions || a.normals !== b.normals || a.colors !== b.colors || a.uvs !== b.uvs || a.indices !== b.indices || p.layer !== q.layer || p.surface !== q.surface || q.hidden) return false;
      for (let k = 0; k < 16; ++k) if (this.world[16 * p.node + k] !== before.world[16 * q.node + k]) return false;
      return true;
    };
    if (!pieces.every((p, i) => isSame(p, batch.pieces[i]))) return false;
    const taken: Batch = { ...batch, chunk, pieces, state: pieces[0].state };
    pieces.forEach((p, i) => {
      const { firstVertex, firstIndex } = batch.pieces[i];
      Object.assign(p, { batch: taken, firstVertex, firstIndex });
    });
    taken.object.material = this.programs.of(taken.program, this.#look);
    this.batches.push(taken);
    this.root.add(taken.object as Object3D);  // and no longer of the scene before
    before.batches.splice(before.batches.indexOf(batch), 1);
    return true;
  }

  #batch(key: string, group: { piece: Piece; program: Program; material: SceneMaterial | undefined; box: Float64Array }[], chunk?: Chunk) {
    const { program } = group[0], { moving, lit } = program, { layering } = this;
    let vertices = 0, count = 0;
    for (const { piece } of group) vertices += piece.primitive.positions.length / 3, count += piece.indexCount;
    const position = new Float32Array(3 * vertices), uv = new Float32Array(2 * vertices), color = new Uint16Array(4 * vertices), index = new Uint32Array(count);
    const normal = lit ? new Float32Array(3 * vertices) : null;
    const rect = moving ? null : new Uint16Array(4 * vertices), traits = moving ? null : new Uint16Array(2 * vertices), link = moving ? new Uint16Array(4 * vertices) : null;
    const bounds = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    let v = 0, n = 0, mayMove = false;
    for (const { piece, material, box } of group) {
      const { primitive: p, node, skinned } = piece, own = p.positions.length / 3, m = this.world, at = 16 * node;
      piece.firstVertex = v, piece.firstIndex = n;
      const stays = !skinned && !this.moving[node];  // baked into the scene
      mayMove ||= !stays;
      const normals = normal ? (p.normals ?? facesOf(p)) : null;
      for (let i = 0; i < own; ++i) {
        const x = p.positions[3 * i], y = p.positions[3 * i + 1], z = p.positions[3 * i + 2], o = 3 * (v + i);
        if (stays) {
          position[o] = m[at] * x + m[at + 4] * y + m[at + 8] * z + m[at + 12];
          position[o + 1] = m[at + 1] * x + m[at + 5] * y + m[at + 9] * z + m[at + 13];
          position[o + 2] = m[at + 2] * x + m[at + 6] * y + m[at + 10] * z + m[at + 14];
        } else position[o] = x, position[o + 1] = y, position[o + 2] = z;
        if (normal && normals) {
          const a = normals[3 * i], b = normals[3 * i + 1], c = normals[3 * i + 2];
          if (stays) for (let k = 0; k < 3; ++k) normal[o + k] = m[at + k] * a + m[at + 4 + k] * b + m[at + 8 + k] * c;
          else normal[o] = a, normal[o + 1] = b, normal[o + 2] = c;
        }
      }
      if (p.colors) color.set(p.colors, 4 * v);
      else color.fill(65535, 4 * v, 4 * (v + own));
      if (link) {
        if (p.uvs) uv.set(p.uvs, 2 * v);
        const row = this.#row(p.material, p.inVariants);
        let slot = 0;
        if (!stays && !skinned) {
          slot = this.#nodeSlots.get(node) ?? this.#nodeSlots.size + 1;
          this.#nodeSlots.set(node, slot);
        }
        for (let i = 0; i < own; ++i) link[4 * (v + i)] = slot, link[4 * (v + i) + 1] = row, link[4 * (v + i) + 2] = piece.layer;
      } else {
        const { transform } = material ?? { transform: { offset: [0, 0], rotation: 0, scale: [1, 1] } }, tint = layering.colors[p.material] ?? [1, 1, 1, 1];
        if (tint.some((x) => x !== 1)) for (let i = 4 * v; i < 4 * (v + own); ++i) color[i] = Math.round(color[i] * Math.min(1, Math.max(0, tint[i & 3])));
        if (p.uvs) {
          const c = Math.cos(transform.rotation), d = Math.sin(transform.rotation), [sx, sy] = transform.scale, [ox, oy] = transform.offset;
          for (let i = 0; i < own; ++i) {
            const s = p.uvs[2 * i], t = p.uvs[2 * i + 1];
            uv[2 * (v + i)] = c * sx * s + d * sy * t + ox, uv[2 * (v + i) + 1] = -d * sx * s + c * sy * t + oy;
          }
        }
        const place = this.#rect(material), first = place.layer | (this.#cutoff(material) << 8), second = this.#bits(material) | (piece.layer << 9);
        for (let i = v; i < v + own; ++i) {
          rect![4 * i] = place.x, rect![4 * i + 1] = place.y, rect![4 * i + 2] = place.width, rect![4 * i + 3] = place.height;
          traits![2 * i] = first, traits![2 * i + 1] = second;
        }
      }
      const mirrored = !skinned && program.shape === 'triangles' && isMirrored(m, at);
      for (let i = 0; i < piece.indexCount; ++i) index[n + i] = v + (p.indices ? p.indices[i] : i);
      if (mirrored) for (let i = n; i < n + piece.indexCount; i += 3) [index[i + 1], index[i + 2]] = [index[i + 2], index[i + 1]];
      if (piece.hidden) piece.all = index.slice(n, n + piece.indexCount);
      for (let k = 0; k < 3; ++k) bounds[k] = Math.min(bounds[k], box[k]), bounds[3 + k] = Math.max(bounds[3 + k], box[3 + k]);
      v += own, n += piece.indexCount;
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute('position', new BufferAttribute(position, 3));
    geometry.setAttribute('uv', new BufferAttribute(uv, 2));
    geometry.setAttribute('color', new BufferAttribute(color, 4, true));
    if (normal) geometry.setAttribute('normal', new BufferAttribute(normal, 3));
    const whole = (array: Uint16Array, size: number) => {
      const a = new BufferAttribute(array, size);
      a.gpuType = IntType;
      return a;
    };
    if (rect && traits) geometry.setAttribute('rect', whole(rect, 4)), geometry.setAttribute('traits', whole(traits, 2));
    if (link) geometry.setAttribute('link', whole(link, 4));
    const sorted = program.alpha === 'blend' && !moving;
    geometry.setIndex(new BufferAttribute(sorted ? index.slice() : index, 1));
    const center = new Vector3((bounds[0] + bounds[3]) / 2, (bounds[1] + bounds[4]) / 2, (bounds[2] + bounds[5]) / 2);
    geometry.boundingSphere = new Sphere(center, Math.hypot(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]) / 2 * (mayMove ? 1.5 : 1));
    const material = this.programs.of(program, this.#look);
    const object = program.shape === 'triangles' ? new Mesh(geometry, material) : program.shape === 'lines' ? new LineSegments(geometry, material) : new Points(geometry, material);
    if (group.some(({ piece }) => piece.skinned)) object.frustumCulled = false;
    object.matrixAutoUpdate = false;
    if (sorted) object.userData.indices = index;
    const batch: Batch = { key, chunk, object, program, pieces: group.map(({ piece }) => piece), layer: sorted ? -1 : group[0].piece.layer, state: group[0].piece.state, triangles: count / 3, center };
    for (const { piece } of group) piece.batch = batch;
    this.batches.push(batch);
    this.root.add(object as Object3D);
  }
}

export function isMirrored(m: ArrayLike<number>, at: number): boolean {
  const [a, b, c, d, e, f, g, h, i] = [m[at], m[at + 1], m[at + 2], m[at + 4], m[at + 5], m[at + 6], m[at + 8], m[at + 9], m[at + 10]];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0;
}
