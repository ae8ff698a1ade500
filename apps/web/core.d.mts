// core.d.mts: the types of core.mjs.

/** A diagnostic of the library. */
export interface Finding {
  severity: 'hint' | 'warning' | 'error' | 'stop';
  id: string;
  file?: string;
  offset?: number;
  size?: number;
  bit?: number;
  bits?: number;
  path?: string;
  message?: string;
  expected?: string;
  found?: string;
  hint?: string;
  /** All places, if there are several. */
  places?: { path?: string; offset?: number; size?: number }[];
}

/** An error of the library. */
export class DioramaError extends Error {
  constructor(finding: Finding);
  readonly finding: Finding;
  readonly id: string;
}

export type ByteSource = ArrayBuffer | ArrayBufferView;

export interface OpenOptions {
  /** The id of a format to read the file as; else the one that matches best. */
  as?: string;
  /** A damaged part makes the file unreadable. */
  strict?: boolean;
  /** check() includes findings known in retail files. */
  known?: boolean;
}
/** Returns these bytes of a file, which are inside of it, at once. What it throws becomes the `cause` of an error io.read.
 * It must not call the library. It is called until all that was opened with it is closed. */
export type ReadPart = (offset: number, size: number) => Uint8Array;
/** A file by its path in a folder. */
export type GameFile = { path: string; bytes: ByteSource } | { path: string; size: number; read: ReadPart };
export interface SaveOptions {
  canonical?: boolean;
  lossy?: boolean;
}
export interface MakeOption {
  name: string;
  usage: string;
  about: string;
  remakes: boolean;
}
export interface FormatInfo {
  id: string;
  title: string;
  platform: string;
  extensions: string;
  checks: number;
  gltf: boolean;
  /** Kinds of nodes in its scenes that the edit `place` moves. */
  placed?: string[];
  /** Whether it can be played by the rules of the game: simulate(), and scenes with {race: 'yes'}. */
  simulates?: true;
  options?: MakeOption[];
}
export interface RuleInfo {
  schema: string;
  rule: string;
  severity: Finding['severity'];
  also?: Finding['severity'][];
  sentence: string;
  why: string;
  fix: string;
  source: string;
}

/** The library. One instance is for one thread. */
export class Diorama {
  static load(source: string | URL | Response | Promise<Response> | ByteSource | WebAssembly.Module): Promise<Diorama>;
  readonly version: string;
  formats(): FormatInfo[];
  explain(id: string): RuleInfo;
  /** Files inside any bytes. */
  find(bytes: ByteSource, name?: string, options?: { everyByte?: boolean }): FoundFile[];
  /** Two edits of one file as one. No file if they collide and nobody is favoured. */
  merge(base: DioramaFile, ours: DioramaFile, theirs: DioramaFile, favor?: '' | 'ours' | 'theirs'): MadeFiles & {
    collisions: { path: string; what: string }[];
  };
  /** A PNG: small pictures of files with their names. */
  sheet(files: DioramaFile[], options?: Options): Uint8Array;
  /** An archive of files by their paths. */
  pack(files: { [path: string]: ByteSource }, options?: Options): Uint8Array;
  /** Never throws for the bytes: the `error` of the file says why it cannot be read. */
  open(bytes: ByteSource, name?: string, options?: OpenOptions): DioramaFile;
  /** A large file, of which only parts are read: the image of a cartridge or a disc. info(), members(), member(), bytes() and
   * game() work with it; what needs all bytes throws capi.argument. Any other file of up to 256 MiB is read completely. */
  openParts(size: number, name: string, read: ReadPart, options?: Omit<OpenOptions, 'as'>): DioramaFile;
  /** The game in a folder: an unpacked cartridge, a decompilation, or the files of one map. Throws game.unknown. */
  openGame(files: GameFile[], name?: string, options?: { known?: boolean }): DioramaGame;
  /** The bytes of a document as decode() or decodeText() gave it. */
  encode(document: unknown, options?: SaveOptions): Uint8Array;
  /** Bytes of memory that the module has taken. */
  readonly memorySize: number;
}

