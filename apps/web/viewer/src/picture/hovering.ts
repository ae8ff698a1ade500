// Names of things under the pointer, and the place there.
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { shown } from '../state';
import type { Choosing } from './choosing';
import { askGround } from './ground';
import { short } from './measure';
import { movableAround } from './movable';
import { titleOf } from './overlays';
import type { Hit } from './picking';
import type { View } from './view';

export class Hovering {
  /** The place under the pointer, and the ground there; '' where there is nothing. */
  readonly probe = signal('');
  /** Beside the pointer: the names. */
  readonly tip = createRef<HTMLDivElement>();
  #asked = 0;

  constructor(readonly view: () => View | null, readonly choosing: Choosing) {}

  hideTip() {
    if (this.tip.current) this.tip.current.hidden = true;
  }
  clear() {
    this.hideTip();
    this.probe.value = '';
  }
  /** The pointer is at a pixel of the page, in the picture that `bounds` says. */
  show(hit: Hit | null, x: number, y: number, bounds: DOMRect) {
    const now = shown.peek(), t = this.tip.current;
    if (!now || !t) return;
    t.hidden = !hit;
    if (!hit) {
      this.probe.value = '';
      return;
    }
    const { data } = now, thing = movableAround(hit.piece.node), name = titleOf(data, thing >= 0 ? thing : hit.piece.node), own = data.nodes[hit.piece.node].name, material = data.materials[hit.piece.primitive.material]?.name;
    t.textContent = [name, thing < 0 && own !== name && own, thing < 0 && material !== name && material !== own && material].filter(Boolean).join(' · ');
    t.style.transform = `translate(${Math.min(x - bounds.left + 14, bounds.width - 180)}px, ${Math.min(y - bounds.top + 16, bounds.height - 30)}px)`;
    const p = hit.place;
    this.probe.value = `${short(p.x)}, ${short(p.y)}, ${short(p.z)}`;
    this.choosing.askAhead(hit, now);
    void this.#askGround(hit);
  }
  async #askGround(hit: Hit) {
    const number = ++this.#asked, place = this.probe.value, text = await askGround(shown.peek()!, this.view()!.scene3!, hit);
    if (text && number === this.#asked && this.probe.value === place) this.probe.value = `${place} · ${text}`;
  }
}
