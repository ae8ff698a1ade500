// Handles that move, turn and scale nodes of the scene, or move an end of one. They appear at the centre of the meshes, even if these
// are far from the origin of their node. While they are pulled, a copy goes along; when they are let go, somebody else makes the edit, and
// the scene is built again.
import { Box3, BufferAttribute, BufferGeometry, Group, type Material, Mesh, LineSegments, Matrix4, Object3D, PerspectiveCamera, Quaternion, SphereGeometry, Vector3, type Camera } from 'three';
import { TransformControls } from 'three/examples/jsm/controls/TransformControls.js';
import type { Scene3 } from './scene3';

export type Handle = 'translate' | 'rotate' | 'scale';
export type Axis = 'X' | 'Y' | 'Z';
/** Where a node is in its parent. */
export interface Pose {
  translation: number[];
  rotation: number[];
  scale: number[];
}

/** A place of its own in a node: the path of its value, and which of its coordinates the file has. */
export interface End {
  path: string;
  at: number[];
  axes: string;
}

export class Gizmo {
  /** What is drawn. */
  readonly root = new Group();
  /** Called when a handle was let go and the nodes are elsewhere: their poses, in the order of `held`. `handle` says what was changed. */
  onPlaced: (poses: Pose[], handle: Handle) => void = () => {};
  /** The same of an end of a node. */
  onEndMoved: (end: End) => void = () => {};
  /** The nodes it holds: the first one, and others that move with it. */
  held: number[] = [];

  #controls: TransformControls;
  #parent = new Group();
  #held = new Object3D();
  #ghost = new Group();
  #before = '';
  /** From the origin of the node to where the handles stand, in its own space. */
  #pivot = new Vector3();
  #end: End | null = null;
  /** What turns where the others were into where they are. */
  #others: { parent: Matrix4; world: Matrix4 }[] = [];
  /** How the node was turned when a handle was taken. */
  #turned = new Quaternion();
  /** Where the handles were when it took the nodes. */
  #from = new Matrix4();