/** Options by their names on the command line: {size: '256x192', race: 'yes'}. */
export type Options = { [name: string]: string | number };

export interface FoundFile {
  offset: number;
  size: number;
  format: string;
  damaged_parts: number;
}
/** How two files differ in one place: of values `kind`, `a`, `b`, `old`, `new`; of archives `change`, `path`, `what`; of bytes
 * `offset`, `old`, `new`, `path`. */
export interface Difference {
  kind?: 'added' | 'removed' | 'changed' | 'moved';
  a?: string;
  b?: string;
  old?: Json;
  new?: Json;
  change?: 'added' | 'removed' | 'changed';
  path?: string;
  what?: string;
  offset?: number;
}

/** A number, a text, {"hex"} for texts that are not UTF-8, a list, an object. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Bits {
  path: string;
  bit: number;
  bits: number;
  value: Json;
  show?: string;
  doc?: string;
}
/** A run of bytes that is a value. */
export interface Span {
  path: string;
  offset: number;
  size: number;
  type: string;
  /** Not a value of the document, but the number of elements of a list, or the unit of `bits`. */
  role?: 'count' | 'unit';
  /** Of a part of a long run in spans(): the number of its first element (numbers) or byte (bytes) in the run. */
  from?: number;
  value: Json;
  show?: string;
  doc?: string;
  bits?: Bits[];
}
/** A run of bytes that nothing refers to. */
export interface Gap {
  offset: number;
  size: number;
  /** In spans(): `hex` starts at this byte of the gap. */
  from?: number;
  hex: string;
}
export interface Trace {
  schema: string;
  size: number;
  spans: Span[];
  gaps: Gap[];
}
export interface Tree {
  name?: string;
  index?: number;
  type: string;
  offset?: number;
  size?: number;
  bit?: number;
  bits?: number;
  value?: Json;
  show?: string;
  doc?: string;
  unit?: string;
  members?: Tree[];
  elements?: Tree[];
}
/** A value without its children. */
export interface Leaf {
  path: string;
  /** `position`; of an element `[3]`. */
  name: string;
  type: string;
  offset?: number;
  size?: number;
  bit?: number;
  bits?: number;
  /** Of numbers and texts. */
  value?: Json;
  show?: string;
  doc?: string;
  unit?: string;
  /** How many children it has. */
  count: number;
}
export interface Branch extends Leaf {
  /** How many children it has. */
  total: number;
  /** Those of the window. */
  members: Leaf[];
}
export interface Info {
  schema: string;
  file: string;
  format: string;
  size: number;
  certainty: 'possible' | 'likely' | 'certain';
  reason: string;
  info: { [name: string]: Json };
}
export interface Budget {
  name: string;
  used: number;
  of?: number;
  unit?: string;
}
export interface MadeFiles {
  files: { name: string; bytes: Uint8Array }[];
  notes: Finding[];
}
export interface Member {
  number: number;
  path: string;
  offset?: number;
  size: number;
  what?: string;
}
export interface SceneOptions {
  /** Bakes the light of the game into vertex colours. */
  lit?: 'yes' | 'no';
  /** Exports lights instead. */
  lamps?: 'yes' | 'no';
  /** Ticks per second, for games that count time in ticks. */
  'tick-rate'?: number | string;
}

/** One step of an edit. */
export interface Change {
  /** `set`: the value at `path`; `put`, `drop`: a part of the file; `insert`, `remove`: element `index` of the list at `path`;
   * `order`: what is element i was element `order[i]`. */
  kind: 'set' | 'put' | 'drop' | 'insert' | 'remove' | 'order';
  path: string;
  index?: number;
  before?: Json;
  after?: Json;
  order?: number[];
  /** The change as a line of text: `~ GOBJ.entries[3].route: 5 -> 4`. */
  line: string;
}
export interface EditResult {
  /** What each edit has done, in a line. */
  done: string[];
  changes: Change[];
  /** How many edits there are to undo. */
  edits: number;
  can_undo: boolean;
  can_redo: boolean;
}
/** A file that is edited. Edits keep every reference on the element it meant, are made as a whole or not at all, and can be
 * undone to the same bytes. */
