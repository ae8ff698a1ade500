// What lies under the pointer. Rays are taken into the space of each mesh that they may touch, so that shared meshes are looked
// at as they are in the scene data: boxes first, then triangles. Clear texels of masked materials are looked through.
import { Ray, Vector3 } from 'three';
import { isMirrored, movedBox, type Piece, type Scene3 } from './scene3';

export interface Hit {
  piece: Piece;
  /** Number of the triangle (line, point) in the primitive. */
  element: number;
  /** Number of the vertex in the original file, if the scene has any. */
  source?: number;
  distance: number;
  place: Vector3;
  normal: Vector3;
}

interface Found {
  element: number;
  distance: number;
  corner: number;
}

/** Distance along the ray to a box, or -1. */
function boxAt(o: ArrayLike<number>, inverse: ArrayLike<number>, box: ArrayLike<number>, at: number, grown: number): number {
  let near = -Infinity, far = Infinity;
  for (let k = 0; k < 3; ++k) {
    const a = (box[at + k] - grown - o[k]) * inverse[k], b = (box[at + 3 + k] + grown - o[k]) * inverse[k];
    near = Math.max(near, Math.min(a, b)), far = Math.min(far, Math.max(a, b));
  }
  return far >= Math.max(near, 0) ? Math.max(near, 0) : -1;
}

function inverseOf(m: ArrayLike<number>, at: number): Float64Array | null {
  const [a, b, c, d, e, f, g, h, i] = [m[at], m[at + 4], m[at + 8], m[at + 1], m[at + 5], m[at + 9], m[at + 2], m[at + 6], m[at + 10]];
  const det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  if (!det) return null;
  const n = [(e * i - f * h) / det, (c * h - b * i) / det, (b * f - c * e) / det, (f * g - d * i) / det, (a * i - c * g) / det, (c * d - a * f) / det, (d * h - e * g) / det, (b * g - a * h) / det, (a * e - b * d) / det];
  const [x, y, z] = [m[at + 12], m[at + 13], m[at + 14]];
  return new Float64Array([...n, -(n[0] * x + n[1] * y + n[2] * z), -(n[3] * x + n[4] * y + n[5] * z), -(n[6] * x + n[7] * y + n[8] * z)]);
}

