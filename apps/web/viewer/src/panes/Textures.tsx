// Textures as pictures, sounds to be heard: instead of a picture for files that hold nothing else, and beside it.
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Empty, useLater } from '../frame/ui';
import { pictureProblem, again } from '../showing';
import { core, markedImage, selection, select, type SceneData } from '../state';
import { current } from '../showing';
import { isUnknown, type SceneImage, type Sound } from '../types';
import { counted, findingText, nameOf, sentence } from '../words';
import { partName } from './Files';
import { goToFinding } from './findings';

const url = (bytes: Uint8Array, type: string) => URL.createObjectURL(new Blob([bytes as BlobPart], { type }));

export function NoScene() {
  const { file } = selection.value, known = current.value?.path === file ? current.value : null;
  const textures = useLater(known && !known.error && known.kind === 'file' ? file : null, () => core.textures(file).catch(() => []));
  const sounds = useLater(known && !known.error && known.kind === 'file' ? file : null, () => core.sounds(file).catch(() => []));
  const problem = pictureProblem.value;
  if (problem) {
    const isEmpty = problem.finding?.id === 'scene.none', name = selection.value.part ? (partName(file, selection.value.part) ?? selection.value.part) : nameOf(file);
    return (
      <Empty icon={problem.retry ? 'hint' : isEmpty ? 'map' : 'error'} title={problem.retry ? 'Stopped' : isEmpty ? `${name}: nothing to draw` : 'No picture'} of={problem.of}>
        {sentence(problem.finding ? findingText(problem.finding) : problem.text)}
        {problem.finding?.path && !isEmpty && <button type="button" class="small" onClick={() => select({ path: problem.finding!.path! })}>Show the value</button>}
        {problem.retry && <button type="button" class="small" onClick={again}>Build the picture again</button>}
      </Empty>
    );
  }
  if (!known) return <Empty icon="map" title="Picture">Models, maps and whole worlds are drawn here.</Empty>;
  if (isUnknown(known)) return <Empty icon="file" title="Nothing to draw">The format of this file is unknown. The Bytes pane shows its bytes; in the Summary tab you can choose a format.</Empty>;
  if (known.error) return <Empty icon="error" title="No picture: the file could not be read">{sentence(findingText(known.error))}<button type="button" class="small" onClick={() => void goToFinding(known.error!, file)} data-test="show-place">Show the problem</button></Empty>;
  if (known.kind === 'archive' || known.kind === 'game') return <Empty icon={known.kind} title={known.title}>Choose a {known.kind === 'game' ? 'map or a file' : 'file'} in the list.</Empty>;
  if (sounds.value?.length) return <Sounds sounds={sounds.value} />;
  if (textures.value?.length) return <Gallery pictures={textures.value} />;
  if (textures.loading) return <div class="pane-body" />;
  return <Empty icon="map" title={`${known.title}: nothing to draw`}>Its values are in the Structure pane, its bytes in the Bytes pane.</Empty>;
}

function Gallery({ pictures }: { pictures: { name: string; bytes: Uint8Array }[] }) {
  const [urls, set] = useState<string[]>([]);
  useEffect(() => {
    const made = pictures.map((p) => url(p.bytes, 'image/png'));
    set(made);
    return () => made.forEach((u) => URL.revokeObjectURL(u));
  }, [pictures]);
  return (
    <div class="gallery" data-test="gallery" tabIndex={0} role="region" aria-label="Textures">
      <p class="dim">{counted(pictures.length, 'texture')}</p>
      <ul>{pictures.map((p, i) => <li key={p.name}><a href={urls[i]} download={p.name} title="Save as PNG"><img src={urls[i]} alt={p.name} onLoad={(e) => {
        const image = e.currentTarget, times = Math.max(1, Math.floor(160 / Math.max(image.naturalWidth, image.naturalHeight)));
        image.style.width = `${image.naturalWidth * times}px`;
      }} /></a><span>{p.name.replace(/\.png$/, '')}</span></li>)}</ul>
    </div>
  );
}

/** The textures that the picture shows; a click marks what they are on. */
export function TexturesOfScene({ data }: { data: SceneData }) {
  useEffect(() => () => { markedImage.value = -1; }, [data]);
  return (
    <ul class="texture-list" data-test="textures" aria-label="Textures">
      {data.images.map((image, i) => (
        <li key={i}><button type="button" aria-pressed={markedImage.value === i} title={`${image.name}: click to mark the triangles that use it`} onClick={() => { markedImage.value = markedImage.value === i ? -1 : i; }}>
          <TextureImage image={image} /><span>{image.name}</span><span class="dim">{image.width} × {image.height}</span>
        </button></li>
      ))}
    </ul>
  );
}
/** The part of a picture that is not transparent: those of battle maps are mostly empty. */
function usedOf({ pixels, width, height }: SceneImage) {
  let left = width, top = height, right = 0, bottom = 0;
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x)
      if (pixels[4 * (y * width + x) + 3]) left = Math.min(left, x), right = Math.max(right, x + 1), top = Math.min(top, y), bottom = y + 1;
  return left < right ? { x: left, y: top, width: right - left, height: bottom - top } : { x: 0, y: 0, width, height };
}
function TextureImage({ image }: { image: SceneImage }) {
  const { x, y, width, height } = useMemo(() => usedOf(image), [image]);
  const canvas = useRef<HTMLCanvasElement>(null), longest = Math.max(width, height), times = longest <= 88 ? Math.floor(88 / longest) : 88 / longest;
  useEffect(() => canvas.current!.getContext('2d')!.putImageData(new ImageData(new Uint8ClampedArray(image.pixels), image.width, image.height), -x, -y), [image]);
  return <canvas ref={canvas} width={width} height={height} style={{ width: `${Math.max(1, width * times)}px`, height: `${Math.max(1, height * times)}px` }} />;
}

/** A sound as WAV. */
function wav({ rate, samples }: Sound): Uint8Array {
  const bytes = new Uint8Array(44 + samples.length * 2), view = new DataView(bytes.buffer);
  const text = (at: number, s: string) => [...s].forEach((c, i) => { bytes[at + i] = c.charCodeAt(0); });
  text(0, 'RIFF'); view.setUint32(4, bytes.length - 8, true); text(8, 'WAVEfmt '); view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, 1, true);
  view.setUint32(24, rate, true); view.setUint32(28, rate * 2, true); view.setUint16(32, 2, true); view.setUint16(34, 16, true); text(36, 'data'); view.setUint32(40, samples.length * 2, true);
  bytes.set(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength), 44);
  return bytes;
}
export function Sounds({ sounds }: { sounds: Sound[] }) {
  const [urls, set] = useState<string[]>([]);
  useEffect(() => {
    const made = sounds.map((s) => url(wav(s), 'audio/wav'));
    set(made);
    return () => made.forEach((u) => URL.revokeObjectURL(u));
  }, [sounds]);
  return (
    <div class="gallery sounds" data-test="sounds" tabIndex={0} role="region" aria-label="Sounds">
      <p class="dim">{counted(sounds.length, 'sound')}</p>
      <ul>{sounds.map((s, i) => <li key={s.name}><span>{s.name || `Sound ${i}`} <span class="dim">{s.rate.toLocaleString('en')} Hz, {(s.samples.length / s.rate).toFixed(2)} s</span></span><audio controls src={urls[i]} aria-label={s.name} /></li>)}</ul>
    </div>
  );
}
