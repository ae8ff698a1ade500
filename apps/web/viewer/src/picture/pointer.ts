// The pointer in the picture: a click, a stroke of the brush, or a rest above something. The view itself moves the camera.
import { shown } from '../state';
import type { Picture } from './picture';

export class Pointer {
  #down: { x: number; y: number; moved: boolean } | null = null;
  #frame = 0;

  constructor(readonly picture: Picture) {}

  readonly down = (e: PointerEvent) => {
    const { view: v, menu, tools: { painting }, hovering, canvas } = this.picture;
    menu.value = '';
    if (v) v.isHeld = painting.on.value && e.button === 0 && !e.shiftKey && !e.ctrlKey;
    hovering.hideTip();
    if (v?.isHeld) {
      try {
        canvas.current!.setPointerCapture(e.pointerId);
      } catch {
        // A pointer that is gone already.
      }
      return painting.down(e.clientX, e.clientY, e.altKey);
    }
    this.#down = e.button === 0 && !v?.gizmo.isTaken ? { x: e.clientX, y: e.clientY, moved: false } : null;
  };
  readonly move = (e: PointerEvent) => {
    const { painting } = this.picture.tools, { clientX, clientY } = e, d = this.#down;
    if (d && Math.hypot(clientX - d.x, clientY - d.y) > 4) d.moved = true;
    if (painting.isPainting) return painting.move(clientX, clientY);
    if (e.buttons || e.pointerType === 'touch') return;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => this.#hover(clientX, clientY));
  };
  readonly up = (e: PointerEvent) => {
    const { view: v, tools, choosing } = this.picture, d = this.#down;
    this.#down = null;
    if (v?.isHeld) {
      v.isHeld = false;
      return void tools.painting.up();
    }
    if (!d || d.moved || !v) return;
    if (tools.drawing.on.value) return tools.drawing.click(e.clientX, e.clientY);
    const hit = v.pickAt(e.clientX, e.clientY);
    if (tools.measuring.on.value) tools.measuring.click(hit);
    else void choosing.choose(hit, e.altKey);
  };
  readonly leave = () => this.picture.hovering.clear();

  #hover(x: number, y: number) {
    const { view: v, tools, hovering, box } = this.picture;
    if (!v?.scene3 || !shown.peek() || !box.current) return;
    const hit = v.pickAt(x, y);
    tools.hover(x, y);
    hovering.show(hit, x, y, box.current.getBoundingClientRect());
  }
}
