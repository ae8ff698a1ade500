// Colours of a value, as something to look at and to choose: of an object of red, green and blue, or of a word of 15 bits.
import { useEffect, useRef } from 'preact/hooks';
import { useLater } from '../frame/ui';
import { edit, isEditable } from '../editing';
import { core } from '../state';
import type { Leaf } from '../types';

type Rgb = [number, number, number];
interface Color {
  label: string;
  /** From 0 to 1. */
  rgb: Rgb;
  /** The words of `dio set` that give it another value. */
  words: (rgb: Rgb) => string[];
}
const channels = ['red', 'green', 'blue'];
const byte = (x: number) => Math.round(Math.max(0, Math.min(1, x)) * 255);
const hexOf = (rgb: Rgb) => `#${rgb.map((x) => byte(x).toString(16).padStart(2, '0')).join('')}`;
const rgbOf = (hex: string) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255) as Rgb;

/** Fractions of full light, or bytes. */
const scaleOf = (all: Leaf[]) => (all.some(({ type }) => /^u8|bits/.test(type)) ? 255 : 1);
function colorAmong(label: string, all: Leaf[]): Color {
  const scale = scaleOf(all), told = (x: number) => (scale === 255 ? String(byte(x)) : String(Math.fround(x)));
  return { label, rgb: all.map(({ value }) => Number(value) / scale) as Rgb, words: (rgb) => all.map(({ path }, i) => `${path}=${told(rgb[i])}`) };
}
async function colorsOf(file: string, leaf: Leaf): Promise<Color[]> {
  if (leaf.unit === 'RGB555' && typeof leaf.value === 'number') {
    const { value, path } = leaf;
    return [{ label: '', rgb: [0, 5, 10].map((at) => ((value >> at) & 31) / 31) as Rgb, words: (rgb) => [`${path}=${(value & 0x8000) | rgb.reduce((sum, x, i) => sum | (Math.round(x * 31) << (5 * i)), 0)}`] }];
  }
  if (leaf.type !== 'object') return [];
  const { members } = await core.branch(file, leaf.path, 0, 100), parts = channels.map((name) => members.find((m) => m.name === name));
  if (!parts.every((part) => !!part)) return [];
  if (parts.every((part) => !part.count)) return [colorAmong('', parts)];
  const lists = await Promise.all(parts.map((part) => core.branch(file, part.path, 0, 16)));
  return lists[0].members.map((_, i) => colorAmong(`[${i}]`, lists.map((list) => list.members[i])));
}

export function Colors({ file, leaf, edition }: { file: string; leaf: Leaf; edition?: number }) {
  const isColor = leaf.type === 'object' || leaf.unit === 'RGB555', found = useLater(isColor ? `${file}\n${leaf.path}\n${edition}` : null, () => colorsOf(file, leaf));
  if (!found.value?.length) return null;
  return <p class="colors" data-test="colors">{found.value.map((color) => <Swatch key={`${leaf.path}${color.label}`} color={color} name={`Colour of ${leaf.path}${color.label}`} choose={isEditable(file) ? (rgb) => void edit(file, ['set', ...color.words(rgb)]) : undefined} />)}</p>;
}
/** The chooser of the browser; its last colour is one edit. */
function Swatch({ color, name, choose }: { color: Color; name: string; choose?: (rgb: Rgb) => void }) {
  const box = useRef<HTMLInputElement>(null), chosen = useRef(choose), hex = hexOf(color.rgb);
  chosen.current = choose;
  useEffect(() => {
    const changed = () => { if (box.current!.value !== hex) chosen.current?.(rgbOf(box.current!.value)); };
    box.current!.addEventListener('change', changed);
    return () => box.current?.removeEventListener('change', changed);
  }, [hex]);
  return <label><input ref={box} type="color" value={hex} disabled={!choose} aria-label={name} title={`${color.rgb.map((x) => x.toFixed(2)).join(', ')}: red, green and blue as fractions of full brightness`} />{color.label}</label>;
}
