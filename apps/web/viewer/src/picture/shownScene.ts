// Gives each new scene to the view. Camera, layers and animation are kept when the same place is rebuilt.
import { reducedMotion, shown } from '../state';
import { keptCamera, placeOf } from './keptCameras';
import type { Picture } from './picture';
import type { View } from './view';

export class ShownScene {
  #place = '';
  #nodes = 0;
  /** How layers were shown, by their keys. */
  #layers = new Map<string, number>();

  constructor(readonly picture: Picture) {}

  /** Gives the view another scene. */
  follow() {
    const now = shown.value, p = this.picture, v = p.view;
    if (!now) v?.clear();
    if (!now || !v) return;
    const place = placeOf(now), stays = this.#place === place, wanted = keptCamera(place);
    this.#place = place;
    this.#keepLayers(v, stays);
    // The bars over the picture stay out of the frame: the lower one comes with animations and times of day.
    v.rig.inset = { top: 36, bottom: now.data.animations.length || now.part ? 52 : 8 };
    try {
      v.setScene(now.data, stays);
    } catch (e) {
      p.failed.value = (e as Error).message;
      return;
    }
    p.failed.value = '';
    if (!stays && wanted) v.rig.fromString(wanted);
    if (!stays) v.onMoved();
    if (!stays) p.layers.setAsGame(false);
    this.#restoreLayers(v);
    v.changed();
    p.tools.measuring.points.value = [], p.hovering.probe.value = '';
    p.layers.renew(), p.playback.renew();
    if (!stays) this.#play(v);
    p.seeing.mode.value = v.rig.place.mode;
    v.gizmo.handle = p.handles.handle.peek();
    if (!stays || this.#nodes !== now.data.nodes.length) p.choosing.touched = -1;  // numbers of nodes are others now
    this.#nodes = now.data.nodes.length;
    p.marks.clicked = '';
    void p.marks.show();
  }
  /** Layers stay switched on or off when the same place is built again. */
  #keepLayers(v: View, stays: boolean) {
    if (stays && v.scene3) v.scene3.layering.layers.forEach((l, i) => this.#layers.set(l.key, v.scene3!.shownLayers[i]));
    else this.#layers.clear();
  }
  #restoreLayers(v: View) {
    const { layering, shownLayers } = v.scene3!;
    layering.layers.forEach((l, i) => {
      const kept = this.#layers.get(l.key);
      if (kept !== undefined) shownLayers[i] = kept;
    });
  }
  /** Animations that play by themselves begin, unless the scene is large. */
  #play(v: View) {
    if (!reducedMotion.peek() && v.player!.clip < 0 && v.player!.on.size && v.scene3!.triangles < 100000) this.picture.playback.setPlaying(true);
  }
}
