// The pointer in the picture: a click, a rectangle, a stroke of the brush, or a rest above something. The view itself moves the camera.
import { createRef } from 'preact';
import { shown } from '../state';
import type { Picture } from './picture';

export class Pointer {
  #down: { x: number; y: number; moved: boolean } | null = null;
  #frame = 0;
  /** Where a rectangle began. */
  #corner: { x: number; y: number } | null = null;
  readonly rectangle = createRef<HTMLDivElement>();

  constructor(readonly picture: Picture) {}

  readonly down = (e: PointerEvent) => {
    const { view: v, menu, tools, hovering, canvas } = this.picture, { painting } = tools, withCtrl = e.ctrlKey || e.metaKey;
    menu.value = '';
    const isRectangle = e.button === 0 && withCtrl && !tools.isOn && !v?.gizmo.isTaken;
    if (v) v.isHeld = isRectangle || (painting.on.value && e.button === 0 && !e.shiftKey && !withCtrl);
    hovering.hideTip();
    if (v?.isHeld) {
      try {
        canvas.current!.setPointerCapture(e.pointerId);
      } catch {
        // A pointer that is gone already.
      }
      if (isRectangle) return void (this.#corner = { x: e.clientX, y: e.clientY });
      return painting.down(e.clientX, e.clientY, e.altKey);
    }
    this.#down = e.button === 0 && !v?.gizmo.isTaken ? { x: e.clientX, y: e.clientY, moved: false } : null;
  };
  readonly move = (e: PointerEvent) => {
    const { painting } = this.picture.tools, { clientX, clientY } = e, d = this.#down;
    if (d && Math.hypot(clientX - d.x, clientY - d.y) > 4) d.moved = true;
    if (this.#corner) return this.#stretch(this.#corner, e);
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
      if (this.#corner) return this.#endRectangle(this.#corner, e);
      return void tools.painting.up();
    }
    if (!d || d.moved || !v) return;
    if (tools.drawing.on.value) return tools.drawing.click(e.clientX, e.clientY);
    const hit = v.pickAt(e.clientX, e.clientY);
    if (tools.measuring.on.value) tools.measuring.click(hit);
    else void choosing.choose(hit, e.altKey, () => v.pickAt(e.clientX, e.clientY));
  };
  readonly leave = () => this.picture.hovering.clear();

  /** The rectangle between two places of the page, in pixels of the canvas. */
  #between(a: { x: number; y: number }, { clientX, clientY }: PointerEvent) {
    const r = this.picture.canvas.current!.getBoundingClientRect();
    return { left: Math.min(a.x, clientX) - r.left, top: Math.min(a.y, clientY) - r.top, right: Math.max(a.x, clientX) - r.left, bottom: Math.max(a.y, clientY) - r.top };
  }
  #stretch(from: { x: number; y: number }, e: PointerEvent) {
    const { left, top, right, bottom } = this.#between(from, e), box = this.rectangle.current!;
    box.hidden = false;
    Object.assign(box.style, { left: `${left}px`, top: `${top}px`, width: `${right - left}px`, height: `${bottom - top}px` });
  }
  #endRectangle(from: { x: number; y: number }, e: PointerEvent) {
    const { view: v, choosing } = this.picture, { left, top, right, bottom } = this.#between(from, e);
    this.#corner = null;
    this.rectangle.current!.hidden = true;
    if (e.type === 'pointercancel') return;
    if (Math.hypot(right - left, bottom - top) > 4) void choosing.chooseWithin(left, top, right, bottom);
    else void choosing.toggle(v!.pickAt(e.clientX, e.clientY));
  }
  #hover(x: number, y: number) {
    const { view: v, tools, hovering, box } = this.picture;
    if (!v?.scene3 || !shown.peek() || !box.current) return;
    const hit = v.pickAt(x, y);
    tools.hover(x, y);
    hovering.show(hit, x, y, box.current.getBoundingClientRect());
  }
}
