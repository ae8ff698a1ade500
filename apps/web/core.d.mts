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
/** How viewers show nodes with this `kind` in their extras and, if it has a `path`, with that one. */
export interface NodeKind {
  kind: string;
  path?: string;
  /** The title of the layer of such nodes and of those below them; without it, the layer of the parent. */
  layer?: string;
  /** The overlay of the game, or the option of scenes, that adds the layer. */
  overlay?: string;
  /** Part of the map itself, in its own colours; else drawn over it. */
  content?: true;
  /** At first. */
  faint?: true;
  hidden?: true;
  /** The map in another state: one of them is shown at a time. */
  state?: true;
  /** False: it only groups others; else the member of its extras that names it. */
  label?: false | string;
  /** A camera for which the game leaves out what nobody should see from there. */
  hides_as_game?: true;
  /** Its file answers `tile`, and named edits change rectangles of tiles: those of `tile_grid`, relative to the node, or of the scene. */
  tiles?: true;
  tile_grid?: TileGrid;
  /** Its file answers `height`. */
  height?: true;
  /** Of a path: copies of it are added point by point, with the values of `added_with` ("type=-1") besides the position. */
  point?: true;
  added_with?: string;
  /** Its element counts cells of this width, in the members `x` and `z`: it is moved by setting them. */
  cell?: number;
}
/** Square tiles in the plane of x and z. */
export interface TileGrid {
  tile: number;
  /** x and z of the north-west corner. */
  corner: [number, number];
  /** Across and down. */
  tiles: [number, number];
  /** The number of the tile in the north-west corner. */
  first: [number, number];
  /** Where the numbers of rows grow to. */
  rows: 'north' | 'south';
}
export interface FormatInfo {
  id: string;
  title: string;
  platform: string;
  /** Separated by spaces: ".iso .bin .img". */
  extensions: string;
  /** How many rules check() has for it. */
  checks: number;
  /** Whether convert() can make glTF of it. */
  gltf: boolean;
  /** Kinds of nodes in its scenes that the edit `place` moves. */
  placed?: string[];
  /** How viewers show the nodes of its scenes. */
  node_kinds?: NodeKind[];
  /** Whether it can be played by the rules of the game: simulate(), and scenes with {race: 'yes'}. */
  simulates?: true;
  /** Whether it holds other files: members(). */
  archive?: true;
  /** Whether it is one compressed file: member('') is what it holds. */
  compressed?: true;
  options?: MakeOption[];
}
export interface RuleInfo {
  schema: string;
  rule: string;
  severity: Finding['severity'];
  also?: Finding['severity'][];
  /** Of an error: what was read is damaged or of no known format; an argument makes no sense; what was asked for is not there; the result
   * would exceed a limit or lose something; a file cannot be read, written or found; a bug. */
  cause?: 'input' | 'request' | 'absent' | 'limit' | 'system' | 'fault';
  sentence: string;
  why: string;
  fix: string;
  source: string;
}

