// The view on its canvas: made, kept as large as its box and in the colours of the page, and connected with the rest of the picture.
import { shown } from '../state';
import { keepCamera, stopKeeping } from './keptCameras';
import { keyUp } from './keys';
import type { Picture } from './picture';
import { type Colors, View } from './view';

/** A colour of the page as three numbers. */
function colorOf(name: string): [number, number, number] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#808080';
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
  return [r / 255, g / 255, b / 255];
}
const colors = (): Colors => ({ top: colorOf('--sky-top'), bottom: colorOf('--sky-bottom'), accent: colorOf('--mark'), measure: colorOf('--measure') });

/** Follows the size of the box and the theme of the page; returns a function that ends it. */
function watchPage(picture: Picture, v: View): () => void {
  const resize = () => {
    const box = picture.box.current;
    if (!box) return;  // the pane is going
    v.rig.inset = { top: 36, bottom: box.querySelector('.playbar') ? 52 : 8 };
    const { clientWidth, clientHeight } = box;
    if (clientWidth && clientHeight) v.setSize(clientWidth, clientHeight, Math.min(devicePixelRatio || 1, 2));
  };
  const sizes = new ResizeObserver(resize), themes = new MutationObserver(() => {
    v.setColors(colors());
    // Overlays of a scene have other colours on another sky.
    if (shown.peek()) shown.value = { ...shown.peek()! };
  });
  sizes.observe(picture.box.current!);
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  resize();
  return () => {
    sizes.disconnect(), themes.disconnect();
  };
}
/** Lets the rest of the picture know what happens in the view. */
function connect({ seeing, playback, labels, handles, layers, hovering }: Picture, v: View) {
  v.onMoved = () => {
    hovering.clear();
    seeing.follow();
    keepCamera(v);
  };
  v.onPlayed = () => playback.follow();
  v.onDrawn = () => labels.place();
  v.onSeenFrom = () => layers.turned();
  v.gizmo.onPlaced = (poses, by) => void handles.place(poses, by);
  v.gizmo.onEndMoved = (end) => void handles.moveEnd(end);
}

/** Makes the view; returns a function that ends it. */
export function openView(picture: Picture): (() => void) | undefined {
  let v: View;
  try {
    v = picture.view = new View(picture.canvas.current!);
  } catch (e) {
    picture.failed.value = `The picture needs WebGL 2, which this browser does not support (${(e as Error).message}). All other panes work.`;
    return;
  }
  (window as any).__picture = v;
  v.setColors(colors());
  const stopWatching = watchPage(picture, v);
  connect(picture, v);
  const key = (e: KeyboardEvent) => keyUp(v, e);
  addEventListener('keyup', key);
  return () => {
    removeEventListener('keyup', key);
    stopKeeping();
    stopWatching();
    v.dispose();
    picture.view = null;
    if ((window as any).__picture === v) delete (window as any).__picture;
  };
}
