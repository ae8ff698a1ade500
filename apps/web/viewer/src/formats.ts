// The formats of the core, and how nodes of their scenes are shown.
import { signal } from '@preact/signals';
import { core } from './state';
import type { Format, NodeKind, SceneData, SceneNode } from './types';

/** By id; null until they were asked for. */
export const formats = signal<Map<string, Format> | null>(null);
let asked: Promise<void> | null = null;
/** Asks the core for its formats, once. */
export const loadFormats = (): Promise<void> => (asked ??= core.formats().then((all) => {
  for (const format of all) {
    for (const kind of format.node_kinds ?? []) {
      const key = keyOf(kind.kind, kind.path);
      if (!kinds.has(key)) kinds.set(key, { ...kind, platform: format.platform });
    }
  }
  formats.value = new Map(all.map((f) => [f.id, f]));
}));

const kinds = new Map<string, NodeKind & { platform: string }>();
const keyOf = (kind: string, path = '') => `${kind}\n${path}`;

/** How a node is shown; nothing if the core says nothing about it. */
export function kindOf({ extras }: SceneNode): NodeKind | undefined {
  const kind = extras?.kind;
  return kind && (kinds.get(keyOf(kind, extras.path)) ?? kinds.get(keyOf(kind)));
}
/** The title of the section of a file that is a layer of its scenes; '' if it is none. */
export const titleOfSection = (path: string): string => kinds.get(keyOf('section', path))?.layer ?? '';
/** The console that a scene is for; '' if its nodes do not tell. */
export function platformOf({ nodes, extras }: SceneData): string {
  for (const of of [extras, ...nodes.map((n) => n.extras)]) {
    const found = of?.kind && [...kinds.values()].find(({ kind }) => kind === of.kind);
    if (found) return found.platform;
  }
  return '';
}
