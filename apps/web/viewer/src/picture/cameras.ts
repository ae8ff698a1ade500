// Where the picture is seen from: around a point, flying, from above, or by a camera of the game. Mouse, touch and keys.
import { Matrix4, OrthographicCamera, PerspectiveCamera, Quaternion, Ray, Vector3 } from 'three';
import type { Player } from './playing';
import type { Scene3 } from './scene3';

export type Mode = 'orbit' | 'fly' | 'top' | 'game';
export interface Place {
  mode: Mode;
  /** What is looked at; where the eye is while flying. */
  at: Vector3;
  /** Radians: 0 looks north (along -Z), growing to the left; above 0 looks from above. */
  yaw: number;
  pitch: number;
  /** From the eye to `at`. In parallel views it decides what is seen. */
  distance: number;
  fov: number;
  parallel: boolean;
  /** The node of the game's camera. */
  node: number;
}

const halfPi = Math.PI / 2, usualFov = 0.8;
const up = new Vector3(0, 1, 0);

export class Rig {
  place: Place = { mode: 'orbit', at: new Vector3(), yaw: -0.6, pitch: 0.55, distance: 10, fov: usualFov, parallel: false, node: -1 };
  readonly perspective = new PerspectiveCamera();
  readonly parallel = new OrthographicCamera();
  camera: PerspectiveCamera | OrthographicCamera = this.perspective;
  /** Units in a second while flying. */
  pace = 10;
  radius = 1;
  reducedMotion = false;
  /** Pixels of the canvas at its borders that are covered. */
  inset = { top: 0, bottom: 0 };
  #scene: Scene3 | null = null;
  #player: Player | null = null;
  #keys = new Set<string>();
  #way: { from: Place; to: Place; start: number; length: number } | null = null;
  #pointers = new Map<number, { x: number; y: number }>();
  #canvas: HTMLElement;
  #size = { width: 1, height: 1 };

