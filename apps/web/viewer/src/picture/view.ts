// The picture on its canvas. Drawn when something changed; in full sharpness, smoothed and with translucent triangles in their
// order once it stands still.
import {
  AddEquation, BufferAttribute, BufferGeometry, CustomBlending, DoubleSide, Frustum, GLSL3, Group, HalfFloatType, LinearFilter, LineSegments, Matrix4, Mesh, NearestFilter, NoBlending, OneFactor,
  OneMinusSrcAlphaFactor, OrthographicCamera, PerspectiveCamera, Plane, RawShaderMaterial, RGBAFormat, Scene, SrcAlphaFactor, type Texture, Vector2, Vector3, Vector4, WebGLRenderer,
  WebGLRenderTarget,
} from 'three';
import type { SceneData } from '../types';
import type { Coloured } from './brush';
import { type Place, Rig } from './cameras';
import { type Direction, directionOf } from './corners';
import { Far } from './far';
import { type End, Gizmo } from './gizmo';
import { type Look, Programs } from './materials';
import { Fence, Pace, Slice, slow } from './pace';
import { cornersOf, type Hit, Picker } from './picking';
import { Player } from './playing';
import { type Piece, Scene3 } from './scene3';

type Rgb = [number, number, number];
export interface Colors {
  top: Rgb;
  bottom: Rgb;
  accent: Rgb;
  measure: Rgb;
}

/** Lines of the consoles' screens. */
const screenLines = { ds: 192, psx: 240 } as const;
const smoothSamples = 8;

const whole = /* glsl */ `
in vec3 position;
out vec2 at;
void main() { at = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }`;
function pass(fragmentShader: string, uniforms: Record<string, { value: unknown }>, adds = false) {
  return new RawShaderMaterial({
    glslVersion: GLSL3, vertexShader: `precision highp float;\n${whole}`, fragmentShader: `precision highp float;\nin vec2 at;\nout vec4 drawn;\n${fragmentShader}`, uniforms, depthTest: false,
    depthWrite: false, blending: adds ? CustomBlending : NoBlending, blendEquation: AddEquation, blendSrc: OneFactor, blendDst: OneFactor, blendSrcAlpha: OneFactor, blendDstAlpha: OneFactor,
  });
}
function triangle() {
  const g = new BufferGeometry();
  g.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
  return g;
}
const flats = new Map<string, RawShaderMaterial>();
/** One colour; `hidden`: also where something is in front. Kept, as shaders take long to make. */
function flat(color: Rgb, alpha: number, hidden = false) {
  const key = `${color} ${alpha} ${hidden}`, known = flats.get(key);
  if (known) return known;
  const made = new RawShaderMaterial({
    glslVersion: GLSL3, side: DoubleSide, transparent: true, depthTest: !hidden, depthWrite: false, polygonOffset: !hidden, polygonOffsetFactor: -2, polygonOffsetUnits: -8,
    vertexShader: 'precision highp float;\nuniform mat4 modelViewMatrix, projectionMatrix;\nin vec3 position;\nvoid main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
    fragmentShader: 'precision highp float;\nuniform vec4 color;\nout vec4 drawn;\nvoid main() { drawn = color; }', uniforms: { color: { value: new Vector4(...color, alpha) } },
    blending: CustomBlending, blendSrc: SrcAlphaFactor, blendDst: OneMinusSrcAlphaFactor, blendSrcAlpha: OneFactor, blendDstAlpha: OneMinusSrcAlphaFactor,
  });
  flats.set(key, made);
  return made;
}
function linesOf(points: Vector3[]) {
  const g = new BufferGeometry();
  g.setAttribute('position', new BufferAttribute(new Float32Array(points.flatMap(({ x, y, z }) => [x, y, z])), 3));
  return g;
}
const boxEdges = [[0, 1], [2, 3], [4, 5], [6, 7], [0, 2], [1, 3], [4, 6], [5, 7], [0, 4], [1, 5], [2, 6], [3, 7]];