  constructor(canvas: HTMLCanvasElement, changed: () => void) {
    this.#controls = new TransformControls(new PerspectiveCamera(), canvas);
    this.#controls.setSize(0.75);
    this.#parent.matrixAutoUpdate = false;
    this.#parent.add(this.#held);
    this.#held.add(this.#ghost);
    this.root.add(this.#parent);
    this.#controls.addEventListener('change', changed);
    this.#controls.addEventListener('mouseDown', () => {
      this.#ghost.visible = true;
      this.#turned.copy(this.#held.quaternion);
    });
    this.#controls.addEventListener('objectChange', () => this.#turnAroundView());
    this.#controls.addEventListener('mouseUp', () => this.#place());
    // An end without a height: its middle is pulled along the ground, where the handles of both axes lie over each other.
    const { pointerHover } = this.#controls;
    this.#controls.pointerHover = (pointer) => {
      pointerHover.call(this.#controls, pointer);
      if (pointer && this.#end?.axes === 'xz' && !this.isPulled && this.#isAtMiddle(pointer)) this.#controls.axis = 'XZ';
    };
  }
  /** A ring that one looks down on: the controls would take its angle from how far the pointer goes along the axis, which is hardly at
   * all. It turns as far as the pointer goes around its centre. */
  #turnAroundView() {
    const { mode, axis, pointStart, pointEnd, rotationSnap, space, camera } = this.#controls as TransformControls & { pointStart: Vector3; pointEnd: Vector3 };
    const along = axis && ({ X: new Vector3(1, 0, 0), Y: new Vector3(0, 1, 0), Z: new Vector3(0, 0, 1) } as Record<string, Vector3>)[axis];
    if (mode !== 'rotate' || !along || !this.#controls.dragging) return;
    const parent = this.#parent.matrixWorld.clone(), frame = new Quaternion(), own = new Quaternion();
    parent.decompose(new Vector3(), frame, new Vector3());
    if (space === 'local') along.applyQuaternion(own.copy(frame).multiply(this.#turned));
    if (Math.abs(along.dot(camera.getWorldDirection(new Vector3()))) < 0.7) return;
    const flat = (v: Vector3) => v.clone().projectOnPlane(along), from = flat(pointStart), to = flat(pointEnd);
    let angle = Math.atan2(along.dot(from.clone().cross(to)), from.dot(to));
    if (rotationSnap) angle = Math.round(angle / rotationSnap) * rotationSnap;
    // The turn is of the scene; the node is turned in its parent.
    const inParent = along.applyQuaternion(frame.invert());
    this.#held.quaternion.setFromAxisAngle(inParent, angle).multiply(this.#turned);
  }
  /** `pointer`: from -1 to 1 in the picture. */
  #isAtMiddle(pointer: { x: number; y: number }): boolean {
    const at = this.#held.getWorldPosition(new Vector3()).project(this.#controls.camera), { clientWidth, clientHeight } = this.#controls.domElement as HTMLElement;
    return Math.hypot(((at.x - pointer.x) * clientWidth) / 2, ((at.y - pointer.y) * clientHeight) / 2) < 12;
  }
  dispose() {
    this.letGo();
    this.#controls.dispose();
  }

  /** The node it holds, the first one of several; -1: none. */
  get node(): number {
    return this.held[0] ?? -1;
  }
  /** Whether the pointer is on a handle, or pulls one. */
  get isTaken(): boolean {
    return this.node >= 0 && (this.#controls.dragging || this.#controls.axis !== null);
  }
  /** The handle under the pointer: X, Y, Z, XY, ... */
  get axis(): string | null {
    return this.#controls.axis;
  }
  get isPulled(): boolean {
    return this.#controls.dragging;
  }
  get handle(): Handle {
    return this.#controls.mode as Handle;
  }
  set handle(to: Handle) {
    this.#controls.setMode(this.#end ? 'translate' : to);
  }
  /** Only along or around these axes; all of them again if it is the same as before. */
  only(axis: Axis | null) {
    const c = this.#controls, isSame = axis && { X: c.showX && !c.showY, Y: c.showY && !c.showX, Z: c.showZ && !c.showY && !c.showX }[axis];
    c.showX = !axis || isSame || axis === 'X', c.showY = !axis || isSame || axis === 'Y', c.showZ = !axis || isSame || axis === 'Z';
  }
  /** In steps: `unit` of length; null: without. */
  set snap(unit: number | null) {
    this.#controls.setTranslationSnap(unit);
    this.#controls.setRotationSnap(unit === null ? null : Math.PI / 12);
    this.#controls.setScaleSnap(unit === null ? null : 0.1);
  }
  /** The axes of the node, or those of the scene. */
  set isLocal(on: boolean) {
    this.#controls.setSpace(on ? 'local' : 'world');
  }
  set camera(to: Camera) {
    if (this.#controls.camera !== to) this.#controls.camera = to;
  }

  /** Takes nodes. `material`: of the copies. */
  hold(scene: Scene3, nodes: number[], material: (lines: boolean) => Material) {
    this.letGo();
    this.held = nodes;
    const [node, ...others] = nodes, world = (i: number) => new Matrix4().fromArray(scene.world, 16 * i);
    const parentOf = (i: number) => (scene.data.nodes[i].parent < 0 ? new Matrix4() : world(scene.data.nodes[i].parent));
    this.#others = others.map((i) => ({ parent: parentOf(i), world: world(i) }));
    this.#parent.matrix.copy(parentOf(node));
    this.#parent.matrixWorldNeedsUpdate = true;
    this.#held.position.fromArray(scene.translation, 3 * node);
    this.#held.quaternion.fromArray(scene.rotation, 4 * node);
    this.#held.scale.fromArray(scene.scale, 3 * node);
    this.#held.updateMatrix();
    const own = world(node), back = own.determinant() ? own.invert() : null, below = new Set(nodes);
    scene.data.nodes.forEach((n, i) => n.parent >= 0 && below.has(n.parent) && below.add(i));
    if (back)
      for (const p of scene.pieces) {
        if (!below.has(p.node) || p.skinned || p.primitive.shape === 'points') continue;
        const g = new BufferGeometry(), isLines = p.primitive.shape === 'lines';
        g.setAttribute('position', new BufferAttribute(p.primitive.positions, 3));
        if (p.primitive.indices) g.setIndex(new BufferAttribute(p.primitive.indices, 1));
        const copy = isLines ? new LineSegments(g, material(true)) : new Mesh(g, material(false));
        copy.matrixAutoUpdate = false;
        copy.matrix.multiplyMatrices(back, world(p.node));
        copy.frustumCulled = false;
        copy.renderOrder = 1e6 + 10;
        this.#ghost.add(copy);
      }
    this.#pivot.copy(back ? Gizmo.#middleOf(nodes.map((i) => Gizmo.#centreOf(scene, i))).applyMatrix4(back) : new Vector3());
    if (!others.length && this.#pivot.length() < 1e-3) this.#pivot.set(0, 0, 0);  // its own origin
    this.#ghost.position.copy(this.#pivot).negate();
    this.#held.position.copy(this.#pivot).applyMatrix4(this.#held.matrix);
    this.#ghost.visible = false;
    this.#before = JSON.stringify(this.pose);
    this.#from = this.#frame();
    this.#controls.attach(this.#held);
    this.root.add(this.#controls.getHelper());
  }
  /** Where a node is in the scene: its origin, or the middle of its meshes if they are far from that. */
  static #centreOf(scene: Scene3, node: number): Vector3 {
    const at = new Vector3().fromArray(scene.world, 16 * node + 12), below = new Set([node]), box = new Box3();
    scene.data.nodes.forEach((n, i) => n.parent >= 0 && below.has(n.parent) && below.add(i));
    for (const { node: own, box: [x0, y0, z0, x1, y1, z1] } of scene.pieces)
      if (below.has(own)) box.union(new Box3(new Vector3(x0, y0, z0), new Vector3(x1, y1, z1)).applyMatrix4(new Matrix4().fromArray(scene.world, 16 * own)));
    const isFar = !box.isEmpty() && !box.clone().expandByScalar(box.getSize(new Vector3()).length() / 4).containsPoint(at);
    return isFar ? box.getCenter(new Vector3()) : at;
  }
  static #middleOf(all: Vector3[]): Vector3 {
    return all.reduce((sum, at) => sum.add(at), new Vector3()).divideScalar(all.length);
  }
  /** Takes an end of a node, in the space of the scene. */
  holdEnd(scene: Scene3, node: number, end: End, material: Material) {
    this.letGo();
    this.held = [node];
    this.#end = end;
    this.#parent.matrix.identity();
    this.#parent.matrixWorldNeedsUpdate = true;
    this.#held.position.fromArray(end.at);
    this.#held.quaternion.identity();
    this.#held.scale.setScalar(1);
    const box = new Box3();
    for (const p of scene.pieces) if (p.node === node) box.union(new Box3(new Vector3(p.box[0], p.box[1], p.box[2]), new Vector3(p.box[3], p.box[4], p.box[5])));
    const ghost = new Mesh(new SphereGeometry(box.getSize(new Vector3()).length() / 40 || 1), material);
    ghost.renderOrder = 1e6 + 10;
    this.#ghost.position.set(0, 0, 0);
    this.#ghost.add(ghost);
    this.#ghost.visible = true;
    this.#before = JSON.stringify(this.pose);
    this.#controls.setMode('translate');
    this.#controls.showX = end.axes.includes('x'), this.#controls.showY = end.axes.includes('y'), this.#controls.showZ = end.axes.includes('z');
    this.#controls.attach(this.#held);
    this.root.add(this.#controls.getHelper());
  }
  letGo() {
    if (!this.held.length) return;
    this.held = [], this.#others = [];
    if (this.#end) this.#controls.showX = this.#controls.showY = this.#controls.showZ = true;
    this.#end = null;
    this.#pivot.set(0, 0, 0);
    this.#controls.detach();
    this.#controls.getHelper().removeFromParent();
    for (const child of [...this.#ghost.children]) {
      (child as Mesh).geometry.dispose();
      child.removeFromParent();
    }
  }

  get pose(): Pose {
    const { position: p, quaternion: q, scale: s } = this.#held;
    const origin = this.#pivot.clone().negate().multiply(s).applyQuaternion(q).add(p);
    return { translation: origin.toArray(), rotation: q.toArray() as number[], scale: s.toArray() };
  }
  /** Where the handles are in the scene. */
  #frame(): Matrix4 {
    const { position: p, quaternion: q, scale: s } = this.#held;
    return new Matrix4().compose(p, q, s).premultiply(this.#parent.matrix);
  }
  /** Where all nodes are, each in its parent. */
  get poses(): Pose[] {
    const way = this.#frame().multiply(this.#from.clone().invert());
    return [this.pose, ...this.#others.map(({ parent, world }) => {
      const t = new Vector3(), r = new Quaternion(), s = new Vector3();
      parent.clone().invert().multiply(way).multiply(world).decompose(t, r, s);
      return { translation: t.toArray(), rotation: r.toArray() as number[], scale: s.toArray() };
    })];
  }
  get endPath(): string | undefined {
    return this.#end?.path;
  }
  /** Whether turning or scaling it also moves its origin. */
  get isFar(): boolean {
    return this.#pivot.lengthSq() > 0;
  }
  /** Moves it by steps along the axes, as the keys do. */
  nudge(x: number, y: number, z: number) {
    const { position } = this.#held;
    position.x += x, position.y += y, position.z += z;
    this.#place();
  }
  #place() {
    const now = JSON.stringify(this.pose), end = this.#end;
    if (end && now !== this.#before) {
      this.#before = now;
      return this.onEndMoved({ ...end, at: this.#held.position.toArray() });
    }
    if (now === this.#before) {
      this.#ghost.visible = false;
      return;
    }
    this.#before = now;
    this.onPlaced(this.poses, this.handle);
  }
}
