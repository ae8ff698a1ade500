// Parts of the scene that are shown: its layers, its state and variant, and the polygons that the game hides.
import { signal } from '@preact/signals';
import { remember, remembered } from '../remembering';
import { said, shown } from '../state';
import type { View } from './view';

export class Layers {
  /** Grows with each scene and each change of its layers: the view, which keeps them, has no signals. */
  readonly version = signal(0);
  /** Whether their list is open. */
  readonly open = signal(remembered('picture.layers', false));
  /** The layer that is shown fully, the others faintly; -1: none. */
  readonly focus = signal(-1);
  /** A node; -1: the scene has no states. */
  readonly state = signal(-1);
  readonly variant = signal(-1);
  /** The name of the direction that one looks from; '' where no polygons are hidden. */
  readonly seenFrom = signal('');
  /** Whether hidden polygons are left out. */
  readonly asGame = signal(false);

  constructor(readonly view: () => View | null) {}

  /** Begins with another scene. */
  renew() {
    this.variant.value = -1, this.focus.value = -1, this.state.value = this.view()!.scene3!.state;
    this.turned();  // not known before the view draws it
    this.#count();
  }
  #count() {
    this.version.value = this.version.peek() + 1;
  }
  toggle() {
    remember('picture.layers', (this.open.value = !this.open.value));
  }
  setLayer(i: number, on: boolean) {
    const s = this.view()!.scene3!;
    s.shownLayers[i] = on ? 2 : 0;
    s.layering.layers[i].faint = false;
    if (this.focus.value === i && !on) this.focus.value = -1;
    this.#applyFocus();
  }
  setFocus(i: number) {
    this.focus.value = this.focus.value === i ? -1 : i;
    if (this.focus.value >= 0) this.view()!.scene3!.shownLayers[i] = 2;
    this.#applyFocus();
  }
  clearFocus() {
    if (this.focus.peek() >= 0) this.setFocus(this.focus.peek());
  }
  /** The layer in focus is shown fully, the rest faintly. */
  #applyFocus() {
    const v = this.view()!, s = v.scene3!, focus = this.focus.value;
    s.shownLayers.forEach((shownNow, i) => shownNow && (s.shownLayers[i] = (focus >= 0 && focus !== i) || (focus < 0 && s.layering.layers[i].faint) ? 1 : 2));
    v.changed();
    this.#count();
  }
  setVariant(i: number) {
    this.variant.value = i;
    this.view()!.scene3!.setVariant(i);
    this.view()!.changed();
  }
  setState(node: number) {
    this.state.value = this.view()!.scene3!.state = node;
    this.view()!.changed();
    said.value = shown.peek()!.data.nodes[node].name;
  }

  // ---- hidden polygons ----

  /** Leaves out what the game does not draw from where one looks. */
  setAsGame(on: boolean) {
    this.asGame.value = this.view()!.hidesAsGame = on;
    this.view()!.invalidate();
  }
  /** One looks from another direction. */
  turned() {
    this.seenFrom.value = this.view()!.seenFrom?.name ?? '';
  }
}
