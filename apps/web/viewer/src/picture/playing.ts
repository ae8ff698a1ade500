// Plays animations: places of nodes, what of them is shown, materials and fields of view at one moment.
import type { SceneAnimation } from '../types';
import type { Scene3 } from './scene3';

export interface Clip {
  index: number;
  name: string;
  /** Seconds of one round. */
  length: number;
  /** Frames of the game in a second. */
  rate: number;
  /** Plays by itself in the game; others wait for something, or exclude one that plays. */
  ambient: boolean;
}

/** The last key that is not after `t`, and how far it is to the next one. */
function keyAt(times: Float32Array, t: number, step: boolean): [number, number] {
  let low = 0, high = times.length - 1;
  if (t <= times[0]) return [0, 0];
  if (t >= times[high]) return [high, 0];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  return [low, step ? 0 : (t - times[low]) / (times[high] - times[low])];
}

function mixInto(out: Float32Array, at: number, values: Float32Array, size: number, width: number, key: number, part: number) {
  const a = key * width, b = part ? a + width : a;
  for (let k = 0; k < size; ++k) out[at + k] = values[a + k] + (values[b + k] - values[a + k]) * part;
}

/** Between two rotations the short way, at an even speed (glTF 2.0, appendix C). */
function turnInto(out: Float32Array, at: number, values: Float32Array, key: number, part: number) {
  const a = key * 4, b = part ? a + 4 : a;
  let cosine = 0;
  for (let k = 0; k < 4; ++k) cosine += values[a + k] * values[b + k];
  const sign = cosine < 0 ? -1 : 1;
  cosine = Math.min(1, Math.abs(cosine));
  const angle = Math.acos(cosine), sine = Math.sin(angle);
  const from = sine > 1e-4 ? Math.sin((1 - part) * angle) / sine : 1 - part, to = (sine > 1e-4 ? Math.sin(part * angle) / sine : part) * sign;
  let length = 0;
  for (let k = 0; k < 4; ++k) {
    const v = (out[at + k] = values[a + k] * from + values[b + k] * to);
    length += v * v;
  }
  length = Math.sqrt(length) || 1;
  for (let k = 0; k < 4; ++k) out[at + k] /= length;
}

function lengthOf(a: SceneAnimation): { length: number; rate: number } {
  const e = a.extras ?? {};
  let last = 0;
  for (const c of [...a.channels, ...a.fovChannels, ...a.materialChannels, ...a.visibilityChannels]) last = Math.max(last, c.times[c.times.length - 1] ?? 0);
  const kind = String(e.kind ?? '');
  if (e.frames) return { length: Math.max(e.frames / 30, last), rate: 30 };
  if (e.ticks && e.tick_rate) return { length: Math.max(e.ticks / e.tick_rate, last), rate: e.tick_rate };
  if (e.frame_count) return { length: Math.max(e.frame_count / 30, last), rate: 30 };
  if (kind === 'clip' && e.fps) return { length: last + 1 / e.fps, rate: e.fps };
  return { length: last, rate: 60 };
}

export class Player {
  readonly clips: Clip[];
  readonly on = new Set<number>();
  time = 0;
  speed = 1;
  playing = false;
  /** Fields of view of cameras now, in radians. */
  readonly fov = new Map<number, number>();
  #scene: Scene3;
  #touched = new Set<number>();
  #applied = new Set<number>();

  constructor(scene: Scene3) {
    this.#scene = scene;
    const taken = new Set<string>();
    this.clips = scene.data.animations.map((a, index) => {
      const { length, rate } = lengthOf(a);
      const targets = [
        ...a.channels.map((c) => `n${c.node}${c.target}`), ...a.materialChannels.map((c) => `m${c.material}${c.target}`), ...a.visibilityChannels.map((c) => `v${c.node}`),
      ];
      const waits = !!a.extras?.starts || a.extras?.kind === 'cutscene' || a.extras?.kind === 'animation' || a.fovChannels.length > 0;
      const ambient = !waits && length > 0 && !targets.some((t) => taken.has(t));
      if (ambient) for (const t of targets) taken.add(t);
      return { index, name: a.name || `animation ${index}`, length, rate, ambient };
    });
    if (this.clip < 0) this.playAmbient();
    else this.on.add(this.clip);
  }
  /** What is played at first: -1 for all that play by themselves, else the first one. */
  get clip(): number {
    return this.clips.some(({ ambient }) => ambient) || !this.clips.length ? -1 : 0;
  }
  /** What plays by itself, all of it. */
  playAmbient() {
    this.on.clear();
    for (const c of this.clips) if (c.ambient) this.on.add(c.index);
  }
  playOnly(index: number) {
    this.on.clear();
    this.on.add(index);
  }
  get length(): number {
    let out = 0;
    for (const i of this.on) out = Math.max(out, this.clips[i].length);
    return out;
  }
  get rate(): number {
    let out = 0;
    for (const i of this.on) out = Math.max(out, this.clips[i].rate);
    return out || 60;
  }

  /** Gives the scene what it has at `time`. */
  apply() {
    const scene = this.#scene, { animations } = scene.data;
    scene.resetNodes(this.#touched);
    this.#touched.clear();
    const materials = new Set(this.#applied);
    for (const m of this.#applied) scene.resetMaterial(m);
    this.#applied.clear();
    this.fov.clear();
    for (const i of this.on) {
      const a = animations[i], { length } = this.clips[i];
      const t = length > 0 && this.time > length ? this.time % length : this.time;
      for (const c of a.channels) {
        const [key, part] = keyAt(c.times, t, c.interpolation === 'step');
        if (c.target === 'rotation') turnInto(scene.rotation, 4 * c.node, c.values, key, part);
        else mixInto(c.target === 'scale' ? scene.scale : scene.translation, 3 * c.node, c.values, 3, c.values.length / c.times.length, key, part);
        this.#touched.add(c.node);
      }
      for (const c of a.visibilityChannels) {
        scene.visible[c.node] = c.visible[keyAt(c.times, t, true)[0]];
        this.#touched.add(c.node);
      }
      for (const c of a.materialChannels) {
        const now = scene.materialNow.get(c.material)!, [key, part] = keyAt(c.times, t, c.interpolation === 'step');
        const [at, size] = c.target === 'color' ? [0, 4] : c.target === 'offset' ? [4, 2] : c.target === 'rotation' ? [6, 1] : [7, 2];
        mixInto(now, at, c.values, size, c.values.length / c.times.length, key, part);
        this.#applied.add(c.material), materials.add(c.material);
      }
      for (const c of a.fovChannels) {
        const [key, part] = keyAt(c.times, t, false);
        this.fov.set(c.camera, c.values[key] + ((c.values[key + 1] ?? c.values[key]) - c.values[key]) * part);
      }
    }
    scene.update();
    if (materials.size) scene.updateMaterials(materials);
  }
}
