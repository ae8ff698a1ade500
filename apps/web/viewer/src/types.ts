// What the core says, as it comes through the worker; what is the core's own has its types.
import type { EditResult, Finding, Gap, Json, NodeKind, ShownBy } from '../../core.mjs';

export type {
  Branch, Change, EditResult, Finding, Leaf, NodeKind, SourcePlace, SceneAnimation, SceneData, SceneImage, SceneMaterial, SceneNode, ScenePart, ScenePrimitive, SceneTexture, TileGrid, Wrap,
} from '../../core.mjs';
export type ShownIn = ShownBy;

/** A file that was opened: dropped, or a member of an archive. `path` names it everywhere. */
export interface OpenFile {
  id: number;
  name: string;
  path: string;
  size: number;
  format: string | null;
  /** What the format is called, for people. */
  title: string;
  platform: string;
  error: Finding | null;
  kind: 'archive' | 'game' | 'file';
  /** A large archive of which only what is needed was read: its values are not known. */
  inParts: boolean;
  /** Of a game in files that were dropped together: their paths. */
  members?: string[];
  /** Whether a picture can be made of it alone. */
  scene: boolean;
  /** Whether it can be played by the rules of the game. */
  simulates?: boolean;
  /** Names of files that belong to it and lie beside it. */
  beside: string[];
  /** Paths of the files it is shown together with. */
  companions: string[];
  /** Another number for each state it was edited to; 0: as it was opened. */
  edition: number;
}
/** Whether the format of a file is unknown. Most folders hold such files: that is no error. */
export const isUnknown = (file: OpenFile) => !!file.error && !file.format;
/** An edit that was made, and the file as it is then. */
export interface Edited extends EditResult {
  file: OpenFile;
  /** The file itself, or what it is inside of. */
  root: OpenFile;
  bytes: Uint8Array;
}
/** How an element is written down for another list: its values by their paths in it. */
export interface Copied {
  from: string;
  values: [path: string, value: string][];
}

/** A row of the list of files. */
export interface Entry {
  path: string;
  name: string;
  kind: 'folder' | 'archive' | 'file';
  size: number;
  /** The format, where the archive knows it. */
  what?: string;
  /** Of folders: how many files are in it. */
  count?: number;
}

export interface Span {
  path: string;
  offset: number;
  size: number;
  type: string;
  value?: Json;
  show?: string;
  doc?: string;
  role?: string;
}
/** A part of a file. */
export interface Window {
  bytes: Uint8Array;
  spans: Span[];
  gaps: Pick<Gap, 'offset' | 'size'>[];
}

export interface Budget {
  name: string;
  used: number;
  of: number;
  unit: string;
  about: string;
}
export interface BudgetArea {
  kind: string;
  name: string;
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface Budgets {
  engine?: string;
  budgets: Budget[];
  map?: { title: string; width: number; height: number; unit: string; grid?: { width: number; height: number }; areas: BudgetArea[] };
}

export interface Rule {
  rule: string;
  severity: string;
  sentence: string;
  why: string;
  fix: string;
  source: string;
}

export interface Format {
  id: string;
  title: string;
  platform: string;
  extensions: string;
  checks: number;
  gltf: boolean;
  simulates?: true;
  archive?: true;
  compressed?: true;
  /** Kinds of nodes of its pictures that can be moved. */
  placed?: string[];
  node_kinds?: NodeKind[];
}

export interface GamePart {
  id: string;
  kind: string;
  number: number;
  name?: string;
  /** Of its file, as it is opened. */
  path?: string;
  /** The element of the file that is the part, where the file holds several. */
  element?: string;
  /** Whether it has a picture of its own; the others are files of a map. */
  hasScene: boolean;
}
export interface Sound {
  name: string;
  rate: number;
  samples: Int16Array;
  path?: string;
}
export interface Question {
  name: string;
  usage: string;
  about: string;
}