/** The library. One instance is for one thread. */
export class Diorama {
  /** From a URL, a Response, the bytes of diorama.wasm, or a module that is compiled. Throws what fetching and compiling throws. */
  static load(source: string | URL | Response | Promise<Response> | ByteSource | WebAssembly.Module): Promise<Diorama>;
  readonly version: string;
  formats(): FormatInfo[];
  /** The meaning of the id of a finding or an error. Throws capi.argument if there is no such id. */
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
  /** The limit, in the same unit. */
  of?: number;
  unit?: string;
  /** What it counts, in a sentence. */
  about?: string;
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
  /** Ticks per second, for games that count time in ticks: 1 to 1000. */
  'tick-rate'?: number | string;
  /** What a race on a course shows. */
  race?: 'yes' | 'no';
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
  /** What each edit has done, in a line; then what became due by them. */
  done: string[];
  changes: Change[];
  /** Errors that the rules of the format find since then, in a line each. */
  notes: string[];
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
  /** Sets values: {'KTPT[0].position': '1,2,3'}. */
  set(values: { [path: string]: string | number }): EditResult;
  /** Takes the last edit back. Throws capi.argument if there is none. */
  undo(): EditResult;
  /** Makes it again. Throws capi.argument if there is none. */
  redo(): EditResult;
  /** Another file in which names follow what was renamed in this one. */
  follow(other: DioramaFile): Uint8Array;
  /** The bytes of the file as edited; when everything is undone, those it was opened from. */
  save(options?: SaveOptions): Uint8Array;
  /** Frees its memory. */
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

/** An opened file. It does not change: edits make new bytes. Methods throw a DioramaError where there is no result, and for a file that
 * could not be read the reason of that; check() and bytes() work nevertheless, and where the format is known, trace(), tree(),
 * branch(), spans(), place() and pathAt() do as far as it can be read. */
export interface DioramaFile {
  readonly name: string;
  /** The id of its format; null if it is unknown. */
  readonly format: string | null;
  /** Why it could not be read. A scene (.glb, .gltf) cannot, but render(), scene() and make() take it. */
  readonly error: DioramaError | null;
  /** The names of files that belong to it and lie beside it: ['room.vram', 'room.spu']. */
  beside(): string[];
  /** The same file together with others that belong to it: a file of its own, to be closed as well. With one that does not, its
   * `error` says so: capi.argument. */
  together(...others: DioramaFile[]): DioramaFile;
  /** What it is. */
  info(): Info;
  /** What is known of one value: {path, type, offset, size, show, doc, unit, words}. */
  explain(path: string): { [name: string]: Json };
  /** What check() finds as a text. Options: {rule: 'kmp.'} only those whose ids start so, {ignore: 'kmp.*'} not those, {baseline: text}
   * not what this report of an earlier run has, as 'json'. */
  report(form: 'sarif' | 'json' | 'summary' | 'text', options?: Options): string;
  /** It with everything repaired that has one safe repair. Throws capi.argument if its format has no repairs. */
  repair(): MadeFiles & { repairs: { id: string; path: string; about: string }[] };
  /** Whether it comes back byte for byte: directly, and through JSON. */
  verify(): { file: string; format: string; size: number; straight: boolean; through_json: boolean; problem?: string };
  /** How another file of the same format differs from it, by meaning; with {bytes: 'yes'}, any other, byte for byte. */
  diff(other: DioramaFile, options?: Options): Difference[];
  /** What is wrong with it; also of a file that cannot be read. */
  check(): Finding[];
  /** What is wrong when it is played by the rules of the game: of courses, with their collision (together()). */
  simulate(): Finding[];
  /** The position of every value; spans and gaps add up to the file. */
  trace(): Trace & { file: string; format: string };
  /** Its bytes with their meaning: a page (HTML) that opens by itself. */
  hexPage(): string;
  /** All values with positions, types and explanations. */
  tree(): Tree;
  /** A value and a window of its children: 100 of them, if `count` is not given. Throws path.unknown if there is none. */
  branch(path: string, from?: number, count?: number): Branch;
  /** The spans and gaps that have bytes in [offset, offset + size), and inferred values there. */
  spans(offset: number, size: number): Trace;
  /** Where a value is, in bytes; null if there is none. */
  place(path: string): { offset: number; size: number } | null;
  /** The innermost value; null in a gap. */
  pathAt(offset: number): string | null;
  /** Bytes of it, fewer at its end. Throws a RangeError for what is not 0 to 2**53 - 1. */
  bytes(offset: number, size: number): Uint8Array;
  /** All of it, without loss. With `refs`, numbers that refer to elements are ids of the elements, so that these can be removed, inserted
   * and sorted; with `lean`, what follows from the rest is left out. One of both: else it throws a TypeError. */
  decode(options?: { refs?: boolean; lean?: boolean }): { [name: string]: Json };
  /** The same as a text, in which nothing is rounded: JavaScript's numbers are not exact above 2**53. */
  decodeText(options?: { refs?: boolean; lean?: boolean }): string;
  /** Its bytes, as they were; `canonical`: in the usual layout, without bytes that nothing refers to. */
  save(options?: SaveOptions): Uint8Array;
  /** Bytes with other values: {'STGI[0].laps': 5}. Sizes, counts and other derived fields are updated. */
  set(values: { [path: string]: string | number }): Uint8Array;
  /** The edits that can be made in it. */
  edits(): { edit: string; usage: string; about: string }[];
  /** Who refers to the parts that a path selects, and to what they refer. Names that files have in common are looked for in the others,
   * too. */
  refs(path?: string, ...others: DioramaFile[]): RefsOfPart[];
  /** Begins to edit a copy of it; to be closed as well. */
  edit(options?: { lossy?: boolean }): DioramaEditing;
  /** It as a file for 3D programs or as the text of decodeText(). Throws scene.none if there is nothing to show. */
  convert(to: 'glb' | 'gltf' | 'json'): Uint8Array;
  /** A picture, 640 x 480 pixels, as PNG. Options: those of `dio render`: {size: '256x192', camera: '30,45', look: 'ds', time: 1.5};
   * {strip: 8} and {as: 'apng'} of what moves; of a map from above {camera: 'top', scale: 16} instead of a size. */
  render(options?: Options): Uint8Array;
  /** A small picture as PNG, of at most so many pixels along an axis: 1 to 1024; 128, if it is not given. */
  thumbnail(size?: number): Uint8Array;
  /** Its plan from above as SVG: of courses. Options: {size: '1600x1200', show: 'ckpt,enpt', background: '#ffffff', race: 'yes'}. */
  plan(options?: Options): string;
  /** What it looks like; to be closed as well. `before`: a scene of the file before an edit; what it shows of companions is not made
   * again. Throws scene.none, capi.argument. */
  scene(options?: SceneOptions, before?: DioramaScene | null): DioramaScene;
  /** Its use of resources against the limits of its console. Throws capi.argument if none are known for its format. */
  budget(): { schema: string; file: string; format: string; engine?: string; budgets: Budget[]; [name: string]: unknown };
  /** The same as a picture (SVG). */
  budgetPicture(): string;
  /** Its pictures as PNG, and textures.json, which describes them. Options: {'all-palettes': 'yes', pal: 'yes'}. Throws capi.argument
   * if its format has no textures. */
  textures(options?: Options): MadeFiles;
  /** It with edited pictures of what textures() made, and how many are changed. Options: {add: 'yes', rescale: 'yes'}. */
  takeTextures(folder: { [name: string]: ByteSource }, options?: Options, save?: { lossy?: boolean }): MadeFiles & {
    changed: number;
    unchanged: number;
    added: number;
  };
  /** It with an edited scene that was made of it, and in words what has changed. */
  putBack(scene: DioramaFile, options?: SaveOptions & { unlink?: boolean; cascade?: boolean }): MadeFiles & { what: string };
  /** Files of a format, made from a scene (.glb, .gltf) or from a file of this format in another version. Options: those that
   * formats() lists: {layout: 'v21'}. */
  make(format: string, options?: Options): MadeFiles;
  /** Its sounds, decoded, `rate` samples a second; without samples where they are in a companion that is not there (.spu). */
  sounds(): { name: string; path: string; rate: number; loops: boolean; samples: Int16Array }[];
  /** Of an archive. Throws archive.none. */
  members(): Member[];
  /** The same, and the path of the member to show first: of those that have a picture, the one with most companions. Throws
   * archive.none. */
  contents(): { members: Member[]; first?: string };
  /** What is wrong with a member, with all that it belongs to in the archive: as check(). `edited`: members that have other bytes now. */
  checkMember(path: string, edited?: Record<string, Uint8Array>): Finding[];
  /** The bytes of a member, decompressed. The path may lead on into archives in the archive: 'data/maps.narc/12'. Throws file.missing,
   * archive.none. */
  member(path: string): Uint8Array;
  /** The game in a cartridge, a disc or another archive; to be closed as well. Throws game.unknown, archive.none. */
  game(): DioramaGame;
  /** What can be asked about a position. */
  questions(): { question: string; usage: string; about: string }[];
  /** The answer to one of them: ask('height', '8,24'). */
  ask(question: string, argument: string): { [name: string]: Json };
  /** The bytes of the archive with others in place of a member, which may be in a nested archive. */
  replace(path: string, bytes: ByteSource): Uint8Array;
  /** The same for several members, no two of them in the same member of this archive. */
  replaceAll(members: { [path: string]: ByteSource }): Uint8Array;
  /** Its members as files with safe names, or those below a folder of it, and in `_system` what pack() needs to make the same archive
   * again. */
  unpack(folder?: string): MadeFiles;
  /** Frees its memory. What was made of it stays. */
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
export interface ScenePart {
  kind: string;
  title: string;
  map: boolean;
}
export interface GamePart {
  /** kind/number */
  id: string;
  kind: string;
  number: number;
  name?: string;
  /** Of its file in the game. */
  path?: string;
  /** The element of the file that is the part, where the file holds several: headers[411]. */
  element?: string;
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
  /** What it is; `overlays` and `options` are those of world(). */
  info(): {
    schema: string;
    name: string;
    game: string;
    title: string;
    files: { [name: string]: Json };
    overlays: string[];
    /** The kinds of parts that world() makes scenes of, as they are listed; players know those that are a `map`. */
    scene_parts: ScenePart[];
    options: string[];
  };
  /** What world() can show over a map: ['tiles', 'collision', ...]. */
  overlays(): string[];
  /** The names of the WorldOptions that have an effect. */
  options(): string[];
  /** Everything in it that can be referred to. */
  parts(): GamePart[];
  /** The table of maps, as `dio maps`. */
  maps(): { columns: string[]; rows: { [column: string]: Json }[] };
  /** One part: what the states of a map change, and which file has what; of other parts, what they use and what uses them. Throws
   * game.part, game.state. */
  describe(part: string, options?: WorldOptions): { [name: string]: Json };
  /** What is wrong across its files. */
  check(): Finding[];
  /** What a part takes of what the console and the game have; without a part, all maps and areas. Throws game.part, game.budget. */
  budget(part: string): { schema: string; game: string; part: string; name?: string; budgets: Budget[] };
  budget(): { schema: string; game: string; parts: { part: string; name?: string; budgets: Budget[] }[] };
  /** An SVG. */
  budgetPicture(part: string): string;
  /** Which parts use which, of all of it or of one part with its neighbours. Throws game.part. */
  graph(part?: string, form?: 'json'): { game: string; parts: { part: string; name?: string; uses: Json[]; used_by: Json[] }[] };
  graph(part: string, form: 'dot' | 'mermaid'): string;
  /** Which values of its files refer to a part, and to which parts it refers. Throws game.part. */
  refs(part: string): { part: string; refers_to: PartReferral[]; referred_by: PartReferral[] };
  /** How the maps of another game of the same kind differ from its own. */
  diff(other: DioramaGame): { kind: string; part: string; name?: string; what?: string; old?: string; new?: string; maps: string[] }[];
  /** A file of it that follows from others, as `dio maps --make`. Throws game.make. */
  make(name: string): Uint8Array;
  /** The other files that the game needs to show a part, by their paths. Throws game.part. */
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
  /** The bytes of a file, as edited; without a path, the image. Throws file.missing, archive.none. */
  file(path?: string): Uint8Array;
  /** A part as a scene, to be closed as well; without a part, the largest world. Throws game.part, game.state, scene.none. */
  world(part?: string, options?: WorldOptions): DioramaScene;
  close(): void;
}

/** What a file, or a part of a game, looks like. */
export interface DioramaScene {
  /** All of it. The arrays are views of one copy. */
  data(): SceneData;
  /** The same packed, to be transferred to another thread, where sceneOf() unpacks it. `before`: a scene that is there already; only what changed is packed. */
  packed(before?: DioramaScene | null): ArrayBuffer;
  /** A file for 3D programs. Options: {instances: 'yes'} writes what stands in many places once. */
  convert(to: 'glb' | 'gltf', options?: Options): Uint8Array;
  /** A picture as PNG, with the options of a file's render(). */
  render(options?: Options): Uint8Array;
  /** It from above as small pictures at several sizes, with a page that shows them. Options: {tiles: 256, scale: 16}. */
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

/** What DioramaScene.packed() has packed. `before`: the scene that packed() was given; arrays that are the same are its own. */
export function sceneOf(packed: ArrayBuffer, before?: SceneData | null): SceneData;

/** A scene. Indices that are none are -1. The arrays are views of `buffer`. Lengths are in the units of the scene, angles in radians,
 * times in seconds. */
export interface SceneData {
  schema: string;
  buffer: ArrayBuffer;
  /** Pixels of images, then arrays of primitives, in the order in which the scene has them. Not enumerable. */
  readonly arrays: readonly ArrayBufferView[];
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
  /** `joints` are nodes; `inverseBind` has 16 numbers for each, column by column, from the space of the mesh to that of the joint. */
  skins: { name: string; joints: number[]; inverseBind: Float32Array }[];
  /** In perspective; or parallel, if `halfHeight`, that of the view, is not 0: then `aspect` is its width divided by its height. */
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
  /** With 'mask': pixels below it are not drawn. */
  alphaCutoff: number;
  /** Multiplied with the colour. */
  texture: number;
  /** Of texture coordinates: scales, turns (counterclockwise, with the v axis pointing down), then moves. */
  transform: { offset: [number, number]; rotation: number; scale: [number, number] };
  extras: any;
}
export interface ScenePrimitive {
  shape: 'points' | 'lines' | 'triangles';
  material: number;
  /** Three numbers a vertex, in the units of the node. */
  positions: Float32Array;
  /** Three a vertex, of length 1. */
  normals?: Float32Array;
  /** Four a vertex: linear RGBA; 65535 is 1. */
  colors?: Uint16Array;
  /** Two a vertex; 1 is the width or the height of the picture. */
  uvs?: Float32Array;
  /** Four a vertex: indices into the joints of the node's skin. */
  joints?: Uint16Array;
  /** Four a vertex, which sum to 1. */
  weights?: Float32Array;
  /** One a vertex, for sourcePath(). */
  sources?: Uint32Array;
  /** Without them, the vertices in order. */
  indices?: Uint32Array;
  inVariants: { variant: number; material: number }[];
}
/** Directional and spot lights shine along the negative Z axis of their nodes. */
export interface SceneLight {
  name: string;
  /** Linear RGB, 0 to 1. */
  color: [number, number, number];
  /** Lux for directional lights, else candela. */
  intensity: number;
  kind: 'directional' | 'point' | 'spot';
  /** 0: infinite. */
  range: number;
  /** Of a spot, from its axis. */
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
  /** The vertical angle of view. */
  fovChannels: { camera: number; times: Float32Array; values: Float32Array }[];
  materialChannels: {
    material: number;
    target: 'color' | 'offset' | 'rotation' | 'scale';
    interpolation: 'step' | 'linear';
    times: Float32Array;
    /** Four numbers each: linear RGBA of color, of which offset and scale use two, rotation one. */
    values: Float32Array;
  }[];
  /** 1: it is seen from this time on; 0: it is not. */
  visibilityChannels: { node: number; times: Float32Array; visible: Uint8Array }[];
  extras: any;
}
