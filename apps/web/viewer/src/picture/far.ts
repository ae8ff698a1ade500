// Far parts of large worlds: each chunk once drawn from above, and shown as that picture on a coarse ground while something
// moves. A world of half a million triangles then costs what is near the eye. The ground of all of them is one mesh.
import {
  Box3, BufferAttribute, BufferGeometry, DepthTexture, DoubleSide, DynamicDrawUsage, Frustum, GLSL3, LinearFilter, Matrix4, Mesh, NearestFilter, NoBlending, OrthographicCamera, PerspectiveCamera,
  RawShaderMaterial, RGBAFormat, Scene, UnsignedIntType, Vector3, Vector4, type WebGLRenderer, WebGLRenderTarget,
} from 'three';
import type { Scene3 } from './scene3';

/** Texels of all pictures on a side; samples of a texel on a side; points of the ground on a side. */
const most = 2048, times = 3, points = 13;
/** Squares of the ground that are drawn as one, on a side: as many as stay below so many pixels. */
const steps = [1, 2, 3, 4, 6], pixelsOfSquare = 16;

const vertexShader = 'precision highp float;\nin vec3 position;\nout vec2 at;\nvoid main() { at = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }';

export class Far {
  #ready: boolean[];
  #boxes: Box3[];
  #ground: Mesh<BufferGeometry, RawShaderMaterial>;
  /** The chunk that is being drawn from above, and how it was. */
  #drawing: { chunk: number; high: number; deep: number } | null = null;
  #frustum = new Frustum();
  #product = new Matrix4();
  #tiles: WebGLRenderTarget;
  #scratch: WebGLRenderTarget;
  #heights = new WebGLRenderTarget(points, points, { minFilter: NearestFilter, magFilter: NearestFilter, depthBuffer: false });
  #texels: number;
  #across: number;
  #material: RawShaderMaterial;
  #shrink: RawShaderMaterial;
  #lowest: RawShaderMaterial;
  #screen: Mesh<BufferGeometry, RawShaderMaterial>;
  #screenScene = new Scene();
  #camera = new OrthographicCamera();
  #next = 0;

