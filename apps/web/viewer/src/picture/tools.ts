// Tools that take the pointer, one at a time: painting, drawing and measuring.
import { selection, shown, type Shown } from '../state';
import { canDraw, Drawing } from './drawing';
import { Measuring } from './measure';
import { hasTiles, Painting } from './Painting';
import type { View } from './view';

export class Tools {
  readonly painting: Painting;
  readonly drawing: Drawing;
  readonly measuring: Measuring;

  /** `letGo`: makes the handles let go of the selection. They follow the tools by themselves, but a frame later: a click until then would be theirs. */
  constructor(view: () => View | null, readonly letGo: () => void) {
    this.painting = new Painting(view), this.drawing = new Drawing(view), this.measuring = new Measuring(view);
  }
  /** Whether one of them has the pointer. */
  get isOn(): boolean {
    return this.measuring.on.value || this.painting.on.value || this.drawing.on.value;
  }
  get offersPainting(): boolean {
    return !!shown.value && hasTiles(shown.value);
  }
  /** Points are drawn as long as one is selected. */
  get offersDrawing(): boolean {
    return !!shown.value && !shown.value.part && shown.value.file === selection.value.file && canDraw(selection.value.path);
  }

  togglePainting() {
    const now = shown.peek();
    if (this.painting.on.value || !now || !hasTiles(now)) return this.painting.stop();
    this.letGo();
    this.measuring.stop();
    this.drawing.stop();
    this.painting.on.value = true;
    void this.painting.start(now);
  }
  toggleDrawing() {
    if (this.drawing.on.value || !canDraw(selection.peek().path)) return this.drawing.stop();
    this.letGo();
    this.measuring.stop();
    this.painting.stop();
    this.drawing.start();
  }
  toggleMeasuring() {
    if (this.measuring.on.value) return this.measuring.stop();
    this.painting.stop(), this.drawing.stop(), this.letGo();
    this.measuring.start();
  }
  /** Escape: ends the active tool or undoes its last step; false if no tool is active. */
  back(): boolean {
    if (this.measuring.on.value) this.measuring.stop();
    else if (this.painting.on.value) this.painting.stop();
    else if (this.drawing.on.value) this.drawing.back();
    else return false;
    return true;
  }
  /** The brush goes on when the scene was built again. */
  continuePainting(now: Shown | null) {
    if (!this.painting.on.peek()) return;
    if (now && hasTiles(now)) void this.painting.start(now);
    else this.painting.stop();
  }
  /** Drawing ends once no point is selected. */
  checkDrawing() {
    if (this.drawing.on.value && !canDraw(selection.value.path)) this.drawing.stop();
  }
  /** The pointer moved with no button down. */
  hover(x: number, y: number) {
    if (this.painting.on.value) this.painting.move(x, y);
    if (this.drawing.on.value) this.drawing.move(x, y);
  }
}
