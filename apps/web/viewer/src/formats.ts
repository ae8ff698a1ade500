// The formats of the core, and how nodes of their scenes are shown.
import { signal } from '@preact/signals';
import { core } from './state';
import type { Format, NodeKind, SceneData, SceneNode } from './types';

/** By id; null until they were asked for. */
export const formats = signal<Map<string, Format> | null>(null);
let asked: Promise<void> | null = null;
/** Asks the core for its formats, once. */
export const loadFormats = (): Promise<void> => (asked ??= core.formats().then((all) => {
  for (const { id, node_kinds: kinds } of all) kindsOf.set(id, new Map(kinds?.map((kind) => [keyOf(kind.kind, kind.path), kind])));
  formats.value = new Map(all.map((f) => [f.id, f]));
}));

type Kinds = Map<string, NodeKind>;
/** By the format that the scenes are of. */
const kindsOf = new Map<string, Kinds>();
const keyOf = (kind: string, path = '') => `${kind}\n${path}`;
let shownKinds: Kinds[] = [], shownFormat: string | null = null;
/** Which kinds the nodes of the next scene have: those of its format; of a part of a game (null), those of all formats. */
export function chooseKinds(format: string | null) {
  shownFormat = format;
  shownKinds = format === null ? [...kindsOf.values()] : [kindsOf.get(format) ?? new Map()];
}

/** How a node is shown; nothing if the core says nothing about it. */
export function kindOf({ extras }: SceneNode): NodeKind | undefined {
  const kind = extras?.kind;
  if (!kind) return undefined;
  const own = keyOf(kind, extras.path), any = keyOf(kind);
  for (const kinds of shownKinds) {
    const found = kinds.get(own) ?? kinds.get(any);
    if (found) return found;
  }
  return undefined;
}
/** The title of the section of a file that is a layer of its scenes; '' if it is none. */
export function titleOfSection(path: string): string {
  for (const kinds of kindsOf.values()) {
    const found = kinds.get(keyOf('section', path));
    if (found) return found.layer ?? '';
  }
  return '';
}
/** The console that a scene is for; '' if its nodes do not tell. */
export function platformOf({ nodes }: SceneData): string {
  if (shownFormat !== null) return formats.value?.get(shownFormat)?.platform ?? '';
  for (const [id, kinds] of kindsOf)
    if (nodes.some(({ extras }) => extras?.kind && kinds.has(keyOf(extras.kind)))) return formats.value?.get(id)?.platform ?? '';
  return '';
}
