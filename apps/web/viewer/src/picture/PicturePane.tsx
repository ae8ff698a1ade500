// The picture: the selected file or part of a game as it looks, with all bars and panels over it.
import { effect, useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { formats } from '../formats';
import { current } from '../showing';
import { others } from '../together';
import { pictureApi, rearranged, reducedMotion, selection, shown } from '../state';
import { openView } from './canvas';
import { commandsOf } from './commands';
import { askGame, askStates } from './games';
import { keyDown, keyElsewhere } from './keys';
import { LayerPanel } from './LayerPanel';
import { between, short } from './measure';
import { BrushLegend } from './Painting';
import { Picture } from './picture';
import { PlayBar } from './PlayBar';
import { Pointer } from './pointer';
import { ShownScene } from './shownScene';
import { CornerTools, Toolbar } from './Toolbar';
import './picture.css';

/** Makes the view, and lets the picture follow the signals of the page. The effects run in this order. */
function useEffects(p: Picture, scene: ShownScene) {
  const { tools, layers } = p;
  useEffect(() => openView(p), []);
  useEffect(() => {
    pictureApi.current = { press: (e) => keyElsewhere(p, e), commands: () => commandsOf(p), middle: () => p.view?.middle() ?? null };
    return () => { pictureApi.current = null; };
  }, []);
  useSignalEffect(() => {
    if (p.view) p.view.rig.reducedMotion = reducedMotion.value;
  });
  useSignalEffect(() => scene.follow());
  useSignalEffect(() => {
    void shown.value, void selection.value, void formats.value, void current.value, void layers.version.value, void rearranged.value;
    void others();
    void tools.measuring.on.value, void tools.painting.on.value, void tools.drawing.on.value;
    void p.handles.show();
  });
  useSignalEffect(() => {
    void layers.version.value;
    tools.continuePainting(shown.value);
  });
  useSignalEffect(() => tools.checkDrawing());
  useSignalEffect(askGame);
  useSignalEffect(askStates);
  // At once, unlike those above, which wait for the next frame.
  useEffect(() => effect(() => {
    void selection.value, void others();
    void p.marks.show();
  }), []);
  useSignalEffect(() => p.marks.showImage());
}

export function PicturePane() {
  const p = useMemo(() => new Picture(), []), pointer = useMemo(() => new Pointer(p), []), scene = useMemo(() => new ShownScene(p), []);
  useEffects(p, scene);
  const now = shown.value, { seeing, tools, layers } = p, tool = tools.painting.on.value ? 'paint' : tools.drawing.on.value ? 'draw' : undefined;
  return (
    <div class="picture" ref={p.box} data-test="picture" data-mode={seeing.mode.value} data-look={seeing.look.value} data-tool={tool} onKeyDown={(e) => keyDown(p, e)}>
      <canvas ref={p.canvas} tabIndex={0} role="img" aria-label={now ? `Picture of ${now.title}. Arrow keys move the view, F frames the selection, question mark lists all keys.` : 'Picture'} data-test="canvas"
        onPointerDown={pointer.down} onPointerMove={pointer.move} onPointerUp={pointer.up} onPointerCancel={pointer.up} onPointerLeave={pointer.leave} onDblClick={() => p.marks.frame()} />
      <div class="labels" ref={p.labels.host} aria-hidden="true" />
      <div class="rectangle" ref={pointer.rectangle} hidden />
      <div class="tip" ref={p.hovering.tip} hidden data-test="hover" />
      {p.failed.value && <div class="picture-problem" role="alert">{p.failed.value}</div>}
      <Toolbar picture={p} />
      <CornerTools />
      <LayerPanel layers={layers} marks={p.marks} />
      <Readout picture={p} />
      {tools.painting.on.value && <BrushLegend painting={tools.painting} />}
      <PlayBar playback={p.playback} layers={layers} />
    </div>
  );
}

/** A distance that is measured, or else the place under the pointer. */
function Readout({ picture: { tools: { measuring }, hovering: { probe } } }: { picture: Picture }) {
  const now = shown.value, points = measuring.points.value, distance = points.length === 2 && now ? between(points[0], points[1], now.data.metresPerUnit) : null;
  if (!measuring.on.value && !probe.value) return null;
  const text = !measuring.on.value ? probe.value : points.length ? 'Click the second point' : 'Click the first point';
  return (
    <div class="readout" role="status" data-test="readout">
      {measuring.on.value && distance ? <><strong>{distance.text}</strong><span>horizontal {short(distance.across)}, vertical {short(distance.up)}</span></> : <span>{text}</span>}
    </div>
  );
}