export class View {
  readonly renderer: WebGLRenderer;
  readonly rig: Rig;
  readonly gizmo: Gizmo;
  scene3: Scene3 | null = null;
  player: Player | null = null;
  picker: Picker | null = null;
  look: Look = 'plain';
  colors: Colors = { top: [0.2, 0.24, 0.28], bottom: [0.1, 0.12, 0.14], accent: [0.4, 0.66, 1], measure: [1, 0.75, 0.2] };
  /** Called after each picture. */
  onDrawn: () => void = () => {};
  onMoved: () => void = () => {};
  onPlayed: () => void = () => {};
  /** Where one looks from now, for maps that hide something from there; whether it is left out. */
  seenFrom: Direction | null = null;
  hidesAsGame = false;
  /** Whether what the pointer does is no movement of the camera. */
  isHeld = false;
  onSeenFrom: () => void = () => {};
  /** Milliseconds between the last pictures of a movement. */
  readonly intervals: number[] = [];
  /** Pictures of this scene so far, but for those that smooth one. */
  drawn = 0;
  /** Whether what is seen is smoothed and final. */
  isFinished = false;

  #programs = new Programs();
  #scene = new Scene();
  #over = new Group();
  #background: Mesh<BufferGeometry, RawShaderMaterial>;
  #screen: Mesh<BufferGeometry, RawShaderMaterial>;
  #screenScene = new Scene();
  #screenCamera = new OrthographicCamera();
  #copy: RawShaderMaterial;
  #add: RawShaderMaterial;
  #show: RawShaderMaterial;
  #sample: WebGLRenderTarget | null = null;
  #sum: WebGLRenderTarget | null = null;
  #asked = false;
  #shown = new MessageChannel();
  /** Milliseconds until the last picture of full size was shown. */
  #took = 0;
  #isEdited = false;
  #last = 0;
  #pace = new Pace();
  #fence: Fence;
  #triangles = new Slice(40000, 4000, 200000);
  #asking = 0;
  #rest = 0;
  #samples = 0;
  #turn = 0;
  #width = 1;
  #height = 1;
  #ratio = 1;
  #marked = new Group();
  #measured = new Group();
  #tiles = new Group();
  #stroke = new Group();
  #gone = false;
  #far: Far | null = null;
  #slice = 0;
  #isSliced = false;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new WebGLRenderer({ canvas, antialias: false, alpha: false, depth: true, stencil: false, preserveDrawingBuffer: true, powerPreference: 'high-performance' });
    this.renderer.autoClear = true;
    this.renderer.info.autoReset = true;
    this.renderer.sortObjects = true;
    this.renderer.debug.checkShaderErrors = false;  // asking waits for the graphics card
    this.#fence = new Fence(this.renderer.getContext() as WebGL2RenderingContext);
    this.gizmo = new Gizmo(canvas, () => this.invalidate());  // before the rig: it hears of the pointer first
    this.rig = new Rig(canvas, () => this.invalidate(), () => this.onMoved());
    const uniforms = { top: { value: new Vector3() }, bottom: { value: new Vector3() } };
    this.#background = new Mesh(triangle(), pass('uniform vec3 top, bottom;\nvoid main() { drawn = vec4(mix(bottom, top, at.y), 1.0); }', uniforms));
    this.#background.frustumCulled = false;
    this.#background.renderOrder = -1e9;
    this.#scene.add(this.#background, this.#over);
    this.#over.add(this.#marked, this.#measured, this.#tiles, this.#stroke, this.gizmo.root);
    this.rig.isTaken = () => this.gizmo.isPulled || this.isHeld;
    this.#copy = pass('uniform sampler2D from;\nvoid main() { drawn = vec4(texture(from, at).rgb, 1.0); }', { from: { value: null } });
    // Samples are averaged in linear light.
    this.#add = pass('uniform sampler2D from;\nvoid main() { vec3 c = texture(from, at).rgb; drawn = vec4(mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), step(0.04045, c)), 1.0); }', { from: { value: null } }, true);
    this.#show = pass('uniform sampler2D from;\nuniform float part;\nvoid main() { vec3 c = texture(from, at).rgb * part; drawn = vec4(mix(c * 12.92, 1.055 * pow(c, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)), 1.0); }',
      { from: { value: null }, part: { value: 1 } });
    this.#screen = new Mesh(triangle(), this.#copy);
    this.#screen.frustumCulled = false;
    this.#screenScene.add(this.#screen);
    canvas.addEventListener('webglcontextlost', this.#lost);
    canvas.addEventListener('webglcontextrestored', () => this.invalidate());
  }
  #lost = (e: Event) => e.preventDefault();
  dispose() {
    this.#gone = true;
    clearTimeout(this.#rest);
    this.clear();
    this.#fence.clear();
    this.#shown.port1.close();
    this.rig.dispose(), this.gizmo.dispose();
    this.#sample?.dispose(), this.#sum?.dispose();
    this.#programs.dispose();
    for (const m of flats.values()) m.dispose();
    flats.clear();
    this.renderer.dispose();
  }

  // ---- what is shown ----

  clear() {
    this.gizmo.letGo();
    this.#far?.dispose();
    this.#far = null;
    this.scene3?.dispose();
    this.scene3 = this.player = this.picker = null;
    this.mark([], []), this.measure([]), this.showTiles([]), this.showStroke([], []);
  }
  /** Shows a scene, seen as before if `stays`. */
  setScene(data: SceneData, stays = false) {
    const time = stays ? this.player?.time : 0, playing = stays && this.player?.playing, speed = this.player?.speed ?? 1;
    const scene = new Scene3(data, this.renderer.capabilities.maxTextureSize, this.#programs, this.#sky(data), stays ? this.scene3 : null);
    this.clear();
    this.scene3 = scene;
    this.seenFrom = null;
    this.player = new Player(scene);
    this.player.time = time ?? 0, this.player.playing = !!playing, this.player.speed = speed;
    if (this.player.clip < 0 || this.player.time) this.player.apply();
    this.picker = new Picker(scene);
    scene.look = this.look;
    this.#scene.add(scene.root);
    if (scene.chunks.length > 8) this.#far = new Far(scene);
    if (!stays) this.#pace.begin(scene.triangles), (this.#took = 0);
    this.#isEdited = stays;
    this.rig.show(scene, this.player);
    if (!stays) {
      this.rig.place = { ...this.rig.place, yaw: -0.6, pitch: 0.6, parallel: false, mode: 'orbit', node: -1 };
      this.rig.apply(this.#width, this.#height);
      this.fitAll(false, { mode: 'orbit' });
    }
    this.#paint();
    this.drawn = 0;
    this.invalidate();
  }
  /** All of the scene is seen. */
  fitAll(smooth = true, change: Partial<Place> = {}) {
    const points = this.scene3?.outline() ?? [];
    if (!points.length) return;
    const box = [0, 1, 2].map((k) => points.reduce((m, p) => Math.min(m, p.getComponent(k)), Infinity)).concat([0, 1, 2].map((k) => points.reduce((m, p) => Math.max(m, p.getComponent(k)), -Infinity)));
    this.rig.fit(box, smooth, change, points);
  }
  setColors(colors: Colors) {
    this.colors = colors;
    this.#paint();
    this.invalidate();
  }
  /** The colours behind a scene, above and below: its own, or those of the page. */
  #sky(data: SceneData | null): [top: Rgb, bottom: Rgb] {
    const gradient = data?.extras?.gradient, [r, g, b, a] = data?.background ?? [0, 0, 0, 0];
    const byte = (c: number[]): Rgb => [c[0] / 255, c[1] / 255, c[2] / 255], display = (x: number) => (x <= 0.0031308 ? x * 12.92 : 1.055 * x ** (1 / 2.4) - 0.055);
    if (gradient) return [byte(gradient.top), byte(gradient.bottom)];
    const all: Rgb = [display(r), display(g), display(b)];
    return a > 0 ? [all, all] : [this.colors.top, this.colors.bottom];
  }
  #paint() {
    const [top, bottom] = this.#sky(this.scene3?.data ?? null);
    const u = this.#background.material.uniforms;
    u.top.value.set(...top), u.bottom.value.set(...bottom);
    this.scene3?.uniforms.uBehind.value.set(...top.map((x, i) => (x + bottom[i]) / 2));
  }
  setLook(look: Look) {
    this.look = look;
    if (this.scene3) this.scene3.look = look;
    this.invalidate();
  }
  /** After layers, states or variants of the scene changed. */
  changed() {
    this.scene3?.applyLayers();
    this.#far?.renew();
    this.invalidate();
  }
  setSize(width: number, height: number, ratio: number) {
    if (width === this.#width && height === this.#height && ratio === this.#ratio) return;
    this.#width = Math.max(1, Math.round(width * ratio)), this.#height = Math.max(1, Math.round(height * ratio)), this.#ratio = ratio;
    this.#sample?.dispose(), this.#sum?.dispose();
    this.#sample = this.#sum = null;
    this.#draw(false);  // a canvas that changed its size is empty
    this.invalidate();
  }
  /** How many triangles, lines and points are marked, and the box that is. */
  markedElements = 0;
  markedBoxes: ArrayLike<number>[] = [];
  get size() {
    return { width: this.#width, height: this.#height };
  }

  // ---- frames ----

  /** Asks for another picture. */
  invalidate() {
    this.#samples = this.#slice = this.#asking = 0;
    ++this.#turn;
    this.isFinished = false;
    clearTimeout(this.#rest);
    if (this.#asked || this.#gone) return;
    this.#asked = true;
    requestAnimationFrame(this.#frame);
  }
  #frame = (now: number) => {
    this.#asked = false;
    if (this.#gone) return;
    const passed = this.#last ? now - this.#last : 16;
    const seconds = Math.min(0.1, passed / 1000);
    this.#last = now;
    let more = this.rig.step(seconds);
    if (this.player?.playing) {
      const { player } = this, length = player.length;
      player.time += seconds * player.speed;
      if (player.on.size === 1 && length > 0 && player.time > length) player.time %= length;
      player.apply();
      this.onPlayed();
      more = true;
    }
    this.#hide();
    const moving = more || this.rig.isMoving;
    if (more) this.#note(passed);
    this.#draw(moving);
    this.onDrawn();
    // The pointer may rest between two frames: what counts is how long the page takes to show this one.
    if (!more) this.#afterFrame(performance.now(), moving);
    if (more) {
      this.#asked = true;
      requestAnimationFrame(this.#frame);
    } else {
      this.#last = 0;
      this.#rest = window.setTimeout(this.#refine, moving ? 60 : 90);
    }
  };
  #note(passed: number) {
    if (passed >= 1000) return;
    this.intervals.push(passed);
    if (this.intervals.length > 400) this.intervals.shift();
    this.#pace.note(passed);
  }
  /** A message is handled once the frame that is under way was handed over. */
  #afterFrame(start: number, moving: boolean) {
    const isWhole = this.canvas.width === this.#width;
    this.#shown.port1.onmessage = () => {
      const passed = performance.now() - start;
      if (isWhole) this.#took = passed;
      if (moving) this.#note(passed);
    };
    this.#shown.port2.postMessage(null);
  }
  #hide() {
    if (!this.scene3?.pieces.some((p) => p.hidden)) return;
    this.rig.apply(this.#width, this.#height);
    const ahead = new Vector3(0, 0, -1).applyQuaternion(this.rig.camera.quaternion), before = this.seenFrom?.name;
    this.seenFrom = directionOf(-ahead.x, ahead.z);
    this.scene3.hideFrom(this.hidesAsGame ? (this.seenFrom?.bit ?? 0) : 0);
    if (this.seenFrom?.name !== before) this.onSeenFrom();
  }
  /** Nothing moves: sorts, then smooths, a sample in each frame. */
  #refine = () => {
    if (this.#gone || this.#asked || !this.scene3) return;
    if (this.rig.isMoving) {
      this.#rest = window.setTimeout(this.#refine, 120);
      return;
    }
    const { look } = this, gl = this.#fence;
    // What is asked for now must not wait behind more than a slice when something moves again.
    if (!gl.isPast) return this.#again();
    if (this.#asking) this.#triangles.note(this.#asking, gl.took), (this.#asking = 0);
    if (this.#samples === this.#wanted || (look !== 'plain' && this.#samples)) {
      this.isFinished = true;
      this.onDrawn();
      return;
    }
    if (this.#far && !this.#far.isReady && look === 'plain') {
      this.scene3.applyVisibility();
      this.#far.drawNext(this.renderer);
      if (this.#far.isReady) this.#far.warm(this.renderer, this.rig.camera);
    } else if (look !== 'plain') {
      this.#sort(), this.#draw(false);
      this.#samples = 1;
    } else {
      if (this.#samples === 0 && this.#slice === 0) {
        this.#sort();
        this.#targets(this.#width, this.#height);
        this.renderer.setRenderTarget(this.#sum);
        this.renderer.setClearColor(0, 0), this.renderer.clear();
      }
      if (this.#accumulate(this.#samples, this.#width, this.#height, true)) {
        // A picture that takes long is seen before it is smooth.
        if (++this.#samples === this.#wanted || (this.#isSliced && this.#samples === 1)) {
          this.#setSize(1);
          this.#pass(this.#show, this.#sum!.texture, null, 1 / this.#samples);
        }
      }
    }
    gl.put();
    this.#again();
  };
  /** Large worlds are smoothed by fewer: never by how long it took, so that a picture is the same each time. */
  get #wanted() {
    return this.#far ? smoothSamples / 2 : smoothSamples;
  }
  #again() {
    const turn = this.#turn;
    requestAnimationFrame(() => turn === this.#turn && !this.#asked && this.#refine());
  }
  #sort() {
    this.rig.apply(this.#width, this.#height);
    this.scene3!.sort(new Vector3(0, 0, -1).applyQuaternion(this.rig.camera.quaternion));
  }
  #targets(width: number, height: number) {
    if (this.#sample?.width === width && this.#sample.height === height && this.#sum) return;
    this.#sample?.dispose(), this.#sum?.dispose();
    this.#sample = new WebGLRenderTarget(width, height, { minFilter: LinearFilter, magFilter: NearestFilter, format: RGBAFormat });
    this.#sum = new WebGLRenderTarget(width, height, { minFilter: NearestFilter, magFilter: NearestFilter, format: RGBAFormat, type: HalfFloatType, depthBuffer: false });
  }
  /** Draws a sample and adds it; large scenes in slices, if it may take several calls. True when it is added. */
  #accumulate(n: number, width: number, height: number, sliced = false): boolean {
    const halton = (i: number, base: number) => {
      let f = 1, r = 0;
      for (; i > 0; i = Math.floor(i / base)) (f /= base), (r += f * (i % base));
      return r;
    };
    this.rig.apply(width, height);
    this.rig.camera.setViewOffset(width, height, halton(n + 1, 2) - 0.5, halton(n + 1, 3) - 0.5, width, height);
    const isWhole = !sliced || this.#drawSlice(width, height);
    if (!sliced) this.#scenes(this.#sample, width, height);
    this.rig.camera.clearViewOffset();
    if (!isWhole) return false;
    this.renderer.autoClear = false;
    this.#pass(this.#add, this.#sample!.texture, this.#sum);
    this.renderer.autoClear = true;
    return true;
  }
  /** Part of the scene into the sample: what is solid first, then what is translucent. True with the last one. */
  #drawSlice(width: number, height: number): boolean {
    const { batches } = this.scene3!, { limit } = this.#triangles;
    this.scene3!.applyVisibility();
    const order = batches.filter((b) => b.object.visible && (b.object.frustumCulled === false || this.#sees(b)));
    for (const b of order) b.object.renderOrder = b.program.alpha === 'blend' ? -b.center.distanceTo(this.rig.camera.position) : -1e8;
    order.sort((a, b) => a.object.renderOrder - b.object.renderOrder);
    // This slice begins after as many batches as were drawn before.
    const isFirst = this.#slice === 0, now = new Set<(typeof batches)[number]>();
    let sum = 0, next = this.#slice;
    for (; next < order.length && (!sum || sum + order[next].triangles <= limit); ++next) now.add(order[next]), (sum += order[next].triangles);
    const isLast = next >= order.length;
    this.#asking = sum, this.#isSliced = !(isFirst && isLast);
    for (const b of batches) b.object.visible = now.has(b);
    this.#background.visible = isFirst, this.#over.visible = isLast, this.renderer.autoClear = isFirst;
    this.#scenes(this.#sample, width, height, true);
    this.#background.visible = this.#over.visible = this.renderer.autoClear = true;
    this.scene3!.applyVisibility();
    this.#slice = isLast ? 0 : next;
    return isLast;
  }
  #sees(b: { object: { geometry: BufferGeometry } }): boolean {
    const c = this.rig.camera;
    this.#frustum.setFromProjectionMatrix(this.#product.multiplyMatrices(c.projectionMatrix, c.matrixWorldInverse));
    return this.#frustum.intersectsSphere(b.object.geometry.boundingSphere!);
  }
  #frustum = new Frustum();
  #product = new Matrix4();
  #pass(material: RawShaderMaterial, from: Texture, to: WebGLRenderTarget | null, part = 1) {
    this.#screen.material = material;
    material.uniforms.from.value = from;
    if (material.uniforms.part) material.uniforms.part.value = part;
    this.renderer.setRenderTarget(to);
    this.renderer.render(this.#screenScene, this.#screenCamera);
  }

  /** One picture, now. */
  #draw(moving: boolean) {
    ++this.drawn;
    const { look } = this, aspect = this.#width / this.#height;
    this.rig.apply(this.#width, this.#height);
    if (look === 'plain') {
      // A large world stays coarse until it is refined; without pictures of its far parts it is drawn in full. An edited
      // scene appears at once, and sharp a moment later on a slow machine.
      const isHurried = this.#isEdited && this.#took > slow;
      const { scale, triangles } = moving || this.#far || isHurried ? (isHurried ? this.#pace.coarse : this.#pace.now) : { scale: 1, triangles: Infinity };
      this.#isEdited = false;
      this.#setSize(scale);
      return this.#scenes(null, this.canvas.width, this.canvas.height, false, this.#far ? triangles : 0);
    }
    const height = Math.min(this.#height, screenLines[look]), width = Math.max(1, Math.round(height * aspect));
    this.#setSize(1);
    if (this.#sample?.width !== width || this.#sample.height !== height) {
      this.#sample?.dispose();
      this.#sample = new WebGLRenderTarget(width, height, { format: RGBAFormat });
    }
    this.#sample.texture.magFilter = NearestFilter;
    this.#scenes(this.#sample, width, height);
    this.#pass(this.#copy, this.#sample.texture, null);
  }
  /** The canvas has part of its pixels on a side while something moves; the page enlarges it. Has to be drawn at once. */
  #setSize(scale: number) {
    const width = Math.max(1, Math.round(this.#width * scale)), height = Math.max(1, Math.round(this.#height * scale));
    if (this.canvas.width === width && this.canvas.height === height) return;
    this.renderer.setSize(width, height, false);
  }
  /** `most`: triangles that are drawn as they are; the rest from afar. 0: all. */
  #scenes(target: WebGLRenderTarget | null, width: number, height: number, asIs = false, most = 0) {
    const { scene3, renderer, rig } = this;
    this.gizmo.camera = rig.camera;
    if (scene3) {
      if (!asIs) scene3.applyVisibility();
      if (most && this.#far) this.#far.choose(rig.camera, height, most);
      else this.#far?.chooseNone();
      (scene3.uniforms.uScreen.value as Vector2).set(width, height);
      // Its distances are those of the game's cameras.
      (scene3.uniforms.uFog.value as Vector3).z = rig.place.mode === 'game' && scene3.data.extras?.fog_table ? 1 : 0;
      scene3.uniforms.uIsCoarse.value = !target && this.canvas.width < this.#width;
      scene3.uniforms.uPointSize.value = Math.max(2, height / 160);
      this.#lamps();
      for (const b of scene3.batches) if (b.program.alpha === 'blend') b.object.renderOrder = -b.center.distanceTo(rig.camera.position);
    }
    renderer.setRenderTarget(target);
    renderer.render(this.#scene, rig.camera);
  }
  #lamps() {
    const { data, uniforms, world } = this.scene3!, { camera } = this.rig;
    if (!this.scene3!.batches.some((b) => b.program.lit)) return;
    const eye = camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    let count = 0;
    data.nodes.forEach((n, i) => {
      if (n.light < 0 || count >= uniforms.uLampCone.value.length) return;
      const l = data.lights[n.light], at = 16 * i, place = new Vector3(world[at + 12], world[at + 13], world[at + 14]).applyMatrix4(eye);
      const way = new Vector3(world[at + 8], world[at + 9], world[at + 10]).transformDirection(eye);
      uniforms.uLampColor.value[count].set(l.color[0] * l.intensity, l.color[1] * l.intensity, l.color[2] * l.intensity, l.range * data.metresPerUnit);
      uniforms.uLampPlace.value[count].set(place.x, place.y, place.z, l.kind === 'directional' ? 0 : 1);
      uniforms.uLampWay.value[count].set(way.x, way.y, way.z, Math.cos(l.innerCone));
      uniforms.uLampCone.value[count] = l.kind === 'spot' ? Math.cos(l.outerCone) : -2;
      ++count;
    });
    uniforms.uLamps.value = count;
    uniforms.uParallel.value = !(camera instanceof PerspectiveCamera);
  }

  // ---- pointing ----

  /** What is under a pixel of the page. */
  pickAt(clientX: number, clientY: number, fits?: (piece: Piece) => boolean): Hit | null {
    const r = this.canvas.getBoundingClientRect();
    return this.pick(((clientX - r.left) / r.width) * 2 - 1, 1 - ((clientY - r.top) / r.height) * 2, fits);
  }
  pick(x: number, y: number, fits?: (piece: Piece) => boolean): Hit | null {
    if (!this.picker) return null;
    this.rig.apply(this.#width, this.#height);
    const isParallel = !(this.rig.camera instanceof PerspectiveCamera), pixel = this.rig.unitsOfPixel(1);
    return this.picker.pick(this.rig.ray(x, y), isParallel ? 0.002 : pixel * 5 * this.#ratio, isParallel ? 0 : this.rig.camera.near, fits);
  }
  /** The place below a pixel of the page that has this height; null: it is not seen there. */
  onPlane(clientX: number, clientY: number, height: number): Vector3 | null {
    const r = this.canvas.getBoundingClientRect();
    this.rig.apply(this.#width, this.#height);
    return this.rig.ray(((clientX - r.left) / r.width) * 2 - 1, 1 - ((clientY - r.top) / r.height) * 2).intersectPlane(new Plane(new Vector3(0, 1, 0), -height), new Vector3());
  }
  /** Where a place of the scene is seen: pixels of the page in the canvas, and how far away; null: behind the eye. */
  project(place: Vector3): { x: number; y: number; far: number } | null {
    const v = place.clone().applyMatrix4(this.rig.camera.matrixWorldInverse), far = -v.z;
    if (this.rig.camera instanceof PerspectiveCamera && far < this.rig.camera.near) return null;
    v.applyMatrix4(this.rig.camera.projectionMatrix);
    return { x: ((v.x + 1) / 2) * this.canvas.clientWidth, y: ((1 - v.y) / 2) * this.canvas.clientHeight, far };
  }

  /** What is in the middle of the picture, or else where the camera looks. */
  middle(): number[] | null {
    return this.scene3 && (this.pick(0, 0)?.place ?? this.rig.place.at).toArray();
  }
  /** Gives the handles nodes, which they move together, or an end of a node; none: they let go. */
  hold(nodes: number[], end?: End) {
    const { held, endPath } = this.gizmo;
    if (nodes.length === held.length && nodes.every((n, i) => n === held[i]) && end?.path === endPath) return;
    if (!nodes.length || !this.scene3) this.gizmo.letGo();
    else if (end) this.gizmo.holdEnd(this.scene3, nodes[0], end, flat(this.colors.accent, 0.9, true));
    else this.gizmo.hold(this.scene3, nodes, (lines) => flat(this.colors.accent, lines ? 0.9 : 0.5, true));
    this.invalidate();
  }

  // ---- marks ----

  static #empty(group: Group) {
    for (const child of [...group.children]) {
      (child as Mesh).geometry.dispose();
      child.removeFromParent();
    }
  }
  static #put(group: Group, object: Mesh | LineSegments, order: number) {
    object.frustumCulled = false;
    object.renderOrder = 1e6 + order;
    group.add(object);
  }
  /** How many things are marked. */
  get marks() {
    return this.#marked.children.length;
  }
  /** Marks triangles and lines, and boxes around things. */
  mark(elements: { piece: Piece; element: number }[], boxes: ArrayLike<number>[]) {
    View.#empty(this.#marked);
    this.markedElements = elements.length, this.markedBoxes = boxes;
    const { accent } = this.colors, faces: Vector3[] = [], edges: Vector3[] = [];
    for (const { piece, element } of elements.slice(0, 20000)) {
      const c = cornersOf(this.scene3!, piece, element);
      if (c.length === 3) faces.push(...c), edges.push(c[0], c[1], c[1], c[2], c[2], c[0]);
      else if (c.length === 2) edges.push(...c);
    }
    if (faces.length) View.#put(this.#marked, new Mesh(linesOf(faces), flat(accent, 0.4)), 1);
    // Of very many triangles the lines would hide what they surround.
    if (edges.length && edges.length < 1500) {
      View.#put(this.#marked, new LineSegments(linesOf(edges), flat(accent, 0.35, true)), 2);
      View.#put(this.#marked, new LineSegments(linesOf(edges), flat([1, 1, 1], 0.95)), 3);
    }
    if (boxes.length) {
      const points = boxes.flatMap((box) => {
        const grown = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]) * 0.01;
        const corner = (i: number) => new Vector3(...[0, 1, 2].map((k) => ((i >> k) & 1 ? box[3 + k] + grown : box[k] - grown)) as [number, number, number]);
        return boxEdges.flatMap(([a, b]) => [corner(a), corner(b)]);
      });
      View.#put(this.#marked, new LineSegments(linesOf(points), flat(accent, 0.3, true)), 4);
      View.#put(this.#marked, new LineSegments(linesOf(points), flat(accent, 1)), 5);
    }
    this.invalidate();
  }
  /** The box around triangles and lines. */
  elementsBox(elements: { piece: Piece; element: number }[]): number[] | null {
    const points = elements.flatMap(({ piece, element }) => cornersOf(this.scene3!, piece, element));
    if (!points.length) return null;
    const low = points.reduce((m, p) => m.min(p), points[0].clone()), high = points.reduce((m, p) => m.max(p), points[0].clone());
    return [low.x, low.y, low.z, high.x, high.y, high.z];
  }
  /** The line that is measured. */
  measure(points: Vector3[]) {
    View.#empty(this.#measured);
    const size = this.rig.radius * 0.01, cross = points.flatMap((p) => [[1, 0, 0], [0, 1, 0], [0, 0, 1]].flatMap((d) => [-1, 1].map((s) => new Vector3(...(d as Rgb)).multiplyScalar(s * size).add(p))));
    const line = points.length === 2 ? points : [];
    if (points.length) {
      View.#put(this.#measured, new LineSegments(linesOf([...line, ...cross]), flat(this.colors.measure, 0.5, true)), 8);
      View.#put(this.#measured, new LineSegments(linesOf([...line, ...cross]), flat(this.colors.measure, 1)), 9);
    }
    this.invalidate();
  }

  /** Tiles in their colours, and those of a stroke with lines around them. */
  showTiles(all: Coloured[]) {
    View.#empty(this.#tiles);
    const borders = all.flatMap(({ quads }) => quads.flatMap(([a, b, c, d]) => [a, b, b, c, c, d, d, a]));
    if (borders.length) View.#put(this.#tiles, new LineSegments(linesOf(borders), flat([0, 0, 0], 0.12)), 0);
    for (const { color, alpha, quads } of all) View.#put(this.#tiles, new Mesh(linesOf(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])), flat(color, alpha)), 0);
    this.invalidate();
  }
  showStroke(quads: Vector3[][], lines: Vector3[]) {
    View.#empty(this.#stroke);
    const { accent } = this.colors;
    if (quads.length) {
      View.#put(this.#stroke, new Mesh(linesOf(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])), flat(accent, 0.55)), 6);
      lines = [...lines, ...quads.flatMap(([a, b, c, d]) => [a, b, b, c, c, d, d, a])];
    }
    if (lines.length) {
      View.#put(this.#stroke, new LineSegments(linesOf(lines), flat(accent, 0.35, true)), 7);
      View.#put(this.#stroke, new LineSegments(linesOf(lines), flat([1, 1, 1], 0.95)), 7);
    }
    this.invalidate();
  }

  // ---- pictures ----

  /** The picture as it is seen, `times` as large, with every sample of smoothing. */
  async png(times: number): Promise<Blob> {
    const aspect = this.#width / this.#height, most = this.renderer.capabilities.maxTextureSize;
    const width = Math.min(most, Math.round(this.canvas.clientWidth * times)), height = Math.min(most, Math.round(this.canvas.clientHeight * times));
    if (this.scene3) this.#sort();
    this.gizmo.root.visible = false;
    const canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d')!;
    const grab = (target: WebGLRenderTarget, w: number, h: number) => {
      const bytes = new Uint8Array(w * h * 4), image = new ImageData(w, h);
      this.renderer.readRenderTargetPixels(target, 0, 0, w, h, bytes);
      for (let y = 0; y < h; ++y) image.data.set(bytes.subarray((h - 1 - y) * w * 4, (h - y) * w * 4), y * w * 4);
      return image;
    };
    if (this.look !== 'plain') {
      const h = Math.min(height, screenLines[this.look]), w = Math.max(1, Math.round(h * aspect)), target = new WebGLRenderTarget(w, h);
      this.rig.apply(w, h);
      this.#scenes(target, w, h);
      const small = new OffscreenCanvas(w, h);
      small.getContext('2d')!.putImageData(grab(target, w, h), 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(small, 0, 0, width, height);
      target.dispose();
    } else {
      this.#targets(width, height);
      this.renderer.setRenderTarget(this.#sum), this.renderer.setClearColor(0, 0), this.renderer.clear();
      for (let n = 0; n < smoothSamples; ++n) this.#accumulate(n, width, height);
      this.#pass(this.#show, this.#sum!.texture, this.#sample, 1 / smoothSamples);
      context.putImageData(grab(this.#sample!, width, height), 0, 0);
    }
    this.renderer.setRenderTarget(null);
    this.gizmo.root.visible = true;
    this.invalidate();
    return canvas.convertToBlob({ type: 'image/png' });
  }

  /** Draws `count` pictures along a path and waits for each: milliseconds. For measuring. */
  bench(count: number, place: (part: number) => void): number[] {
    const gl = this.renderer.getContext(), out: number[] = [], pixel = new Uint8Array(4);
    for (let i = 0; i < count; ++i) {
      place(i / count);
      const start = performance.now();
      this.#draw(true);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      out.push(performance.now() - start);
    }
    return out;
  }
}
