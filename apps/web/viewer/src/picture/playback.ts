// Animations of the scene: which of them are played, how fast, and at which moment they are.
import { signal } from '@preact/signals';
import type { View } from './view';

export class Playback {
  readonly playing = signal(false);
  /** Seconds. Follows the player ten times a second. */
  readonly time = signal(0);
  /** -1: all that play by themselves. */
  readonly clip = signal(-1);
  readonly speed = signal(1);
  #written = 0;

  constructor(readonly view: () => View | null) {}

  /** Goes on with the player of another scene. */
  renew() {
    const { clip, playing, time, speed } = this.view()!.player!;
    this.clip.value = clip, this.playing.value = playing, this.time.value = time, this.speed.value = speed;
  }
  /** The player went on. Ten times a second is enough to read; drawing the bar takes as long as the picture where there is no graphics card. */
  follow() {
    const now = performance.now();
    if (now - this.#written < 100) return;
    this.#written = now;
    this.time.value = this.view()!.player!.time;
  }
  setPlaying(on: boolean) {
    const v = this.view();
    if (!v?.player) return;
    v.player.playing = this.playing.value = on && v.player.clips.length > 0;
    this.time.value = v.player.time;
    v.invalidate();
  }
  setTime(t: number) {
    const v = this.view();
    if (!v?.player) return;
    v.player.time = this.time.value = Math.max(0, t);
    v.player.apply();
    v.invalidate();
  }
  setSpeed(speed: number) {
    this.speed.value = this.view()!.player!.speed = speed;
  }
  setClip(index: number) {
    const p = this.view()!.player!;
    this.clip.value = index;
    if (index < 0) p.playAmbient();
    else p.playOnly(index);
    this.setTime(index < 0 ? this.time.value : 0);
  }
  stepFrame(by: number) {
    const v = this.view();
    if (!v?.player?.clips.length) return;
    this.setPlaying(false);
    const { rate, length } = v.player, frames = Math.max(1, Math.round(length * rate));
    this.setTime((((Math.round(this.time.value * rate) + by) % frames) + frames) % frames / rate);
  }
}
