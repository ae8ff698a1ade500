// Keys of the picture.
import { isPictureAlone } from '../state';
import type { Axis } from './gizmo';
import type { Picture } from './picture';
import type { View } from './view';

interface Key {
  /** When it does something; always if that is not given. */
  when?: (p: Picture, e: KeyboardEvent) => boolean;
  does: (p: Picture, e: KeyboardEvent) => void;
}
const holds = ({ handles }: Picture) => handles.node.value >= 0;
const isOnCanvas = ({ canvas }: Picture, e: KeyboardEvent) => e.target === canvas.current;
const only = (axis: Axis): Key => ({ when: holds, does: (p) => p.view!.gizmo.only(axis) });

function escape(p: Picture) {
  const { nodes, elements } = p.marks.marked;
  if (p.menu.value) p.menu.value = '';
  else if (p.tools.back()) return;
  else if (isPictureAlone.value && !nodes.size && !elements.length) isPictureAlone.value = false;
  else void p.choosing.choose(null);
}
/** By the name of the key in lower case. */
const keys = new Map<string, Key>(Object.entries({
  // Where the scene is seen from.
  f: { when: (_, e) => !e.shiftKey, does: (p) => p.marks.frame() },
  home: { does: (p) => p.view!.fitAll() },
  o: { does: (p) => p.seeing.set('orbit') },
  v: { does: (p) => p.seeing.set('fly') },
  t: { does: (p) => p.seeing.toggleTop() },
  c: { does: (p, e) => p.seeing.nextCamera(e.shiftKey ? -1 : 1) },
  // Handles.
  g: { when: holds, does: (p) => p.handles.set('translate') },
  r: { when: holds, does: (p) => p.handles.set('rotate') },
  b: { when: holds, does: (p) => p.handles.set('scale') },
  end: { when: holds, does: (p) => p.handles.drop() },
  x: only('X'),
  y: only('Y'),
  z: only('Z'),
  // Tools.
  m: { does: (p) => p.tools.toggleMeasuring() },
  p: { when: (p) => p.tools.offersPainting, does: (p) => p.tools.togglePainting() },
  u: { when: (p) => p.tools.offersDrawing, does: (p) => p.tools.toggleDrawing() },
  // Layers, names and the look.
  l: { does: (p) => p.layers.toggle() },
  n: { does: (p) => p.labels.toggle() },
  k: { does: (p) => p.seeing.nextLook() },
  i: { does: (p) => void p.saving.png(1) },
  // Animations.
  ' ': { when: isOnCanvas, does: (p) => p.playback.setPlaying(!p.playback.playing.value) },
  ',': { does: (p) => p.playback.stepFrame(-1) },
  '.': { does: (p) => p.playback.stepFrame(1) },
  // The selection.
  escape: { does: escape },
  enter: { when: isOnCanvas, does: (p) => void p.choosing.choose(p.view!.pick(0, 0)) },
} satisfies Record<string, Key>));

function handled(e: KeyboardEvent) {
  e.preventDefault();
  e.stopPropagation();
}
export function keyDown(p: Picture, e: KeyboardEvent) {
  const v = p.view;
  if (!v || (e.target as Element).closest('input, select')) return;
  const isUpOrDown = e.key.startsWith('Page'), withCtrl = e.ctrlKey || e.metaKey;
  if (holds(p) && !e.altKey && withCtrl !== isUpOrDown && p.handles.nudge(e.key, e.shiftKey ? 10 : 1)) return handled(e);
  p.handles.snap(e.shiftKey);
  if (isOnCanvas(p, e) && (v.rig.hold(e) || v.rig.key(e))) return e.preventDefault();
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const key = keys.get(e.key.toLowerCase());
  if (!key || (key.when && !key.when(p, e))) return;
  key.does(p, e);
  handled(e);
}
/** While the focus is in another pane. */
export function keyElsewhere(p: Picture, e: KeyboardEvent) {
  const key = keys.get(e.key.toLowerCase());
  if (p.view && key && !(key.when && !key.when(p, e))) key.does(p, e);
}
/** Anywhere in the page: a key may have been pressed in the picture. */
export function keyUp(v: View, e: KeyboardEvent) {
  if (e.key === 'Shift') v.gizmo.snap = null;
  if ((e.target as Element).closest('input, select, textarea')) return;
  if (v.rig.hold(e)) e.preventDefault();
}
