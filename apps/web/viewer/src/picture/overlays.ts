// What the nodes of a scene are, by the kinds in their extras: layers that can be shown, faint or hidden, and their legend.
import type { SceneData } from '../types';
import { sections } from '../words';
import { mostLayers } from './materials';

export interface Layer {
  key: string;
  title: string;
  /** For the legend: '#rrggbb'. */
  color: string;
  /** Whether it is the world itself, not something drawn over it. */
  base: boolean;
  /** Shown at first. */
  on: boolean;
  /** Faint while nothing else is in focus: volumes that would hide the rest. */
  faint: boolean;
  nodes: number;
  /** What its colours stand for, where they are several. */
  swatches: { name: string; color: string }[];
}
/** Of each node: its layer, and the state of the map it belongs to (a node, or -1). */
export interface Layering {
  layers: Layer[];
  layer: Uint8Array;
  state: Int32Array;
  states: { node: number; name: string; on: boolean }[];
}

const kinds: Record<string, string> = {
  'platinum.prop': 'Props', 'platinum.tiles': 'Tile behaviours', 'platinum.collision': 'Collision', 'platinum.heights': 'Height plates', 'platinum.events': 'Events',
  'platinum.event': 'Events', 'platinum.warps': 'Warps', 'platinum.warp': 'Warps', 'fft.terrain': 'Terrain', 'fft.depth': 'Depth of water', 'fft.animated': 'Moving parts',
  object: 'Objects', navmesh: 'Navigation', nav_region: 'Navigation', room: 'Rooms', portal: 'Portals', collider: 'Colliders', trigger: 'Triggers', interactable: 'Interactables',
};
/** What a course is shown with. */
const besides: Record<string, string> = { race: 'Race', 'collision file': 'Collision', 'model file': 'Model' };
/** Volumes and fences, which hide the paths. */
const faintSections = new Set(['AREA', 'CKPT']);
/** Large, and of little use before one asks for them. */
const offSections = new Set(['AREA', 'POTI']);
const parts = new Set(['platinum.prop', 'fft.animated', 'object']);

export function layersOf(data: SceneData, played: Uint8Array): Layering {
  const { nodes } = data, count = nodes.length;
  const key: string[] = new Array(count), hidden = new Uint8Array(count), state = new Int32Array(count).fill(-1);
  const states: Layering['states'] = [];
  const isCourse = nodes.some((n) => n.extras?.kind === 'section');
  nodes.forEach((n, i) => {
    const kind = n.extras?.kind, parent = n.parent;
    state[i] = kind === 'fft.state' ? i : parent >= 0 ? state[parent] : -1;
    if (kind === 'fft.state') states.push({ node: i, name: n.name, on: n.visible });
    const own = kind === 'section' ? `section.${n.extras.path}` : isCourse && besides[kind] ? `kind.${besides[kind]}` : !isCourse && kinds[kind] ? (kinds[kind] === 'Objects' ? 'object' : `kind.${kinds[kind]}`) : '';
    key[i] = own || (parent >= 0 ? key[parent] : '');
    hidden[i] = (parent >= 0 && hidden[parent]) || (!n.visible && !played[i] && kind !== 'fft.state') ? 1 : 0;
  });
  // What is hidden in a layer that shows something is a layer of its own.
  const seen = new Set<string>();
  nodes.forEach((n, i) => {
    if (n.mesh >= 0 && !hidden[i]) seen.add(key[i]);
  });
  const layers: Layer[] = [], byKey = new Map<string, number>(), layer = new Uint8Array(count);
  nodes.forEach((n, i) => {
    const isHidden = hidden[i] === 1, k = isHidden && (seen.has(key[i]) || !key[i]) ? `${key[i]} hidden` : key[i];
    let at = byKey.get(k);
    if (at === undefined) {
      if (n.mesh < 0) return;
      const name = key[i].replace(/^(section|kind)\./, '');
      const title = key[i].startsWith('section.') ? (sections[name] ?? name) : key[i] === 'object' ? 'Objects' : name || (isCourse ? 'Course' : 'World');
      at = Math.min(layers.length, mostLayers - 1);
      if (at === layers.length) {
        const base = !isHidden && !isCourse && (!key[i] || [...parts].some((p) => kinds[p] === title));
        layers.push({ key: k, title: isHidden && k.endsWith(' hidden') ? (key[i] ? `${title}, hidden` : 'Hidden parts') : title, color: colorOf(data, n.mesh), base, on: !isHidden && !offSections.has(name), faint: faintSections.has(name), nodes: 0, swatches: [] });
      }
      byKey.set(k, at);
    }
    layer[i] = at;
    if (n.mesh < 0) return;
    ++layers[at].nodes;
    if (n.extras?.kind === 'platinum.tiles')
      for (const { material } of data.meshes[n.mesh].primitives) {
        const { name, color } = data.materials[material], own = name.replace(/^tiles /, ''), { swatches } = layers[at];
        if (own !== name && !swatches.some((x) => x.name === own)) swatches.push({ name: own, color: hexOf(color) });
      }
  });
  return { layers, layer, state, states };
}

/** A colour that stands for a mesh: of its materials, times those of its vertices. */
function colorOf(data: SceneData, mesh: number): string {
  const sum = [0, 0, 0], { primitives } = data.meshes[mesh];
  for (const p of primitives) {
    const base = data.materials[p.material]?.color ?? [1, 1, 1, 1], c = p.colors;
    for (let k = 0; k < 3; ++k) sum[k] += (base[k] * (c ? c[k] / 65535 : 1)) / Math.max(primitives.length, 1);
  }
  return hexOf(sum);
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
