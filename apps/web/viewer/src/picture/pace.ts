// How much is drawn at a time, so that a slow machine stays quick to answer: while something moves, frames take no longer than the
// eye forgives; once it stands still, no more is asked of the graphics card than it has done before the next movement.

/** How finely a moving picture is drawn: part of its pixels on a side, and triangles of large worlds that are not shown from afar. */
const levels = [{ scale: 1, triangles: 120000 }, { scale: 0.75, triangles: 60000 }, { scale: 0.5, triangles: 30000 }, { scale: 0.5, triangles: 15000 }, { scale: 0.4, triangles: 8000 }];
export const slow = 45;
const verySlow = 85, fast = 34, second = 45;

export class Pace {
  #level = 0;
  #slow = 0;
  #fast = 0;
  #wait = second;
  #sinceFiner = Infinity;

  /** Before a scene has shown how long it takes. */
  begin(triangles: number) {
    this.#level = triangles > 100000 ? 2 : 0;
    this.#slow = this.#fast = 0;
    this.#wait = second, this.#sinceFiner = Infinity;
  }
  get now(): (typeof levels)[number] {
    return levels[this.#level];
  }
  /** At most half of the pixels on a side. */
  get coarse(): (typeof levels)[number] {
    return levels[Math.max(this.#level, 2)];
  }
  /** A frame of a movement came so many milliseconds after the one before. */
  note(passed: number) {
    this.#slow = passed > slow ? this.#slow + (passed > verySlow ? 2 : 1) : 0;
    this.#fast = passed < fast ? this.#fast + 1 : 0;
    ++this.#sinceFiner;
    if (this.#slow >= 3 && this.#level + 1 < levels.length) {
      ++this.#level, (this.#slow = 0);
      // Finer was too much: it is tried again later and later.
      if (this.#sinceFiner < second) this.#wait = Math.min(this.#wait * 2, 20 * second);
    } else if (this.#fast >= this.#wait && this.#level > 0) --this.#level, (this.#fast = this.#sinceFiner = 0);
  }
}

/** Knows when the graphics card has done what it was asked for. */
export class Fence {
  #sync: WebGLSync | null = null;
  #since = 0;
  #took = 0;

  constructor(readonly gl: WebGL2RenderingContext) {}
  /** After everything that was asked for until now. */
  put() {
    this.clear();
    this.#sync = this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    this.gl.flush();
    this.#since = performance.now();
  }
  /** Whether it is done. Changes between frames only. */
  get isPast(): boolean {
    if (!this.#sync) return true;
    if (this.gl.getSyncParameter(this.#sync, this.gl.SYNC_STATUS) !== this.gl.SIGNALED && !this.gl.isContextLost()) return false;
    this.#took = performance.now() - this.#since;
    this.clear();
    return true;
  }
  /** Milliseconds that the last one took. */
  get took(): number {
    return this.#took;
  }
  clear() {
    if (this.#sync) this.gl.deleteSync(this.#sync);
    this.#sync = null;
  }
}

/** How much of something fits into a slice of a picture that takes about as long as a frame may. */
export class Slice {
  #limit: number;
  constructor(readonly first: number, readonly least: number, readonly most: number) {
    this.#limit = first;
  }
  get limit(): number {
    return this.#limit;
  }
  /** `amount` took so many milliseconds. */
  note(amount: number, took: number) {
    const fits = (amount * 30) / Math.max(took, 4);
    // One that was much too slow counts at once, one that was quick carefully.
    this.#limit = Math.min(this.most, Math.max(this.least, fits < this.#limit ? fits : Math.min(fits, this.#limit * 1.5)));
  }
}