export interface DioramaEditing {
  /** The words of `dio edit`; several edits in a row are one. */
  run(words: string[], referrers?: { unlink?: boolean; cascade?: boolean }): EditResult;
  set(values: { [path: string]: string | number }): EditResult;
  undo(): EditResult;
  redo(): EditResult;
  /** Another file in which names follow what was renamed in this one. */
  follow(other: DioramaFile): Uint8Array;
  save(options?: SaveOptions): Uint8Array;
  close(): void;
}
export interface RefsOfPart {
  path: string;
  refers_to: Referral[];
  referred_by: Referral[];
  /** Names that files have in common; what `defines` one is what the others mean. */
  names?: {
    from: string;
    kind: string;
    name: string;
    defines: boolean;
    others: { file: string; path: string; defines: boolean }[];
  }[];
}
export interface Referral {
  from: string;
  to: string;
  exists: boolean;
  /** `to` is the id of a part of the game, such as land/12. */
  part?: boolean;
}

/** An opened file. Methods throw a DioramaError where there is no result. */
export interface DioramaFile {
  readonly name: string;
  /** The id of its format; null if it is unknown. */
  readonly format: string | null;
  /** Why it could not be read. */
  readonly error: DioramaError | null;
  beside(): string[];
  together(...others: DioramaFile[]): DioramaFile;
  info(): Info;
  explain(path: string): { [name: string]: Json };
  report(form: 'sarif' | 'json' | 'summary' | 'text', options?: Options): string;
  repair(): MadeFiles & { repairs: { id: string; path: string; about: string }[] };
  verify(): { file: string; format: string; size: number; straight: boolean; through_json: boolean; problem?: string };
  diff(other: DioramaFile, options?: Options): Difference[];
  check(): Finding[];
  simulate(): Finding[];
  trace(): Trace & { file: string; format: string };
  hexPage(): string;
  tree(): Tree;
  /** A value and a window of its children; path.unknown if there is none. */
  branch(path: string, from?: number, count?: number): Branch;
  /** The spans and gaps that have bytes in [offset, offset + size), and inferred values there. */
  spans(offset: number, size: number): Trace;
  place(path: string): { offset: number; size: number } | null;
  /** The innermost value; null in a gap. */
  pathAt(offset: number): string | null;
  bytes(offset: number, size: number): Uint8Array;
  /** With `refs`, numbers that refer to elements are ids of the elements. */
  /** `lean`: without what follows from the rest. */
  decode(options?: { refs?: boolean; lean?: boolean }): { [name: string]: Json };
  decodeText(options?: { refs?: boolean; lean?: boolean }): string;
  save(options?: SaveOptions): Uint8Array;
  set(values: { [path: string]: string | number }): Uint8Array;
  /** The edits that can be made in it. */
  edits(): { edit: string; usage: string; about: string }[];
  /** Names that files have in common are looked for in the others, too. */
  refs(path?: string, ...others: DioramaFile[]): RefsOfPart[];
  /** Begins to edit a copy of it. */
  edit(options?: { lossy?: boolean }): DioramaEditing;
  convert(to: 'glb' | 'gltf' | 'json'): Uint8Array;
  /** A PNG. */
  render(options?: Options): Uint8Array;
  /** A PNG. */
  thumbnail(size?: number): Uint8Array;
  /** An SVG. */
  plan(options?: Options): string;
  scene(options?: SceneOptions): DioramaScene;
  budget(): { schema: string; file: string; format: string; engine?: string; budgets: Budget[]; [name: string]: unknown };
  /** An SVG. */
  budgetPicture(): string;
  textures(options?: Options): MadeFiles;
  takeTextures(folder: { [name: string]: ByteSource }, options?: Options, save?: { lossy?: boolean }): MadeFiles & {
    changed: number;
    unchanged: number;
    added: number;
  };
  /** An edited scene back into the file it was made of. */
  putBack(scene: DioramaFile, options?: SaveOptions & { unlink?: boolean; cascade?: boolean }): MadeFiles & { what: string };
  make(format: string, options?: Options): MadeFiles;
  /** Of a pack, together with its .spu. */
  sounds(): { name: string; path: string; rate: number; loops: boolean; samples: Int16Array }[];
  members(): Member[];
  /** What is wrong with a member, with all that it belongs to in the archive: as check(). */
  checkMember(path: string): Finding[];
  member(path: string): Uint8Array;
  /** The game in a cartridge, a disc or another archive. Throws game.unknown, archive.none. */
  game(): DioramaGame;
  questions(): { question: string; usage: string; about: string }[];
  ask(question: string, argument: string): { [name: string]: Json };
  replace(path: string, bytes: ByteSource): Uint8Array;
  replaceAll(members: { [path: string]: ByteSource }): Uint8Array;
  unpack(folder?: string): MadeFiles;
  close(): void;
}