export class Picker {
  #boxes: Float64Array;
  #inverses = new Map<number, Float64Array | null>();
  constructor(readonly scene: Scene3) {
    this.#boxes = new Float64Array(6 * scene.pieces.length);
    scene.pieces.forEach((p, i) => this.#measure(p, i));
  }
  #measure(p: Piece, i: number) {
    if (p.posed) {
      const box = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
      for (let k = 0; k < p.posed.length; ++k) box[k % 3] = Math.min(box[k % 3], p.posed[k]), box[3 + (k % 3)] = Math.max(box[3 + (k % 3)], p.posed[k]);
      this.#boxes.set(box, 6 * i);
    } else movedBox(p.box, this.scene.world, 16 * p.node, this.#boxes, 6 * i);
  }
  /** The box around everything of a node and what hangs below it. */
  boxOf(nodes: Set<number>): Float64Array | null {
    const out = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
    this.scene.pieces.forEach((p, i) => {
      if (!nodes.has(p.node)) return;
      if (p.moving) this.#measure(p, i);
      for (let k = 0; k < 3; ++k) out[k] = Math.min(out[k], this.#boxes[6 * i + k]), out[3 + k] = Math.max(out[3 + k], this.#boxes[6 * i + 3 + k]);
    });
    return out[0] <= out[3] ? out : null;
  }

  /** The first thing on the ray, among pieces that fit. `width`: how near lines and points have to be, for each unit of distance. */
  pick(ray: Ray, width = 0.004, near = 0, fits?: (piece: Piece) => boolean): Hit | null {
    // Faint things are only touched where nothing else is.
    const { shownLayers } = this.scene;
    return this.#first(ray, width, near, 2, fits) ?? (shownLayers.includes(1) ? this.#first(ray, width, near, 1, fits) : null);
  }
  /** The first triangle on the ray among pieces that fit, whether their layers are shown or not. */
  pickAny(ray: Ray, fits: (piece: Piece) => boolean): Hit | null {
    return this.#first(ray, 0, 0, -1, (p) => p.primitive.shape === 'triangles' && fits(p));
  }
  /** `shown`: how the layers are shown in which it looks; -1: all. */
  #first(ray: Ray, width: number, near: number, shown: number, fits?: (piece: Piece) => boolean): Hit | null {
    const { scene } = this, o = [ray.origin.x, ray.origin.y, ray.origin.z], w = [ray.direction.x, ray.direction.y, ray.direction.z];
    const inverse = w.map((x) => 1 / (x || 1e-12));
    const order: { i: number; distance: number }[] = [];
    scene.pieces.forEach((p, i) => {
      if ((shown >= 0 && (scene.shownLayers[p.layer] !== shown || !scene.showsPiece(p))) || (fits && !fits(p))) return;
      if (p.moving) this.#measure(p, i);
      const distance = boxAt(o, inverse, this.#boxes, 6 * i, p.primitive.shape === 'triangles' ? 1e-4 : width * 200);
      if (distance >= 0) order.push({ i, distance });
    });
    order.sort((a, b) => a.distance - b.distance);
    let best = null as (Found & { piece: Piece }) | null;
    for (const { i, distance } of order) {
      if (best && distance > best.distance) break;
      const piece = scene.pieces[i], own = piece.skinned ? null : this.#inverse(piece);
      if (own === undefined) continue;
      // Directions keep their length: distances along the ray are the same in all spaces.
      const lo = own ? [0, 1, 2].map((r) => own[3 * r] * o[0] + own[3 * r + 1] * o[1] + own[3 * r + 2] * o[2] + own[9 + r]) : o;
      const lw = own ? [0, 1, 2].map((r) => own[3 * r] * w[0] + own[3 * r + 1] * w[1] + own[3 * r + 2] * w[2]) : w;
      const found: Found | null = piece.primitive.shape === 'triangles' ? this.#triangles(piece, lo, lw, near, best?.distance ?? Infinity) : this.#near(piece, ray, width, best?.distance ?? Infinity);
      if (found) best = { piece, ...found };
    }
    if (!best) return null;
    const { piece, element, distance, corner } = best, place = ray.at(distance, new Vector3());
    return { piece, element, distance, place, normal: this.#normal(piece, element), source: piece.primitive.sources?.[corner] };
  }
  #inverse(p: Piece): Float64Array | null | undefined {
    if (this.scene.moving[p.node]) return inverseOf(this.scene.world, 16 * p.node) ?? undefined;
    let known = this.#inverses.get(p.node);
    if (known === undefined) this.#inverses.set(p.node, (known = inverseOf(this.scene.world, 16 * p.node)));
    return known ?? undefined;
  }

  #triangles(piece: Piece, o: number[], w: number[], near: number, most: number): Found | null {
    const { indices, positions } = piece.primitive, v = piece.posed ?? positions, count = indices?.length ?? v.length / 3;
    const both = piece.batch.program.doubleSided, facing = !piece.skinned && isMirrored(this.scene.world, 16 * piece.node) ? -1 : 1;
    let found = null as Found | null;
    for (let i = 0; i + 2 < count; i += 3) {
      const ia = indices ? indices[i] : i, ib = indices ? indices[i + 1] : i + 1, ic = indices ? indices[i + 2] : i + 2, a = 3 * ia, b = 3 * ib, c = 3 * ic;
      const ux = v[b] - v[a], uy = v[b + 1] - v[a + 1], uz = v[b + 2] - v[a + 2], tx = v[c] - v[a], ty = v[c + 1] - v[a + 1], tz = v[c + 2] - v[a + 2];
      const px = w[1] * tz - w[2] * ty, py = w[2] * tx - w[0] * tz, pz = w[0] * ty - w[1] * tx, det = ux * px + uy * py + uz * pz;
      if (det === 0 || (det * facing < 0 && !both) || this.scene.hides(piece, i / 3)) continue;
      const sx = o[0] - v[a], sy = o[1] - v[a + 1], sz = o[2] - v[a + 2], s = (sx * px + sy * py + sz * pz) / det;
      if (s < 0 || s > 1) continue;
      const qx = sy * uz - sz * uy, qy = sz * ux - sx * uz, qz = sx * uy - sy * ux, t = (w[0] * qx + w[1] * qy + w[2] * qz) / det;
      if (t < 0 || s + t > 1) continue;
      const distance = (tx * qx + ty * qy + tz * qz) / det;
      if (distance < near || distance >= most || !this.#isSolid(piece, ia, ib, ic, s, t)) continue;
      most = distance;
      found = { element: i / 3, distance, corner: s + t < 0.5 ? ia : s > t ? ib : ic };
    }
    return found;
  }
  /** Whether the texel there is drawn. */
  #isSolid(piece: Piece, a: number, b: number, c: number, s: number, t: number): boolean {
    const { data, variant } = this.scene, p = piece.primitive;
    const index = p.inVariants.find((x) => x.variant === variant)?.material ?? p.material, m = data.materials[index];
    if (!m || m.alpha === 'opaque' || m.texture < 0 || !p.uvs) return true;
    const texture = data.textures[m.texture], image = data.images[texture.image];
    const [, , , , ox, oy, turn, sx, sy] = this.scene.materialNow.get(index) ?? [0, 0, 0, 0, ...m.transform.offset, m.transform.rotation, ...m.transform.scale];
    const r = 1 - s - t, u = p.uvs[2 * a] * r + p.uvs[2 * b] * s + p.uvs[2 * c] * t, v = p.uvs[2 * a + 1] * r + p.uvs[2 * b + 1] * s + p.uvs[2 * c + 1] * t;
    const cosine = Math.cos(turn), sine = Math.sin(turn);
    const texel = (x: number, wrap: string, size: number) => {
      const f = wrap === 'clamp' ? Math.min(Math.max(x, 0), 1) : wrap === 'mirror' ? 1 - Math.abs(1 - (((x % 2) + 2) % 2)) : x - Math.floor(x);
      return Math.min(size - 1, Math.floor(f * size));
    };
    const x = texel(cosine * sx * u + sine * sy * v + ox, texture.wrapU, image.width), y = texel(-sine * sx * u + cosine * sy * v + oy, texture.wrapV, image.height);
    return image.pixels[4 * (y * image.width + x) + 3] >= (m.alpha === 'mask' ? m.alphaCutoff * 255 : 1);
  }
  /** Lines and points: those that pass near enough. */
  #near(piece: Piece, ray: Ray, width: number, most: number): Found | null {
    const { indices, positions: v, shape } = piece.primitive, step = shape === 'lines' ? 2 : 1, count = indices?.length ?? v.length / 3, m = this.scene.world, at = 16 * piece.node;
    const place = (i: number, out: Vector3) => {
      const k = 3 * (indices ? indices[i] : i);
      return out.set(m[at] * v[k] + m[at + 4] * v[k + 1] + m[at + 8] * v[k + 2] + m[at + 12], m[at + 1] * v[k] + m[at + 5] * v[k + 1] + m[at + 9] * v[k + 2] + m[at + 13],
        m[at + 2] * v[k] + m[at + 6] * v[k + 1] + m[at + 10] * v[k + 2] + m[at + 14]);
    };
    const a = new Vector3(), b = new Vector3(), on = new Vector3();
    let found = null as Found | null;
    for (let i = 0; i + step <= count; i += step) {
      place(i, a);
      const apart = step === 2 ? Math.sqrt(ray.distanceSqToSegment(a, place(i + 1, b), on)) : ray.distanceToPoint(a);
      const distance = ray.direction.dot(step === 2 ? on.sub(ray.origin) : on.copy(a).sub(ray.origin));
      if (distance <= 0 || distance >= most || apart > width * distance) continue;
      most = distance;
      found = { element: i / step, distance, corner: indices ? indices[i] : i };
    }
    return found;
  }
  #normal(piece: Piece, element: number): Vector3 {
    if (piece.primitive.shape !== 'triangles') return new Vector3(0, 1, 0);
    const [a, b, c] = cornersOf(this.scene, piece, element);
    return b.sub(a).cross(c.sub(a)).normalize();
  }
}

/** The corners of a triangle or line in the scene. */
export function cornersOf(scene: Scene3, piece: Piece, element: number): Vector3[] {
  const { indices, positions, shape } = piece.primitive, count = shape === 'triangles' ? 3 : shape === 'lines' ? 2 : 1, v = piece.posed ?? positions, m = scene.world, at = 16 * piece.node;
  return Array.from({ length: count }, (_, j) => {
    const k = 3 * (indices ? indices[count * element + j] : count * element + j), [x, y, z] = [v[k], v[k + 1], v[k + 2]];
    if (piece.posed) return new Vector3(x, y, z);
    return new Vector3(m[at] * x + m[at + 4] * y + m[at + 8] * z + m[at + 12], m[at + 1] * x + m[at + 5] * y + m[at + 9] * z + m[at + 13], m[at + 2] * x + m[at + 6] * y + m[at + 10] * z + m[at + 14]);
  });
}