  constructor(readonly scene: Scene3) {
    const { chunks } = scene;
    this.#across = Math.ceil(Math.sqrt(chunks.length));
    this.#texels = Math.floor(most / this.#across);
    this.#ready = chunks.map(() => false);
    this.#boxes = chunks.map(({ box }) => new Box3(new Vector3(...box.subarray(0, 3)), new Vector3(...box.subarray(3, 6))));
    this.#tiles = new WebGLRenderTarget(most, most, { minFilter: LinearFilter, magFilter: LinearFilter, format: RGBAFormat, depthBuffer: false });
    const side = this.#texels * times;
    this.#scratch = new WebGLRenderTarget(side, side, { minFilter: NearestFilter, magFilter: NearestFilter, depthTexture: new DepthTexture(side, side, UnsignedIntType) });
    this.#material = new RawShaderMaterial({
      glslVersion: GLSL3, blending: NoBlending, side: DoubleSide, uniforms: { tiles: { value: this.#tiles.texture } },
      vertexShader: 'precision highp float;\nuniform mat4 modelViewMatrix, projectionMatrix;\nin vec3 position;\nin vec2 uv;\nout vec2 at;\nvoid main() { at = uv; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
      fragmentShader: 'precision highp float;\nuniform sampler2D tiles;\nin vec2 at;\nout vec4 drawn;\nvoid main() { vec4 c = texture(tiles, at); if (c.a < 0.5) discard; drawn = vec4(c.rgb / c.a, 1.0); }',
    });
    const pass = (fragmentShader: string) => new RawShaderMaterial({
      glslVersion: GLSL3, vertexShader, fragmentShader: `precision highp float;\nprecision highp sampler2D;\nin vec2 at;\nout vec4 drawn;\n${fragmentShader}`, depthTest: false, depthWrite: false, blending: NoBlending,
      uniforms: { from: { value: null }, depth: { value: null }, place: { value: new Vector4() } },
    });
    this.#shrink = pass(`uniform sampler2D from, depth;
      uniform vec4 place;
      void main() {
        ivec2 p = ivec2(gl_FragCoord.xy - place.xy) * ${times};
        vec4 sum = vec4(0.0);
        for (int y = 0; y < ${times}; ++y) for (int x = 0; x < ${times}; ++x) {
          float there = step(texelFetch(depth, p + ivec2(x, y), 0).r, 0.99999);
          sum += vec4(texelFetch(from, p + ivec2(x, y), 0).rgb, 1.0) * there;
        }
        drawn = sum / ${(times * times).toFixed(1)};
      }`);
    // The ground: what is lowest around a point.
    this.#lowest = pass(`uniform sampler2D depth;
      void main() {
        ivec2 size = textureSize(depth, 0), p = ivec2(vec2(size - 1) * floor(gl_FragCoord.xy) / ${(points - 1).toFixed(1)});
        float low = -1.0;
        for (int y = -4; y <= 4; ++y) for (int x = -4; x <= 4; ++x) {
          float d = texelFetch(depth, clamp(p + ivec2(x, y) * 3, ivec2(0), size - 1), 0).r;
          if (d < 0.99999) low = max(low, d);
        }
        float n = floor(low * 65535.0);
        drawn = low < 0.0 ? vec4(0.0) : vec4(floor(n / 256.0) / 255.0, mod(n, 256.0) / 255.0, 0.0, 1.0);
      }`);
    const g = new BufferGeometry();
    g.setAttribute('position', new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    this.#screen = new Mesh(g, this.#shrink);
    this.#screen.frustumCulled = false;
    this.#screenScene.add(this.#screen);

    const ground = new BufferGeometry(), corners = chunks.length * points * points;
    ground.setAttribute('position', new BufferAttribute(new Float32Array(3 * corners), 3)), ground.setAttribute('uv', new BufferAttribute(new Float32Array(2 * corners), 2));
    ground.setIndex(new BufferAttribute(new Uint32Array(chunks.length * (points - 1) ** 2 * 6), 1).setUsage(DynamicDrawUsage));
    ground.setDrawRange(0, 0);
    this.#ground = new Mesh(ground, this.#material);
    this.#ground.frustumCulled = this.#ground.visible = this.#ground.matrixAutoUpdate = false;
    scene.root.add(this.#ground);
  }
  dispose() {
    this.#ground.geometry.dispose(), this.#ground.removeFromParent();
    this.#tiles.dispose(), this.#scratch.depthTexture!.dispose(), this.#scratch.dispose(), this.#heights.dispose();
    this.#material.dispose(), this.#shrink.dispose(), this.#lowest.dispose(), this.#screen.geometry.dispose();
  }
  get isReady() {
    return this.#next >= this.scene.chunks.length && !this.#drawing;
  }
  /** After other layers or materials: draws all again, bit by bit. */
  renew() {
    this.#next = 0;
    this.#drawing = null;
    this.#ready.fill(false);
  }

  /** Draws the next chunk from above, when the one before is done. */
  drawNext(renderer: WebGLRenderer) {
    this.#measure(renderer);
    if (this.#next >= this.scene.chunks.length) return;
    const i = this.#next++, { box } = this.scene.chunks[i], { root, batches } = this.scene;
    const parent = root.parent!, shown = batches.map(({ object }) => object.visible), alone = new Scene();
    batches.forEach((b) => (b.object.visible = b.object.visible && b.chunk === this.scene.chunks[i]));
    this.#ground.visible = false;
    alone.add(root);
    const c = this.#camera, high = box[4] + 1, deep = box[4] - box[1] + 2;
    Object.assign(c, { left: -(box[3] - box[0]) / 2, right: (box[3] - box[0]) / 2, top: (box[5] - box[2]) / 2, bottom: -(box[5] - box[2]) / 2, near: 0, far: deep });
    c.position.set((box[0] + box[3]) / 2, high, (box[2] + box[5]) / 2);
    c.rotation.set(-Math.PI / 2, 0, 0);
    c.updateProjectionMatrix(), c.updateMatrixWorld();
    renderer.setRenderTarget(this.#scratch);
    renderer.setClearColor(0, 0);
    renderer.render(alone, c);
    parent.add(root);
    batches.forEach((b, k) => (b.object.visible = shown[k]));

    renderer.autoClear = false;
    const draw = (material: RawShaderMaterial, to: WebGLRenderTarget, from: [number, number, number, number]) => {
      this.#screen.material = material;
      material.uniforms.from.value = this.#scratch.texture, material.uniforms.depth.value = this.#scratch.depthTexture;
      material.uniforms.place.value.set(...from);
      to.viewport.set(...from), to.scissor.set(...from), (to.scissorTest = true);
      renderer.setRenderTarget(to);
      renderer.render(this.#screenScene, c);
    };
    draw(this.#shrink, this.#tiles, [...this.#place(i), this.#texels, this.#texels]);
    draw(this.#lowest, this.#heights, [0, 0, points, points]);
    renderer.autoClear = true;
    renderer.setRenderTarget(null);
    this.#drawing = { chunk: i, high, deep };
  }
  #place(chunk: number): [number, number] {
    return [(chunk % this.#across) * this.#texels, Math.floor(chunk / this.#across) * this.#texels];
  }
  /** The ground of the chunk that was drawn last. */
  #measure(renderer: WebGLRenderer) {
    if (!this.#drawing) return;
    const { chunk, high, deep } = this.#drawing, { box } = this.scene.chunks[chunk], heights = new Uint8Array(points * points * 4);
    renderer.readRenderTargetPixels(this.#heights, 0, 0, points, points, heights);
    this.#drawing = null;
    const { position, uv } = this.#ground.geometry.attributes as Record<string, BufferAttribute>, [x, y] = this.#place(chunk), first = chunk * points * points;
    const at = (i: number) => (heights[4 * i + 3] ? high - ((heights[4 * i] * 256 + heights[4 * i + 1]) / 65535) * deep : NaN);
    let sum = 0, count = 0;
    for (let i = 0; i < points * points; ++i) if (!Number.isNaN(at(i))) (sum += at(i)), ++count;
    const edge = 0.5 / most, side = this.#texels / most - 2 * edge;
    for (let row = 0; row < points; ++row)
      for (let col = 0; col < points; ++col) {
        const i = row * points + col, u = col / (points - 1), v = row / (points - 1), h = at(i);
        // The picture's first line is its south.
        position.setXYZ(first + i, box[0] + (box[3] - box[0]) * u, Number.isNaN(h) ? sum / Math.max(count, 1) : h, box[5] - (box[5] - box[2]) * v);
        uv.setXY(first + i, x / most + edge + side * u, y / most + edge + side * v);
      }
    position.needsUpdate = uv.needsUpdate = true;
    this.#ready[chunk] = true;
  }

  /** Has the shader of the ground made, so that the first frame of a movement does not wait for it. */
  warm(renderer: WebGLRenderer, camera: PerspectiveCamera | OrthographicCamera) {
    const { geometry, parent } = this.#ground, alone = new Scene(), { autoClear } = renderer;
    (geometry.index!.array as Uint32Array).fill(0, 0, 3);  // a triangle without an area
    geometry.index!.needsUpdate = true;
    geometry.setDrawRange(0, 3);
    this.#ground.visible = true, renderer.autoClear = false;
    alone.add(this.#ground);
    renderer.setRenderTarget(null);
    renderer.render(alone, camera);
    parent!.add(this.#ground);
    this.#ground.visible = false, renderer.autoClear = autoClear;
  }

  /** Shows chunks as pictures but for the nearest ones, as long as those have no more triangles than `triangles`. */
  choose(camera: PerspectiveCamera | OrthographicCamera, height: number, triangles: number) {
    const { x, y, z } = camera.position, { chunks, batches } = this.scene, index = this.#ground.geometry.index!, seen: { i: number; pixels: number }[] = [];
    this.#frustum.setFromProjectionMatrix(this.#product.multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse));
    chunks.forEach((chunk, i) => {
      if (!this.#frustum.intersectsBox(this.#boxes[i])) {
        chunk.isFar = true;
        return;
      }
      const { box } = chunk, far = Math.hypot(Math.max(box[0] - x, 0, x - box[3]), Math.max(box[1] - y, 0, y - box[4]), Math.max(box[2] - z, 0, z - box[5]));
      const scale = camera instanceof PerspectiveCamera ? height / (2 * Math.max(far, 1e-6) * Math.tan((camera.fov * Math.PI) / 360)) : height / (camera.top - camera.bottom);
      // One that is shown as it is stays so a little longer.
      seen.push({ i, pixels: scale * Math.max(box[3] - box[0], box[5] - box[2]) * (chunk.isFar ? 1 : 1.15) });
    });
    seen.sort((a, b) => b.pixels - a.pixels);
    let left = triangles, to = 0;
    for (const { i, pixels } of seen) {
      const chunk = chunks[i], isNear = (!this.#ready[i] || pixels > this.#texels * 1.25) && (chunk.triangles <= left || left === triangles);
      chunk.isFar = !isNear;
      if (isNear) left -= chunk.triangles;
      else if (this.#ready[i]) to = this.#squares(index.array as Uint32Array, to, i, steps.findLast((s) => s === 1 || (s * pixels) / (points - 1) < pixelsOfSquare)!);
    }
    index.clearUpdateRanges();
    index.addUpdateRange(0, to);
    index.needsUpdate = true;
    this.#ground.geometry.setDrawRange(0, to);
    this.#ground.visible = to > 0;
    for (const b of batches) if (b.chunk?.isFar) b.object.visible = false;
  }
  #squares(out: Uint32Array, to: number, chunk: number, step: number): number {
    const first = chunk * points * points;
    for (let row = step; row < points; row += step)
      for (let col = step; col < points; col += step) {
        const i = first + row * points + col, left = i - step, up = i - step * points, corner = up - step;
        out[to++] = i, out[to++] = left, out[to++] = up, out[to++] = left, out[to++] = corner, out[to++] = up;
      }
    return to;
  }
  /** Everything as it is. */
  chooseNone() {
    for (const c of this.scene.chunks) c.isFar = false;
    this.#ground.visible = false;
  }
}