export interface WorldOptions {
  /** Hours and minutes: 20:30. */
  time?: string;
  state?: string;
  /** Overlays, separated by commas. */
  show?: string;
  rotation?: 'yes' | 'no';
  lamps?: 'yes' | 'no';
  'all-states'?: 'yes' | 'no';
  'tick-rate'?: number | string;
}
export interface GamePart {
  /** kind/number */
  id: string;
  kind: string;
  number: number;
  name?: string;
  /** Of its file in the game. */
  path?: string;
}
/** A value that leads to a part of a game. */
export interface PartReferral {
  file: string;
  path: string;
  from: string;
  to: string;
}
/** A whole game: maps made of several files. Paths of parts and of shownWith() are those of files in the game; findings and
 * scenes name files as members of the archive that the game is in: `game.nds/fielddata/land_data/land_data.narc/12`. */
export interface DioramaGame {
  readonly name: string;
  info(): {
    schema: string;
    name: string;
    game: string;
    title: string;
    files: { [name: string]: Json };
    overlays: string[];
    options: string[];
  };
  overlays(): string[];
  /** The names of the WorldOptions that have an effect. */
  options(): string[];
  parts(): GamePart[];
  maps(): { columns: string[]; rows: { [column: string]: Json }[] };
  describe(part: string, options?: WorldOptions): { [name: string]: Json };
  check(): Finding[];
  budget(part: string): { schema: string; game: string; part: string; name?: string; budgets: Budget[] };
  budget(): { schema: string; game: string; parts: { part: string; name?: string; budgets: Budget[] }[] };
  /** An SVG. */
  budgetPicture(part: string): string;
  graph(part?: string, form?: 'json'): { game: string; parts: { part: string; name?: string; uses: Json[]; used_by: Json[] }[] };
  graph(part: string, form: 'dot' | 'mermaid'): string;
  refs(part: string): { part: string; refers_to: PartReferral[]; referred_by: PartReferral[] };
  diff(other: DioramaGame): { kind: string; part: string; name?: string; what?: string; old?: string; new?: string; maps: string[] }[];
  make(name: string): Uint8Array;
  shownWith(part: string): string[];
  /** The edits that take several of its files. */
  edits(): { edit: string; usage: string; about: string }[];
  /** Makes edits, as the words of `dio edit GAME`: all of them, or none. From then on the game is as edited. */
  edit(words: (string | number)[], options?: { unlink?: boolean; scene?: DioramaFile }): {
    done: string[];
    changes: string[];
    notes: Finding[];
    /** All that are not as they were. */
    files: { path: string; size: number }[];
  };
  /** As edited; without a path, the image. */
  file(path?: string): Uint8Array;
  /** Without a part, the largest world. */
  world(part?: string, options?: WorldOptions): DioramaScene;
  close(): void;
}

