// The bar below the picture: animations, the time of day, and the states and variants of the scene.
import { useMemo } from 'preact/hooks';
import { shown, worldOptions, type SceneData } from '../state';
import { counted } from '../words';
import { Tool } from './controls';
import { gameOf, statesOf } from './games';
import { weathersOf } from './ground';
import { Glyph } from './icons';
import type { Layers } from './layers';
import type { Playback } from './playback';
import type { Player } from './playing';

export function PlayBar({ playback, layers }: { playback: Playback; layers: Layers }) {
  void layers.version.value;
  const now = shown.value, v = layers.view(), player = v?.player, hasClips = !!player?.clips.length, hasTime = !!gameOf(now)?.options.includes('time');
  const states = statesOf(now), ownStates = v?.scene3?.layering.states ?? [], variants = now?.data.variants ?? [];
  const chooseState = (name: string) => { worldOptions.value = { ...worldOptions.value, state: name === states[0] ? '' : name }; };
  if (!hasClips && states.length <= 1 && ownStates.length <= 1 && !variants.length && !hasTime) return null;
  return (
    <div class="playbar" role="group" aria-label="Time">
      {hasClips && <Clips playback={playback} player={player!} />}
      {hasTime && <Clock />}
      {now && <Weather data={now.data} />}
      {states.length > 1 && (
        <label>State <select aria-label="State" value={worldOptions.value.state || now!.data.extras.state} onChange={(e) => chooseState(e.currentTarget.value)} data-test="state">
          {states.map((name) => <option value={name}>{name}</option>)}
        </select></label>
      )}
      {ownStates.length > 1 && (
        <label>State <select aria-label="State" value={layers.state.value} onChange={(e) => layers.setState(+e.currentTarget.value)} data-test="state">
          {ownStates.map((x) => <option value={x.node}>{x.name}</option>)}
        </select></label>
      )}
      {variants.length > 0 && (
        <select aria-label="Variant" value={layers.variant.value} onChange={(e) => layers.setVariant(+e.currentTarget.value)} data-test="variant">
          <option value={-1}>Default</option>
          {variants.map((name, i) => <option value={i}>{name}</option>)}
        </select>
      )}
    </div>
  );
}

function Clips({ playback: p, player }: { playback: Playback; player: Player }) {
  const isPlaying = p.playing.value, { clips } = player;
  return <>
    <Tool icon={isPlaying ? 'pause' : 'play'} label={isPlaying ? 'Pause' : 'Play'} keys="Space" onClick={() => p.setPlaying(!p.playing.value)} test="play" />
    <Tool icon="back" label="Previous frame" keys="," onClick={() => p.stepFrame(-1)} test="step-back" />
    <Tool icon="next" label="Next frame" keys="." onClick={() => p.stepFrame(1)} test="step" />
    <Moment playback={p} length={player.length} rate={p.clip.value >= 0 ? player.rate : undefined} />
    <select aria-label="Animation" value={p.clip.value} onChange={(e) => p.setClip(+e.currentTarget.value)} data-test="clip">
      {clips.some((c) => c.ambient) && <option value={-1}>All together</option>}
      {clips.map((c) => <option value={c.index}>{c.name} ({c.length.toFixed(1)} s)</option>)}
    </select>
    <select aria-label="Speed" value={p.speed.value} onChange={(e) => p.setSpeed(+e.currentTarget.value)} data-test="speed">
      {[0.1, 0.25, 0.5, 1, 2, 4].map((x) => <option value={x}>{x}×</option>)}
    </select>
  </>;
}
/** Where an animation is; drawn again with each frame, unlike the rest of the bar. */
function Moment({ playback: p, length, rate }: { playback: Playback; length: number; rate?: number }) {
  const now = length ? p.time.value % (length + 1e-6) : 0;
  const go = (seconds: number) => {
    p.setPlaying(false);
    p.setTime(seconds);
  };
  return <>
    <input class="scrub" type="range" min={0} max={length || 1} step={0.001} value={now} aria-label="Time in the animation" aria-valuetext={`${now.toFixed(2)} seconds`} data-test="scrub"
      onInput={(e) => go(+e.currentTarget.value)} />
    <output data-test="time">{now.toFixed(2)} s{rate !== undefined && <span class="dim"> frame {Math.round(now * rate)} of {Math.round(length * rate)}</span>}</output>
  </>;
}

const clockOf = (seconds: number) => `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}`;
/** The time of day of a game. */
function Clock() {
  const { time } = worldOptions.value;
  return (
    <label class="clock" title="Time of day">
      <Glyph name="clock" />
      <input type="range" min={0} max={86340} step={600} value={time} aria-label="Time of day" aria-valuetext={clockOf(time)} data-test="clock"
        onChange={(e) => (worldOptions.value = { ...worldOptions.value, time: +e.currentTarget.value })} />
      <output>{clockOf(time)}</output>
    </label>
  );
}
/** The weather of a map by its name: rain, snow and the like are not drawn, fog only as the console has it. */
function Weather({ data }: { data: SceneData }) {
  const all = [...useMemo(() => weathersOf(data), [data])].sort(([, a], [, b]) => b - a);
  if (!all.length) return null;
  const text = all.length === 1 ? all[0][0] : `${all.length} kinds`;
  const about = [
    all.length > 1 && `${all.map(([name, maps]) => `${name}: ${counted(maps, 'map')}`).join(', ')}.`,
    data.extras?.fog_table && "The fog is drawn in the DS look, with the game's cameras.", 'Rain, snow and similar weather are not drawn.',
  ];
  return <span class="weather" title={about.filter(Boolean).join(' ')} data-test="weather">Weather: {text}</span>;
}
