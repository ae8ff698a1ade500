// The list of layers over the picture, which is their legend too; with overlays that a game or a race can add.
import { current, race } from '../showing';
import { shown, worldOptions } from '../state';
import { gameOf } from './games';
import { Glyph } from './icons';
import type { Layers } from './layers';
import type { Marks } from './marks';
import type { Layer } from './overlays';
import type { Scene3 } from './scene3';

/** Names of the overlays that the scene can have. */
function overlaysOf(): string[] {
  const now = shown.value;
  return gameOf(now)?.overlays ?? (now && !now.part && current.value?.simulates ? [race] : []);
}

export function LayerPanel({ layers, marks }: { layers: Layers; marks: Marks }) {
  void layers.version.value, void layers.state.value, void shown.value;
  const s = layers.view()?.scene3, all = s?.layering.layers ?? [], hides = !!s?.pieces.some((p) => p.hidden);
  const overlays = overlaysOf(), { show } = worldOptions.value, isOpen = layers.open.value;
  if (all.length + overlays.length <= 1 && !hides) return null;
  return (
    <div class={`legend${isOpen ? '' : ' closed'}`}>
      <button type="button" class="legend-head" aria-expanded={isOpen} onClick={() => layers.toggle()} title="Show or hide layers (L)" data-test="layers">
        <Glyph name="layers" /><span>Layers</span>
      </button>
      {isOpen && (
        <ul aria-label="Layers">
          {all.map((l, i) => !overlays.includes(l.overlay) && <LayerRow layers={layers} layer={l} index={i} isShown={s!.shownLayers[i] > 0} isFocused={layers.focus.value === i} />)}
          {hides && <HiddenRow layers={layers} marks={marks} scene={s!} />}
          {overlays.map((o) => {
            const i = all.findIndex((l) => l.overlay === o);
            if (i < 0) return <OverlayRow name={o} isOn={show.includes(o)} />;
            return <LayerRow layers={layers} layer={all[i]} index={i} isShown={s!.shownLayers[i] > 0} isFocused={layers.focus.value === i} />;
          })}
        </ul>
      )}
    </div>
  );
}

/** Asks the core for an overlay, also for the pictures that follow, or no longer. */
function setOverlay(name: string, on: boolean) {
  const { show } = worldOptions.peek();
  if (show.includes(name) !== on) worldOptions.value = { ...worldOptions.peek(), show: on ? [...show, name] : show.filter((o) => o !== name) };
}
function LayerRow({ layers, layer: l, index, isShown, isFocused }: { layers: Layers; layer: Layer; index: number; isShown: boolean; isFocused: boolean }) {
  const change = (on: boolean) => {
    layers.setLayer(index, on);
    if (l.overlay) setOverlay(l.overlay, on);
  };
  return (
    <li class={`${isFocused ? 'focus' : ''}${isShown ? '' : ' off'}`}>
      <label title={isShown ? 'Hide' : 'Show'}>
        <input type="checkbox" checked={isShown} onChange={(e) => change(e.currentTarget.checked)} aria-label={l.title} data-test={`layer-${l.title}`} />
        <i class={l.color ? undefined : 'none'} style={l.color ? { background: l.color } : undefined} />
      </label>
      <button type="button" onClick={() => layers.setFocus(index)} aria-pressed={isFocused} title="Show this layer fully and the others faintly">{l.title}</button><span>{l.nodes}</span>
      {isShown && l.swatches.length > 1 && <p class="swatches" aria-label={`Colours of ${l.title}`}>{l.swatches.map((x) => <span><i style={{ background: x.color }} />{x.name}</span>)}</p>}
    </li>
  );
}
/** Polygons that the game hides from here, as a layer. */
function HiddenRow({ layers, marks, scene }: { layers: Layers; marks: Marks; scene: Scene3 }) {
  void layers.version.value, void layers.state.value;
  const asGame = layers.asGame.value, from = layers.seenFrom.value, seenFrom = layers.view()?.seenFrom;
  return (
    <li class={asGame ? 'off' : ''}>
      <label title={asGame ? 'Show these polygons' : 'Hide these polygons, as the game does'}>
        <input type="checkbox" checked={!asGame} onChange={(e) => layers.setAsGame(!e.currentTarget.checked)} aria-label="Polygons that the game hides from this direction" data-test="layer-hidden-from" />
        <i class="none" />
      </label>
      <button type="button" onClick={() => marks.showHidden()} title="Polygons that the game does not draw from this direction. Click to mark them.">Hidden from {from || 'above'}</button>
      <span data-test="hidden-count">{seenFrom ? scene.hiddenFrom(seenFrom.bit).polygons : 0}</span>
    </li>
  );
}
/** An overlay that is not asked for, or of which this picture has nothing. */
function OverlayRow({ name, isOn }: { name: string; isOn: boolean }) {
  const change = () => setOverlay(name, !isOn);
  return (
    <li class={isOn ? '' : 'off'}>
      <label title={isOn ? 'Hide' : 'Show'}><input type="checkbox" checked={isOn} aria-label={name} data-test={`overlay-${name}`} onChange={change} /><i class="none" /></label>
      <button type="button" onClick={change}>{name[0].toUpperCase() + name.slice(1)}</button>{isOn && <span title="This picture has none of these">0</span>}
    </li>
  );
}