/** What a file, or a part of a game, looks like. */
export interface DioramaScene {
  data(): SceneData;
  /** The same packed, to be transferred to another thread, where sceneOf() unpacks it. */
  packed(): ArrayBuffer;
  convert(to: 'glb' | 'gltf', options?: Options): Uint8Array;
  /** A PNG. */
  render(options?: Options): Uint8Array;
  tiles(options?: Options): MadeFiles;
  /** Where a vertex comes from, by a node that shows it and its number in `sources`; without the number, what the node
   * stands for. `offset` and `size` are its bytes in the file: all of the value, or one command of a display list. */
  sourcePath(node: number, source?: number): SourcePlace | null;
  /** The nodes that show a value or a part of it, or what it is a field of; each for itself, without those below it. With
   * `sources`, only its vertices with these numbers. */
  shows(file: string, path: string): ShownBy[];
  close(): void;
}
export interface SourcePlace {
  file: string;
  path: string;
  offset?: number;
  size?: number;
}
export interface ShownBy {
  node: number;
  sources?: [first: number, count: number][];
}

/** What DioramaScene.packed() has packed. */
export function sceneOf(packed: ArrayBuffer): SceneData;

/** A scene. Indices that are none are -1. The arrays are views of `buffer`. */
export interface SceneData {
  schema: string;
  buffer: ArrayBuffer;
  name: string;
  metresPerUnit: number;
  /** Linear RGBA. */
  background: [number, number, number, number];
  extras: any;
  notes: Finding[];
  images: SceneImage[];
  textures: SceneTexture[];
  materials: SceneMaterial[];
  meshes: { name: string; primitives: ScenePrimitive[] }[];
  skins: { name: string; joints: number[]; inverseBind: Float32Array }[];
  cameras: { name: string; verticalFov: number; near: number; far: number; halfHeight: number; aspect: number }[];
  lights: SceneLight[];
  variants: string[];
  nodes: SceneNode[];
  animations: SceneAnimation[];
}
export interface SceneImage {
  name: string;
  width: number;
  height: number;
  /** RGBA, sRGB, not premultiplied; rows from the top. */
  pixels: Uint8Array;
}
export type Wrap = 'repeat' | 'clamp' | 'mirror';
export interface SceneTexture {
  name: string;
  image: number;
  wrapU: Wrap;
  wrapV: Wrap;
  nearest: boolean;
}
export interface SceneMaterial {
  name: string;
  /** Linear RGBA. */
  color: [number, number, number, number];
  unlit: boolean;
  doubleSided: boolean;
  alpha: 'opaque' | 'mask' | 'blend';
  alphaCutoff: number;
  texture: number;
  transform: { offset: [number, number]; rotation: number; scale: [number, number] };
  extras: any;
}
export interface ScenePrimitive {
  shape: 'points' | 'lines' | 'triangles';
  material: number;
  positions: Float32Array;
  normals?: Float32Array;
  /** Linear RGBA; 65535 is 1. */
  colors?: Uint16Array;
  uvs?: Float32Array;
  joints?: Uint16Array;
  weights?: Float32Array;
  /** For sourcePath(). */
  sources?: Uint32Array;
  /** Without them, the vertices in order. */
  indices?: Uint32Array;
  inVariants: { variant: number; material: number }[];
}
export interface SceneLight {
  name: string;
  color: [number, number, number];
  intensity: number;
  kind: 'directional' | 'point' | 'spot';
  range: number;
  innerCone: number;
  outerCone: number;
}
export interface SceneNode {
  name: string;
  parent: number;
  translation: [number, number, number];
  /** A quaternion: x, y, z, w. */
  rotation: [number, number, number, number];
  scale: [number, number, number];
  mesh: number;
  camera: number;
  skin: number;
  light: number;
  visible: boolean;
  /** What it stands for: {kind, path, file, ...}. */
  extras: any;
}
export interface SceneAnimation {
  name: string;
  channels: {
    node: number;
    target: 'translation' | 'rotation' | 'scale';
    interpolation: 'step' | 'linear';
    times: Float32Array;
    /** Three numbers each, four for rotations. */
    values: Float32Array;
  }[];
  fovChannels: { camera: number; times: Float32Array; values: Float32Array }[];
  materialChannels: {
    material: number;
    target: 'color' | 'offset' | 'rotation' | 'scale';
    interpolation: 'step' | 'linear';
    times: Float32Array;
    /** Four numbers each, of which offset and scale use two, rotation one. */
    values: Float32Array;
  }[];
  visibilityChannels: { node: number; times: Float32Array; visible: Uint8Array }[];
  extras: any;
}
