// What the nodes of a scene are, by the kinds in their extras: layers that can be shown, faint or hidden, and their legend.
import { kindOf } from '../formats';
import type { NodeKind, SceneData } from '../types';
import { mostLayers } from './materials';

export interface Layer {
  key: string;
  title: string;
  /** For the legend: '#rrggbb'; '' for what has the colours of its pictures. */
  color: string;
  /** Whether it is the world itself, not something drawn over it. */
  base: boolean;
  /** Shown at first. */
  on: boolean;
  /** Faint while nothing else is in focus: volumes that would hide the rest. */
  faint: boolean;
  nodes: number;
  /** The overlay of the game that adds it; '' if it is always there. */
  overlay: string;
  /** What its colours stand for, where they are several. */
  swatches: { name: string; color: string }[];
}
/** Of each node: its layer, and the state of the map it belongs to (a node, or -1). */
export interface Layering {
  layers: Layer[];
  layer: Uint8Array;
  state: Int32Array;
  states: { node: number; name: string; on: boolean }[];
  /** The colour that each material is drawn with, in linear light. */
  colors: number[][];
}
/** What is behind everything: display values of its ends. */
export type Sky = readonly (readonly number[])[];

/** The layer of nodes that no kind gives one. */
const world = 'World';

export function layersOf(data: SceneData, played: Uint8Array, sky: Sky): Layering {
  const { nodes } = data, count = nodes.length;
  const title: string[] = new Array(count), kind: (NodeKind | undefined)[] = new Array(count), hidden = new Uint8Array(count), state = new Int32Array(count).fill(-1);
  const states: Layering['states'] = [];
  nodes.forEach((n, i) => {
    const own = kindOf(n), parent = n.parent;
    state[i] = own?.state ? i : parent >= 0 ? state[parent] : -1;
    if (own?.state) states.push({ node: i, name: n.name, on: n.visible });
    kind[i] = own?.layer ? own : parent >= 0 ? kind[parent] : undefined;
    title[i] = kind[i]?.layer ?? world;
    hidden[i] = (parent >= 0 && hidden[parent]) || (!n.visible && !played[i] && !own?.state) ? 1 : 0;
  });
  // What is hidden in a layer that shows something is a layer of its own.
  const seen = new Set<string>();
  nodes.forEach((n, i) => {
    if (n.mesh >= 0 && !hidden[i]) seen.add(title[i]);
  });
  const layers: Layer[] = [], byKey = new Map<string, number>(), layer = new Uint8Array(count), own: boolean[] = [];
  nodes.forEach((n, i) => {
    const isHidden = hidden[i] === 1, isApart = isHidden && (seen.has(title[i]) || !kind[i]), k = isApart ? `${title[i]} hidden` : title[i], isContent = !kind[i] || !!kind[i]!.content;
    let at = byKey.get(k);
    if (at === undefined) {
      if (n.mesh < 0) return;
      at = Math.min(layers.length, mostLayers - 1);
      if (at === layers.length) {
        layers.push({ key: k, title: !isApart ? title[i] : kind[i] ? `${title[i]} (hidden)` : 'Hidden parts', color: '', base: isContent && !isHidden, on: !isHidden && !kind[i]?.hidden, faint: !!kind[i]?.faint, nodes: 0, overlay: kind[i]?.overlay ?? '', swatches: [] });
        own.push(isContent);
      }
      byKey.set(k, at);
    }
    layer[i] = at;
    if (n.mesh >= 0) ++layers[at].nodes;
  });
  // Signs are drawn so that they stand out from the sky; what the world itself consists of keeps its colours.
  const ofWorld = new Set<number>();
  const primitives = nodes.flatMap((n, i) => (n.mesh < 0 ? [] : data.meshes[n.mesh].primitives.map((primitive) => ({ primitive, layer: layer[i] }))));
  for (const { primitive, layer } of primitives) if (own[layer] || primitive.colors) ofWorld.add(primitive.material);
  const colors = data.materials.map(({ color, texture }, i) => (texture >= 0 || ofWorld.has(i) ? color : [...legible(color, sky), color[3]]));
  for (const { primitive: { material, shape }, layer } of primitives) {
    const { name } = data.materials[material] ?? {}, l = layers[layer], color = colors[material];
    if (own[layer] || !color || ofWorld.has(material) || data.materials[material].texture >= 0) continue;
    l.color ||= hexOf(color);
    const title = name?.replace(/^tiles /, '');
    // Of what has one colour, the first name is enough: checkpoint, checkpoint panel.
    if (title && shape === 'triangles' && l.swatches.length < mostSwatches && !l.swatches.some((x) => x.name === title || x.color === hexOf(color))) l.swatches.push({ name: title, color: hexOf(color) });
  }
  return { layers, layer, state, states, colors };
}

const mostSwatches = 24, leastContrast = 3.05;
const luminanceOf = (c: ArrayLike<number>) => 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
const linear = (d: number) => (d <= 0.04045 ? d / 12.92 : ((d + 0.055) / 1.055) ** 2.4);

/** A colour of linear light that has a contrast of 3:1 with all of the sky, as WCAG measures it: the same hue, darker or lighter. */
export function legible(color: ArrayLike<number>, sky: Sky): number[] {
  const skies = sky.map((c) => luminanceOf(c.map(linear))), darkest = Math.min(...skies), lightest = Math.max(...skies), own = luminanceOf(color);
  const most = (darkest + 0.05) / leastContrast - 0.05, least = (lightest + 0.05) * leastContrast - 0.05;
  const isDark = most > 1 - least, part = isDark ? Math.max(0, Math.min(1, most / Math.max(own, 1e-6))) : Math.max(0, Math.min(1, (least - own) / Math.max(1 - own, 1e-6)));
  return [0, 1, 2].map((k) => (isDark ? color[k] * part : color[k] + (1 - color[k]) * part));
}

/** '#rrggbb' of linear light. */
function hexOf(color: ArrayLike<number>): string {
  const hex = (v: number) => {
    const d = v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055;
    return Math.round(Math.min(1, Math.max(0, d)) * 255).toString(16).padStart(2, '0');
  };
  return `#${[0, 1, 2].map((k) => hex(color[k])).join('')}`;
}

/** What to call a node: its name, or what it is. */
export function titleOf(data: SceneData, node: number): string {
  for (let i = node; i >= 0; i = data.nodes[i].parent) {
    const { name, extras } = data.nodes[i];
    if (extras?.kind || i === node && name && data.nodes[i].parent < 0) return name || extras.kind;
  }
  return data.nodes[node]?.name ?? '';
}
