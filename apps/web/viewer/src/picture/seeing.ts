// Where the scene is seen from, by which camera of the game, and in which look.
import { signal } from '@preact/signals';
import { reducedMotion, said, shown } from '../state';
import { isHidingCamera, looksOf, nameOfCamera } from './kinds';
import type { Layers } from './layers';
import type { Look } from './materials';
import type { Playback } from './playback';
import type { View } from './view';

export interface GameCamera {
  node: number;
  name: string;
  about: string;
  /** Whether an animation moves it. */
  plays: boolean;
}

export class Seeing {
  /** As the view has it, or 'parallel' for an orbit without perspective. */
  readonly mode = signal('orbit');
  /** The node of the camera of the game that is looked through; -1: none. */
  readonly camera = signal(-1);
  readonly look = signal<Look>('plain');

  /** `chosen`: called when a camera or a look was chosen. */
  constructor(readonly view: () => View | null, readonly playback: Playback, readonly layers: Layers, readonly chosen: () => void) {}

  /** The view was moved. */
  follow() {
    const { place } = this.view()!.rig;
    this.mode.value = place.parallel && place.mode === 'orbit' ? 'parallel' : place.mode;
    this.camera.value = place.mode === 'game' ? place.node : -1;
  }
  set(mode: 'orbit' | 'fly') {
    const v = this.view();
    if (v) v.rig.mode = mode;
  }
  /** From above; back again if it is so already. */
  toggleTop() {
    const v = this.view();
    if (v?.rig.place.mode === 'top') v.rig.mode = 'orbit';
    else v?.fitAll(false, { mode: 'top' });
  }

  // ---- cameras of the game ----

  /** The animation that moves a camera; -1: none. */
  #playedBy(node: number): number {
    const { animations, nodes } = shown.peek()!.data;
    return animations.findIndex((a) => a.channels.some((c) => c.node === node) || a.fovChannels.some((c) => c.camera === nodes[node].camera));
  }
  /** Those that are played come first. */
  get cameras(): GameCamera[] {
    const data = shown.value?.data;
    if (!data) return [];
    const all = data.nodes.flatMap((n, node): GameCamera[] => {
      const type = n.extras?.type;
      return n.camera < 0 ? [] : [{ node, name: nameOfCamera(data, n), about: typeof type === 'string' ? type : '', plays: this.#playedBy(node) >= 0 }];
    });
    return all.sort((a, b) => Number(b.plays) - Number(a.plays));
  }
  /** A camera that an animation moves is played. */
  seeThrough(node: number) {
    const { nodes } = shown.peek()!.data, moves = this.#playedBy(node);
    this.view()!.rig.seeThrough(node);
    this.chosen();
    if (isHidingCamera(nodes[node])) this.layers.setAsGame(true);
    if (moves >= 0) {
      this.playback.setClip(moves);
      this.playback.setTime(0);
      if (!reducedMotion.peek()) this.playback.setPlaying(true);
    }
    said.value = `View of camera ${nodes[node].name}`;
  }
  nextCamera(by: number) {
    const all = this.cameras, at = all.findIndex((c) => c.node === this.camera.value);
    if (all.length) this.seeThrough(all[(at + by + all.length) % all.length].node);
  }

  // ---- look ----

  get looks(): Look[] {
    return looksOf(shown.value?.data);
  }
  setLook(look: Look) {
    this.look.value = look;
    this.chosen();
    this.view()?.setLook(look);
  }
  nextLook() {
    const { looks } = this;
    this.setLook(looks[(looks.indexOf(this.look.value) + 1) % 3]);
  }
}