  /** `changed` is called whenever another picture is needed; `let go` when a person moved the camera. */
  constructor(canvas: HTMLElement, readonly changed: () => void, readonly moved: () => void) {
    this.#canvas = canvas;
    canvas.addEventListener('pointerdown', this.#down);
    canvas.addEventListener('pointermove', this.#move);
    canvas.addEventListener('pointerup', this.#up);
    canvas.addEventListener('pointercancel', this.#up);
    canvas.addEventListener('wheel', this.#wheel, { passive: false });
    canvas.addEventListener('contextmenu', this.#menu);
    canvas.addEventListener('blur', this.#release);
  }
  dispose() {
    const c = this.#canvas;
    c.removeEventListener('pointerdown', this.#down), c.removeEventListener('pointermove', this.#move), c.removeEventListener('pointerup', this.#up);
    c.removeEventListener('pointercancel', this.#up), c.removeEventListener('wheel', this.#wheel), c.removeEventListener('contextmenu', this.#menu), c.removeEventListener('blur', this.#release);
  }

  show(scene: Scene3, player: Player) {
    this.#scene = scene, this.#player = player;
    this.#way = null;
    if (this.place.mode === 'game' && !(scene.data.nodes[this.place.node]?.camera >= 0)) this.place = { ...this.place, mode: 'orbit', node: -1 };
    const [x0, y0, z0, x1, y1, z1] = scene.box;
    this.radius = Math.max(Math.hypot(x1 - x0, y1 - y0, z1 - z0) / 2, 1e-3);
    this.pace = this.radius / 4;
  }

  // ---- placing ----

  static copy = (p: Place): Place => ({ ...p, at: p.at.clone() });
  go(change: Partial<Place>, smooth = true) {
    const to = { ...Rig.copy(this.place), ...change };
    if (to.mode === 'top') to.yaw = change.yaw ?? 0, to.pitch = halfPi, to.parallel = true;
    else if (this.place.mode === 'top' && change.mode && change.pitch === undefined) to.pitch = 0.9, to.parallel = change.parallel ?? false;
    if (smooth && !this.reducedMotion && to.mode === this.place.mode && to.mode !== 'game' && to.parallel === this.place.parallel) {
      const from = Rig.copy(this.place);
      while (from.yaw - to.yaw > Math.PI) from.yaw -= 2 * Math.PI;
      while (from.yaw - to.yaw < -Math.PI) from.yaw += 2 * Math.PI;
      this.#way = { from, to, start: performance.now(), length: 280 };
    } else this.#way = null, this.place = to;
    this.moved(), this.changed();
  }
  /** All of a box is seen. */
  fit(box: ArrayLike<number>, smooth = true, change: Partial<Place> = {}, points?: Vector3[]) {
    const at = new Vector3((box[0] + box[3]) / 2, (box[1] + box[4]) / 2, (box[2] + box[5]) / 2);
    const mode = change.mode ?? (this.place.mode === 'game' || this.place.mode === 'fly' ? 'orbit' : this.place.mode);
    const to: Place = { ...Rig.copy(this.place), mode, at, fov: usualFov, ...change };
    if (mode === 'top') to.yaw = 0, to.pitch = halfPi;
    const aspect = this.#size.width / this.#size.height, half = Math.tan(to.fov / 2), { right, over, ahead } = axes(to);
    const corners = points ?? Array.from({ length: 8 }, (_, i) => new Vector3(box[i & 1 ? 3 : 0], box[i & 2 ? 4 : 1], box[i & 4 ? 5 : 2]));
    // The nearest eye that sees all of them: they press against the sides of its view.
    const isParallel = to.parallel || mode === 'top', lean = isParallel ? 0 : 1, press = [-Infinity, -Infinity, -Infinity, -Infinity];
    // How far the sides, the top and the bottom are from the middle, a tenth of them left free; half of the height is 1.
    const free = 0.91, lines = this.#canvas.clientHeight || 1, top = Math.max(0.2, 1 - (2 * this.inset.top) / lines) * free, bottom = Math.max(0.2, 1 - (2 * this.inset.bottom) / lines) * free;
    for (const c of corners) {
      const x = c.dot(right) / aspect, y = c.dot(over), z = lean * half * c.dot(ahead);
      press[0] = Math.max(press[0], x - z * free), press[1] = Math.max(press[1], -x - z * free), press[2] = Math.max(press[2], y - z * top), press[3] = Math.max(press[3], -y - z * bottom);
    }
    const reach = Math.max((press[0] + press[1]) / (2 * free), (press[2] + press[3]) / (top + bottom)) / half;
    const x = ((press[0] - press[1]) / 2) * aspect, y = (press[2] - press[3] - half * reach * (top - bottom)) / 2;
    // Parallel: `reach` is how far back the same picture would be; else minus the depth of the eye.
    const depth = at.dot(ahead), distance = isParallel ? reach : depth + reach;
    at.copy(right).multiplyScalar(x).addScaledVector(over, y).addScaledVector(ahead, depth);
    to.distance = Math.max(distance, this.radius * 1e-3);
    this.go(to, smooth);
  }
  view(yaw: number, pitch: number) {
    this.#free();
    this.go({ mode: 'orbit', yaw, pitch, parallel: this.place.parallel });
  }
  seeThrough(node: number) {
    this.go({ mode: 'game', node }, false);
  }
  /** From the view of a game's camera on, by hand. */
  #free() {
    if (this.place.mode !== 'game' || !this.#scene) return;
    const camera = this.camera, ahead = new Vector3(0, 0, -1).applyQuaternion(camera.quaternion), distance = Math.max(this.radius * 0.3, this.perspective.near * 4);
    const data = this.#scene.data.cameras[this.#scene.data.nodes[this.place.node].camera];
    const pitch = Math.asin(Math.max(-1, Math.min(1, -ahead.y))), isDown = Math.abs(ahead.y) > 0.9999;
    const top = new Vector3(0, 1, 0).applyQuaternion(camera.quaternion);
    const yaw = isDown ? Math.atan2(-top.x, -top.z) : Math.atan2(-ahead.x, -ahead.z);
    const far = data.halfHeight ? data.halfHeight / Math.tan(usualFov / 2) : distance;
    this.place = { mode: 'orbit', at: camera.position.clone().addScaledVector(ahead, data.halfHeight ? this.radius : far), yaw, pitch, distance: far, fov: data.halfHeight ? usualFov : this.perspective.fov * (Math.PI / 180), parallel: !!data.halfHeight, node: -1 };
    this.moved();
  }
  /** Orbit to flying and back, seeing the same. */
  set mode(mode: Mode) {
    if (mode === this.place.mode) return;
    this.#free();
    const { ahead } = axes(this.place), p = Rig.copy(this.place);
    if (mode === 'fly' && p.mode !== 'fly') this.go({ mode, at: p.at.addScaledVector(ahead, -p.distance), parallel: false, pitch: Math.min(p.pitch, 1.2) }, false);
    else if (p.mode === 'fly' && mode !== 'fly') this.go({ mode, at: p.at.addScaledVector(ahead, p.distance) }, false);
    else this.go({ mode }, false);
  }

  /** For the address: the place in short numbers. */
  toString(): string {
    const { mode, at, yaw, pitch, distance, parallel, node } = this.place, n = (x: number) => String(+x.toPrecision(6));
    if (mode === 'game') return `game,${node}`;
    return [mode + (parallel && mode !== 'top' ? '2' : ''), n(at.x), n(at.y), n(at.z), n(yaw), n(pitch), n(distance)].join();
  }
  fromString(text: string): boolean {
    const [word, ...rest] = text.split(','), numbers = rest.map(Number);
    if (!numbers.every(Number.isFinite)) return false;
    if (word === 'game') {
      if (!(this.#scene && this.#scene.data.nodes[numbers[0]]?.camera >= 0)) return false;
      this.go({ mode: 'game', node: numbers[0] }, false);
      return true;
    }
    const mode = word.replace('2', '') as Mode;
    if (!['orbit', 'fly', 'top'].includes(mode) || numbers.length !== 6) return false;
    const [x, y, z, yaw, pitch, distance] = numbers;
    this.place = { mode, at: new Vector3(x, y, z), yaw, pitch, distance: Math.max(distance, 1e-6), fov: usualFov, parallel: mode === 'top' || word.endsWith('2'), node: -1 };
    this.changed();
    return true;
  }

  // ---- every frame ----

  /** Moves on by `seconds`; true while there is more to come. */
  step(seconds: number): boolean {
    let more = false;
    if (this.#way) {
      const { from, to, start, length } = this.#way, t = Math.min(1, (performance.now() - start) / length), s = t * t * (3 - 2 * t), mix = (a: number, b: number) => a + (b - a) * s;
      this.place = { ...to, at: from.at.clone().lerp(to.at, s), yaw: mix(from.yaw, to.yaw), pitch: mix(from.pitch, to.pitch), distance: from.distance * (to.distance / from.distance) ** s, fov: mix(from.fov, to.fov) };
      if (t === 1) this.#way = null;
      more = true;
    }
    const k = (name: string) => (this.#keys.has(name) ? 1 : 0);
    const x = k('d') + k('arrowright') - k('a') - k('arrowleft'), z = k('w') + k('arrowup') - k('s') - k('arrowdown'), y = k('e') - k('q');
    if (x || y || z) {
      this.#free();
      const { right, ahead, over } = axes(this.place), p = this.place;
      if (p.mode === 'fly') {
        const far = this.pace * seconds * (k('shift') ? 4 : 1);
        p.at.addScaledVector(right, x * far).addScaledVector(ahead, z * far).addScaledVector(up, y * far);
      } else {
        // Over the ground, as fast as the picture is wide.
        const far = p.distance * 0.9 * seconds * (k('shift') ? 3 : 1), flat = p.mode === 'top' ? over : new Vector3(ahead.x, 0, ahead.z).normalize();
        p.at.addScaledVector(right, x * far).addScaledVector(flat.lengthSq() ? flat : over, z * far).addScaledVector(up, p.mode === 'top' ? 0 : y * far);
        if (p.mode === 'top' && y) p.distance *= Math.exp(-y * seconds * 1.5);
      }
      this.moved();
      more = true;
    }
    return more;
  }
  get isMoving() {
    return !!this.#way || this.#keys.size > 0 || this.#pointers.size > 0;
  }

  /** Sets the camera for a picture of this size. */
  apply(width: number, height: number) {
    this.#size = { width, height };
    const scene = this.#scene, p = this.place, aspect = width / height;
    if (p.mode === 'game' && scene) {
      const node = scene.data.nodes[p.node], data = scene.data.cameras[node.camera];
      const place = new Matrix4().fromArray(Array.from(scene.world.subarray(16 * p.node, 16 * p.node + 16)));
      this.camera = data.halfHeight ? this.parallel : this.perspective;
      place.decompose(this.camera.position, this.camera.quaternion, new Vector3());
      const fov = this.#player?.fov.get(node.camera) ?? data.verticalFov;
      // All that the game shows is seen, also where the picture is narrower.
      const wider = Math.max(1, data.aspect / aspect);
      if (data.halfHeight) this.#setParallel(data.halfHeight * wider, aspect, data.near, Math.max(data.far, this.radius * 4));
      else this.#setPerspective(2 * Math.atan(Math.tan(fov / 2) * wider), aspect, data.near, data.far);
      return;
    }
    const { turn, ahead } = axes(p);
    const flying = p.mode === 'fly', isParallel = p.parallel && !flying;
    this.camera = isParallel ? this.parallel : this.perspective;
    this.camera.quaternion.copy(turn);
    const away = isParallel ? Math.max(p.distance, this.radius * 2) : p.distance;
    this.camera.position.copy(p.at);
    if (!flying) this.camera.position.addScaledVector(ahead, -away);
    const reach = this.#reach();
    if (isParallel) this.#setParallel(p.distance * Math.tan(p.fov / 2), aspect, 0, reach + away);
    else this.#setPerspective(p.fov, aspect, Math.max((flying ? Math.min(this.pace, this.radius) : p.distance) * 0.01, reach * 2e-6), reach);
  }
  /** How far the farthest corner is. */
  #reach(): number {
    const box = this.#scene?.box ?? [-1, -1, -1, 1, 1, 1], c = this.camera.position;
    return Math.hypot(...[c.x, c.y, c.z].map((x, k) => Math.max(Math.abs(x - box[k]), Math.abs(x - box[3 + k])))) * 1.5 + this.radius;
  }
  #setPerspective(fov: number, aspect: number, near: number, far: number) {
    Object.assign(this.perspective, { fov: (fov * 180) / Math.PI, aspect, near, far });
    this.perspective.updateProjectionMatrix();
    this.perspective.updateMatrixWorld();
  }
  #setParallel(half: number, aspect: number, near: number, far: number) {
    Object.assign(this.parallel, { left: -half * aspect, right: half * aspect, top: half, bottom: -half, near, far });
    this.parallel.updateProjectionMatrix();
    this.parallel.updateMatrixWorld();
  }
  /** Through a point of the canvas, -1 to 1. */
  ray(x: number, y: number): Ray {
    const c = this.camera, a = new Vector3(x, y, -1).unproject(c);
    if (c instanceof PerspectiveCamera) return new Ray(c.position.clone(), a.sub(c.position).normalize());
    return new Ray(a, new Vector3(0, 0, -1).applyQuaternion(c.quaternion));
  }
  /** Units of the scene in a pixel, at a distance. */
  unitsOfPixel(distance: number): number {
    const c = this.camera;
    return c instanceof PerspectiveCamera ? (2 * distance * Math.tan((c.fov * Math.PI) / 360)) / this.#size.height : (c.top - c.bottom) / this.#size.height;
  }

  // ---- hands ----

  /** Whether something else has the pointer. */
  isTaken: () => boolean = () => false;

  #down = (e: PointerEvent) => {
    this.#canvas.focus({ preventScroll: true });
    if (this.isTaken()) return;
    this.#pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    try {
      this.#canvas.setPointerCapture(e.pointerId);
    } catch {
      // A pointer that is gone already.
    }
  };
  #up = (e: PointerEvent) => {
    this.#pointers.delete(e.pointerId);
    this.changed();
  };
  #menu = (e: Event) => e.preventDefault();
  #move = (e: PointerEvent) => {
    const from = this.#pointers.get(e.pointerId);
    if (!from) return;
    const dx = e.clientX - from.x, dy = e.clientY - from.y;
    if (!dx && !dy) return;
    if (this.#pointers.size === 1) {
      const pans = e.buttons & 6 || e.shiftKey || this.place.mode === 'top';
      this.#free();
      if (pans) this.#pan(dx, dy);
      else this.#turn(dx, dy);
    } else if (this.#pointers.size === 2) {
      const [a, b] = [...this.#pointers.values()], other = a === from ? b : a;
      const before = Math.hypot(from.x - other.x, from.y - other.y), after = Math.hypot(e.clientX - other.x, e.clientY - other.y);
      this.#free();
      if (before > 0 && after > 0) this.#zoom(before / after);
      this.#pan(dx / 2, dy / 2);
    }
    from.x = e.clientX, from.y = e.clientY;
    this.#way = null;
    this.moved(), this.changed();
  };
  #turn(dx: number, dy: number) {
    const p = this.place, speed = p.mode === 'fly' ? -0.0035 : 0.007;
    p.yaw -= dx * speed;
    p.pitch = Math.max(-halfPi, Math.min(halfPi, p.pitch + dy * speed));
  }
  #pan(dx: number, dy: number) {
    const p = this.place, { right, over } = axes(p), one = p.mode === 'fly' ? this.pace / 100 : (2 * p.distance * Math.tan(p.fov / 2)) / Math.max(this.#canvas.clientHeight, 1);
    p.at.addScaledVector(right, -dx * one).addScaledVector(over, dy * one);
  }
  #zoom(times: number, x = 0, y = 0) {
    const p = this.place;
    if (p.mode === 'fly') {
      this.pace = Math.min(this.radius * 4, Math.max(this.radius * 1e-4, this.pace / times));
      return;
    }
    const { right, over } = axes(p), next = Math.min(this.radius * 20, Math.max(this.radius * 1e-4, p.distance * times)), half = Math.tan(p.fov / 2), aspect = this.#size.width / this.#size.height;
    // What is under the pointer stays there.
    const shift = (p.distance - next) * half;
    p.at.addScaledVector(right, x * aspect * shift).addScaledVector(over, y * shift);
    p.distance = next;
  }
  #wheel = (e: WheelEvent) => {
    e.preventDefault();
    this.#free();
    const r = this.#canvas.getBoundingClientRect(), lines = e.deltaMode === 1 ? 33 : e.deltaMode === 2 ? 400 : 1;
    this.#zoom(Math.exp(Math.max(-300, Math.min(300, e.deltaY * lines)) * (e.ctrlKey ? 0.008 : 0.0014)), ((e.clientX - r.left) / r.width) * 2 - 1, 1 - ((e.clientY - r.top) / r.height) * 2);
    this.#way = null;
    this.moved(), this.changed();
  };
  #release = () => this.#keys.clear();
  /** A key that is held moves the camera; true if it is one of these. */
  hold(e: KeyboardEvent): boolean {
    const key = e.key.toLowerCase();
    if (e.type === 'keyup') {
      if (this.#keys.delete(key)) this.changed();
      return false;
    }
    if (key === 'shift') return this.#keys.add('shift'), false;
    if (e.ctrlKey || e.metaKey || e.altKey) return false;
    if (!['w', 'a', 's', 'd', 'q', 'e', 'arrowleft', 'arrowright', 'arrowup', 'arrowdown'].includes(key)) return false;
    this.#keys.add(key);
    this.#way = null;
    this.changed();
    return true;
  }
  /** Keys of views, as in Blender. */
  key(e: KeyboardEvent): boolean {
    if (e.metaKey || e.altKey) return false;
    const pad = e.code.startsWith('Numpad') || e.code.startsWith('Digit') ? e.code.slice(-1) : '', back = e.ctrlKey, step = Math.PI / 12, p = this.#way?.to ?? this.place;
    const full = { '1': () => this.view(back ? Math.PI : 0, 0), '3': () => this.view(back ? -halfPi : halfPi, 0), '7': () => this.view(0, back ? -halfPi : halfPi) }[pad];
    if (full) return full(), true;
    if (back) return false;
    switch (pad) {
      case '4': return this.view(p.yaw - step, p.pitch), true;
      case '6': return this.view(p.yaw + step, p.pitch), true;
      case '8': return this.view(p.yaw, Math.min(halfPi, p.pitch + step)), true;
      case '2': return this.view(p.yaw, Math.max(-halfPi, p.pitch - step)), true;
      case '9': return this.view(p.yaw + Math.PI, -p.pitch), true;
      case '5':
        this.#free();
        this.go({ mode: 'orbit', parallel: !p.parallel, pitch: p.pitch }, false);
        return true;
    }
    if (e.key === '+' || e.key === '-') {
      this.#free();
      this.#zoom(e.key === '+' ? 0.8 : 1.25);
      this.moved(), this.changed();
      return true;
    }
    return false;
  }
}

export function axes(p: Place) {
  const turn = new Quaternion().setFromAxisAngle(up, p.yaw).multiply(new Quaternion().setFromAxisAngle(new Vector3(1, 0, 0), -p.pitch));
  return { turn, right: new Vector3(1, 0, 0).applyQuaternion(turn), over: new Vector3(0, 1, 0).applyQuaternion(turn), ahead: new Vector3(0, 0, -1).applyQuaternion(turn) };
}
