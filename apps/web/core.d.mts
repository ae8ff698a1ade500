// core.d.mts: the types of core.mjs.

/** A finding or an error of the library. */
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
  /** All places of the finding, if it has several. */
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
  /** The id of the format to read the file as. Default: the format that matches best. */
  as?: string;
  /** A damaged part makes the file unreadable. Default: it is kept as raw bytes. */
  strict?: boolean;
  /** check() also reports findings known in retail files. */
  known?: boolean;
}
/** Returns a range of bytes of a file, synchronously. The range is always inside the file. An exception becomes the `cause` of an error io.read. The
 * function must not call the library. The library calls the function until everything opened with it is closed. */
export type ReadPart = (offset: number, size: number) => Uint8Array;
/** A file and its path in a folder. */
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
/** How viewers show nodes with this `kind` in their extras. With `path`, this applies only to nodes with the same `path` in their extras. */
export interface NodeKind {
  kind: string;
  path?: string;
  /** The title of the layer that contains these nodes and the nodes below them. Default: the layer of the parent. */
  layer?: string;
  /** The overlay of the game, or the scene option, that adds the layer. */
  overlay?: string;
  /** The nodes are part of the map itself, in its own colours. Default: they are drawn over the map. */
  content?: true;
  /** The nodes are faint or hidden at first. */
  faint?: true;
  hidden?: true;
  /** The nodes show the map in another state. Viewers show one state at a time. */
  state?: true;
  /** False: the node only groups others and has no label. A text: the member of the node's extras that names the node. Default: the name of the
   * node. */
  label?: false | string;
  /** The node is a camera for which the game hides objects that should not be visible from it. */
  hides_as_game?: true;
  /** The file of the node answers the question `tile`, and named edits change rectangles of tiles. The tiles are those of `tile_grid`, relative to
   * the node. Default: the tile grid of the scene. */
  tiles?: true;
  tile_grid?: TileGrid;
  /** The file of the node answers the question `height`. */
  height?: true;
  /** The node is a point of a path. New points are copies of it with a new position and the values in `added_with` ("type=-1"). */
  point?: true;
  added_with?: string;
  /** The width of a cell, for nodes whose element has a position in cells, in the members `x` and `z`. Setting these members moves the node. */
  cell?: number;
}
/** A grid of square tiles in the xz plane. */
export interface TileGrid {
  tile: number;
  /** The x and z coordinates of the north-west corner. */
  corner: [number, number];
  /** The numbers of columns and rows. */
  tiles: [number, number];
  /** The column and row numbers of the tile in the north-west corner. */
  first: [number, number];
  /** The direction in which the row numbers increase. */
  rows: 'north' | 'south';
}
export interface FormatInfo {
  id: string;
  title: string;
  platform: string;
  /** The file name extensions, separated by spaces: ".iso .bin .img". */
  extensions: string;
  /** The number of rules that check() tests. */
  checks: number;
  /** Whether convert() can write glTF. */
  gltf: boolean;
  /** The kinds of scene nodes that the edit `place` moves. */
  placed?: string[];
  /** How viewers show the nodes of scenes of this format. */
  node_kinds?: NodeKind[];
  /** The format supports simulate(), and scenes with {race: 'yes'}. */
  simulates?: true;
  /** The format is an archive: members() lists its files. */
  archive?: true;
  /** The format is one compressed file: member('') returns its content. */
  compressed?: true;
  options?: MakeOption[];
}
export interface RuleInfo {
  schema: string;
  rule: string;
  severity: Finding['severity'];
  also?: Finding['severity'][];
  /** The class of an error. input: the data is damaged or has no known format. request: an argument makes no sense. absent: the requested item does
   * not exist. limit: the result would exceed a limit or lose data. system: a file cannot be read, written or found. fault: a bug. */
  cause?: 'input' | 'request' | 'absent' | 'limit' | 'system' | 'fault';
  sentence: string;
  why: string;
  fix: string;
  source: string;
}

/** Returns the text for a command in a message of the library. For {edit FILE mirror}, `name` is 'edit' and `words` is 'FILE mirror'. */
export type CommandWording = (name: string, words: string) => string;
/** Replaces the commands in a text of the library. By default, they become calls of this module. */
export function wordCommands(text: string, wording?: CommandWording): string;

/** The library. Each instance belongs to one thread. */
export class Diorama {
  /** Loads the library from a URL, a Response, the bytes of diorama.wasm, or a compiled module. Throws the errors of fetch() and of the compiler.
   * `wording` returns the texts for commands in messages; by default, they are calls of this module. */
  static load(source: string | URL | Response | Promise<Response> | ByteSource | WebAssembly.Module, options?: { wording?: CommandWording }): Promise<Diorama>;
  readonly version: string;
  formats(): FormatInfo[];
  /** Returns the meaning of the id of a finding or an error. Throws capi.argument if the id does not exist. */
  explain(id: string): RuleInfo;
  /** Finds files of known formats inside other data. With `everyByte`, the search tries every byte instead of every fourth. */
  find(bytes: ByteSource, name?: string, options?: { everyByte?: boolean }): FoundFile[];
  /** Merges two edits of one file. If the edits collide and `favor` is empty, the result contains no file. */
  merge(base: DioramaFile, ours: DioramaFile, theirs: DioramaFile, favor?: '' | 'ours' | 'theirs'): MadeFiles & {
    collisions: { path: string; what: string }[];
  };
  /** Draws small pictures of files, with their names, on one sheet as PNG. */
  sheet(files: DioramaFile[], options?: Options): Uint8Array;
  /** Packs files, given by their paths, into an archive. */
  pack(files: { [path: string]: ByteSource }, options?: Options): Uint8Array;
  /** Opens a file. Unreadable bytes cause no exception: the `error` of the file contains the reason. */
  open(bytes: ByteSource, name?: string, options?: OpenOptions): DioramaFile;
  /** Opens a large file (the image of a cartridge or a disc) without reading all of it. info(), members(), member(), bytes() and game() work with
   * such a file; methods that need all bytes throw capi.argument. Any other file of up to 256 MiB is read completely. */
  openParts(size: number, name: string, read: ReadPart, options?: Omit<OpenOptions, 'as'>): DioramaFile;
  /** Opens the game in a folder: an unpacked cartridge, the source tree of a decompilation, or the files of one map. Throws game.unknown. */
  openGame(files: GameFile[], name?: string, options?: { known?: boolean }): DioramaGame;
  /** Returns the bytes of a file from the result of decode() or decodeText(), edited or not. */
  encode(document: unknown, options?: SaveOptions): Uint8Array;
  /** The size of the module's memory in bytes. */
  readonly memorySize: number;
}

/** Options with their names on the command line: {size: '256x192', race: 'yes'}. */
export type Options = { [name: string]: string | number };

export interface FoundFile {
  offset: number;
  size: number;
  format: string;
  damaged_parts: number;
}
/** A difference between two files. Differences between values have `kind`, `a`, `b`, `old` and `new`; between archives `change`, `path` and `what`;
 * between bytes `offset`, `old`, `new` and `path`. */
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

/** A JSON value. A text that is not UTF-8 is an object {"hex"}. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

export interface Bits {
  path: string;
  bit: number;
  bits: number;
  value: Json;
  show?: string;
  doc?: string;
}
/** A range of bytes that holds a value. */
export interface Span {
  path: string;
  offset: number;
  size: number;
  type: string;
  /** The range holds no value of the document, but the number of elements of a list ('count') or the unit that contains `bits` ('unit'). */
  role?: 'count' | 'unit';
  /** In spans(), for a part of a long run: the index of its first number or byte in the run. */
  from?: number;
  value: Json;
  show?: string;
  doc?: string;
  bits?: Bits[];
}
/** A range of unreferenced bytes. */
export interface Gap {
  offset: number;
  size: number;
  /** In spans(): the index of the first byte in `hex`, counted from the start of the gap. */
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
  /** `position`, or `[3]` for an element. */
  name: string;
  type: string;
  offset?: number;
  size?: number;
  bit?: number;
  bits?: number;
  /** Only for numbers and texts. */
  value?: Json;
  show?: string;
  doc?: string;
  unit?: string;
  /** The number of children. */
  count: number;
}
export interface Branch extends Leaf {
  /** The number of children. */
  total: number;
  /** The requested children. */
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
  /** A description of the resource in one sentence. */
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
  /** Exports lights instead of baking them. */
  lamps?: 'yes' | 'no';
  /** Ticks per second (1 to 1000), for games that count time in ticks. */
  'tick-rate'?: number | string;
  /** Adds the results of simulate() to the scene. */
  race?: 'yes' | 'no';
}

/** One step of an edit. */
export interface Change {
  /** `set`: the value at `path` changed. `put`, `drop`: a part of the file was added or removed. `insert`, `remove`: element `index` of the list at
   * `path` was added or removed. `order`: the list at `path` has another order, and element i was element `order[i]` before. */
  kind: 'set' | 'put' | 'drop' | 'insert' | 'remove' | 'order';
  path: string;
  index?: number;
  before?: Json;
  after?: Json;
  order?: number[];
  /** The change as a line of text: `~ GOBJ.entries[3].route: 5 -> 4`. */
  line: string;
}
/** The arguments of an edit by name, and its options. `unlink` clears references to removed elements, `cascade` also removes elements that refer to
 * them, and `lossy` allows the loss of unreferenced bytes. */
export interface EditArguments {
  unlink?: boolean;
  cascade?: boolean;
  lossy?: boolean;
  [name: string]: string | number | boolean | undefined;
}
/** An edit that a file or a game supports. */
export interface NamedEdit {
  edit: string;
  /** The arguments in one line. */
  usage: string;
  about: string;
  arguments: EditArgument[];
}
/** An argument of an edit. */
export interface EditArgument {
  name: string;
  kind: 'integer' | 'number' | 'range' | 'vector' | 'color' | 'text' | 'choice' | 'element' | 'part' | 'file';
  /** A placeholder for the value, such as N or UNITS. Absent if there are `choices`. */
  value?: string;
  required: boolean;
  /** Whether the argument is given by its position, without its name. */
  operand?: boolean;
  /** All allowed values. Without this member, any value is allowed. */
  choices?: string[];
  /** Whether the argument may be given several times. */
  repeats?: boolean;
  /** Whether `name` is a placeholder for any name, as in FIELD=VALUE. */
  any_name?: boolean;
  /** The number of an alternative. Arguments with an odd number n are an alternative to the arguments with n + 1. */
  alternative?: number;
}
export interface EditResult {
  /** A line for each edit, then a line for each part of the file that was rebuilt as a consequence. */
  done: string[];
  changes: Change[];
  /** A line for each new error that the format's rules find after the edits. */
  notes: string[];
  /** The number of edits that can be undone. */
  edits: number;
  can_undo: boolean;
  can_redo: boolean;
}
/** A copy of a file during editing. Each edit is applied completely or not at all, keeps every reference on its element, and can be undone to the
 * same bytes. */
export interface DioramaEditing {
  /** Makes one edit by its name, with elements and arguments: edit('raise-plate', {plate: 3, by: 16}). */
  edit(name: string, ...given: (string | EditArguments)[]): EditResult;
  /** Makes edits from words: run(['remove', 'POTI[0]']). Several edits in one call count as one edit. */
  run(words: string[], referrers?: { unlink?: boolean; cascade?: boolean }): EditResult;
  /** Sets values: set('KTPT[0].position', '1,2,3'), set({'KTPT[0].position': '1,2,3'}). */
  set(path: string, value: string | number): EditResult;
  set(values: { [path: string]: string | number }): EditResult;
  /** Undoes the last edit. Throws capi.argument if there is none. */
  undo(): EditResult;
  /** Makes the last undone edit again. Throws capi.argument if there is none. */
  redo(): EditResult;
  /** Returns the bytes of another file with the renamings of this file applied to it. */
  follow(other: DioramaFile): Uint8Array;
  /** Returns the bytes of the edited file. After all edits are undone, these are the original bytes. */
  save(options?: SaveOptions): Uint8Array;
  /** Frees the memory of the copy. */
  close(): void;
}
export interface RefsOfPart {
  path: string;
  refers_to: Referral[];
  referred_by: Referral[];
  /** Names that link files to each other, such as material names. `defines` is true where a name is defined, and false where it is used. */
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

/** An opened file. Files are immutable: editing methods return new bytes. Methods throw a DioramaError if they have no result. If the file could not
 * be read, the error is the reason; check() and bytes() still work. If the format is known, trace(), tree(), branch(), spans(), place() and pathAt()
 * also work, up to the damage. */
export interface DioramaFile {
  readonly name: string;
  /** The format id of the file, or null if the format is unknown. */
  readonly format: string | null;
  /** The reason why the file could not be read, or null. Scenes (.glb, .gltf) always have an error, but render(), scene() and make() accept them. */
  readonly error: DioramaError | null;
  /** Returns the names of the sibling files that belong to this file, whether they exist or not: ['room.vram', 'room.spu']. */
  beside(): string[];
  /** Returns a new file: this file combined with its sibling files. Close both files after use. If one of the others cannot be used with
   * this file, the new file has the `error` capi.argument. */
  together(...others: DioramaFile[]): DioramaFile;
  /** Returns a summary of the file. */
  info(): Info;
  /** Returns the JSON of info() as a text on one line. The text is exact; in JavaScript values, whole numbers above 2**53 are rounded. */
  infoText(): string;
  /** Describes one value: {path, type, offset, size, show, doc, unit, words}. */
  explain(path: string): { [name: string]: Json };
  /** Returns the findings of check() as a text. Options: {rule: 'kmp.'} keeps only findings whose id begins with this text, {ignore: 'kmp.*'} drops
   * findings whose id matches this pattern, and {baseline: text} drops the findings of an earlier 'json' report. With {member: path}, returns the
   * findings of checkMember(). */
  report(form: 'sarif' | 'json' | 'summary' | 'text', options?: Options): string;
  /** Repairs every problem that has exactly one safe repair. Throws capi.argument if the format has no repairs. */
  repair(): MadeFiles & { repairs: { id: string; path: string; about: string }[] };
  /** Tests whether reading and writing the file restores every byte: without JSON (`straight`) and with JSON (`through_json`), and whether compressed data can be decompressed (`decodes`). */
  verify(): { file: string; format: string; size: number; straight: boolean; through_json: boolean; decodes: boolean; problem?: string };
  /** Compares the values of this file with another file of the same format. With {bytes: 'yes'}, compares the bytes of any two files. */
  diff(other: DioramaFile, options?: Options): Difference[];
  /** Returns the findings for the file. Also works for a file that cannot be read. */
  check(): Finding[];
  /** Simulates the game's rules and returns the findings. Works for courses, combined with their collision file (together()). */
  simulate(): Finding[];
  /** Returns the position of every value. Spans and gaps together cover the whole file. */
  trace(): Trace & { file: string; format: string };
  /** Returns the bytes of the file with their meaning as a self-contained HTML page. */
  hexPage(): string;
  /** Returns all values with their positions, types and explanations. */
  tree(): Tree;
  /** Returns a value and `count` of its children (default: 100), starting with the child of index `from`. Throws path.unknown if there is no such
   * value. */
  branch(path: string, from?: number, count?: number): Branch;
  /** Returns the spans and gaps with bytes in [offset, offset + size), and the inferred values in this range. */
  spans(offset: number, size: number): Trace;
  /** Returns the position of a value in bytes, or null if there is no such value. */
  place(path: string): { offset: number; size: number } | null;
  /** Returns the path of the innermost value at an offset, or null in a gap. */
  pathAt(offset: number): string | null;
  /** Returns `size` bytes of the file from `offset` on, or fewer at its end. Throws a RangeError for numbers outside 0 to 2**53 - 1. */
  bytes(offset: number, size: number): Uint8Array;
  /** Returns the complete file as JSON values. With `refs`, references are element ids instead of indices, so that elements can be removed, inserted
   * and sorted. With `lean`, values that can be computed from the rest are left out. Throws a TypeError if both are given. */
  decode(options?: { refs?: boolean; lean?: boolean }): { [name: string]: Json };
  /** Returns the JSON of decode() as a text. The text is exact; in JavaScript values, whole numbers above 2**53 are rounded. */
  decodeText(options?: { refs?: boolean; lean?: boolean }): string;
  /** Returns the original bytes of the file; with `canonical`, the bytes in the canonical layout, without unreferenced bytes. */
  save(options?: SaveOptions): Uint8Array;
  /** Returns the bytes of the file with new values: set('STGI[0].laps', 5), set({'STGI[0].laps': 5}). Sizes, counts and other derived fields are
   * updated. */
  set(path: string, value: string | number): Uint8Array;
  set(values: { [path: string]: string | number }): Uint8Array;
  /** Returns the edits that the file supports. */
  edits(): NamedEdit[];
  /** Returns the references from and to the selected parts of the file. Names that link files to each other are also looked up in the other files. */
  refs(path?: string, ...others: DioramaFile[]): RefsOfPart[];
  /** Makes one edit by its name and returns the new bytes: edit('raise-plate', {plate: 3, by: 16}), edit('remove', 'POTI[0]', {unlink: true}). */
  edit(name: string, ...given: (string | EditArguments)[]): Uint8Array;
  /** Starts editing a copy of the file. Close the copy after use. */
  edit(options?: { lossy?: boolean }): DioramaEditing;
  /** Returns the file converted to glTF ('glb', 'gltf'), or the text of decodeText() ('json'). Throws scene.none if there is nothing to show. */
  convert(to: 'glb' | 'gltf' | 'json'): Uint8Array;
  /** Draws the file as a PNG picture of 640 x 480 pixels. Options: {size: '256x192', camera: '30,45', look: 'ds', time: 1.5}, and the other options
   * of `dio render`. For animations: {strip: 8}, {as: 'apng'}. For a map from above: {camera: 'top', scale: 16}, without a size. */
  render(options?: Options): Uint8Array;
  /** Draws a thumbnail of the file as PNG, with at most `size` x `size` pixels (1 to 1024, default: 128). */
  thumbnail(size?: number): Uint8Array;
  /** Draws a plan of a course from above as SVG. Options: {size: '1600x1200', show: 'ckpt,enpt', background: '#ffffff', race: 'yes'}. */
  plan(options?: Options): string;
  /** Creates the scene of the file. Close the scene after use. `before` is a scene of the file before an edit: content of unchanged sibling files is
   * copied from it, not created again. Throws scene.none, capi.argument. */
  scene(options?: SceneOptions, before?: DioramaScene | null): DioramaScene;
  /** Returns the file's use of resources and the limits of its console. Throws capi.argument if no limits are known for the format. */
  budget(): { schema: string; file: string; format: string; engine?: string; budgets: Budget[]; [name: string]: unknown };
  /** Returns the result of budget() as a picture (SVG). */
  budgetPicture(): string;
  /** Returns the pictures of the file as PNG files, and textures.json, which describes them. Options: {'all-palettes': 'yes', pal: 'yes'}. Throws
   * capi.argument if the format has no textures. */
  textures(options?: Options): MadeFiles;
  /** Imports edited pictures. `folder` holds the files of textures(). Returns the new file and the numbers of pictures. Options: {add: 'yes',
   * rescale: 'yes'}. */
  takeTextures(folder: { [name: string]: ByteSource }, options?: Options, save?: { lossy?: boolean }): MadeFiles & {
    changed: number;
    unchanged: number;
    added: number;
  };
  /** Applies an edited scene to the file that the scene was made from. `what` describes the changes in words. */
  putBack(scene: DioramaFile, options?: SaveOptions & { unlink?: boolean; cascade?: boolean }): MadeFiles & { what: string };
  /** Creates files of a format from a scene (.glb, .gltf) or from a file of the same format in another version. Options: {layout: 'v21'}; formats()
   * lists them. */
  make(format: string, options?: Options): MadeFiles;
  /** Returns the decoded sounds of the file. `rate` is the number of samples per second. `samples` is empty if the samples are in a sibling file
   * (.spu) that was not passed to together(). */
  sounds(): { name: string; path: string; rate: number; loops: boolean; samples: Int16Array }[];
  /** Returns the members of an archive. Throws archive.none. */
  members(): Member[];
  /** Returns the members of an archive, and the path of the member to show first: of all members with a picture, the member with the most sibling
   * files. Throws archive.none. */
  contents(): { members: Member[]; first?: string };
  /** Returns the findings for a member, as check() does. The check uses all related files in the archive. `edited` are members with new bytes, by
   * their paths. */
  checkMember(path: string, edited?: Record<string, Uint8Array>): Finding[];
  /** Returns the decompressed bytes of a member. The path may continue into nested archives: 'data/maps.narc/12'. Throws file.missing,
   * archive.none. */
  member(path: string): Uint8Array;
  /** Opens the game in a cartridge, a disc or another archive. Close the game after use. Throws game.unknown, archive.none. */
  game(): DioramaGame;
  /** Returns the questions about a position that the file can answer. */
  questions(): { question: string; usage: string; about: string }[];
  /** Answers a question from questions(): ask('height', '8,24'). */
  ask(question: string, argument: string): { [name: string]: Json };
  /** Returns the archive with new bytes for a member, which may be in a nested archive. */
  replace(path: string, bytes: ByteSource): Uint8Array;
  /** Returns the archive with new bytes for several members. No two of them may be inside the same member of this archive. */
  replaceAll(members: { [path: string]: ByteSource }): Uint8Array;
  /** Returns the members of the archive, or of one of its folders, as files with safe names. The folder `_system` holds the data that pack() needs to
   * restore the same archive. */
  unpack(folder?: string): MadeFiles;
  /** Frees the memory of the file. Objects made from the file stay valid. */
  close(): void;
}

export interface WorldOptions {
  /** The time of day in hours and minutes: 20:30. */
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
  /** kind/number, such as land/12. */
  id: string;
  kind: string;
  number: number;
  name?: string;
  /** The path of the part's file in the game. */
  path?: string;
  /** If the file holds several parts: the path of this part in the file, such as headers[411]. */
  element?: string;
}
/** A value that refers to a part of a game. */
export interface PartReferral {
  file: string;
  path: string;
  from: string;
  to: string;
}
/** A whole game: maps made of several files. Paths of parts and of shownWith() are paths in the game. Findings and scenes name files as members of
 * the archive that contains the game: `game.nds/fielddata/land_data/land_data.narc/12`. */
export interface DioramaGame {
  readonly name: string;
  /** Returns a summary of the game. `overlays` and `options` are those of world(). */
  info(): {
    schema: string;
    name: string;
    game: string;
    title: string;
    files: { [name: string]: Json };
    overlays: string[];
    /** The kinds of parts that have scenes, in the order in which viewers list them. `map` is true for places that players know. */
    scene_parts: ScenePart[];
    options: string[];
  };
  /** Returns the overlays that world() can show over a map: ['tiles', 'collision', ...]. */
  overlays(): string[];
  /** Returns the names of the WorldOptions that have an effect. */
  options(): string[];
  /** Returns all parts of the game that have an id. */
  parts(): GamePart[];
  /** Returns the table of maps. */
  maps(): { columns: string[]; rows: { [column: string]: Json }[] };
  /** Describes one part. For a map with states, the result lists the changes of each state and the file that each resource comes from; for other
   * parts, it lists the parts that they use and that use them. Throws game.part, game.state. */
  describe(part: string, options?: WorldOptions): { [name: string]: Json };
  /** Returns the findings that concern several files of the game. */
  check(): Finding[];
  /** Returns a part's use of resources and the limits of the console and the game. Without a part, returns the budgets of all maps and areas. Throws
   * game.part, game.budget. */
  budget(part: string): { schema: string; game: string; part: string; name?: string; budgets: Budget[] };
  budget(): { schema: string; game: string; parts: { part: string; name?: string; budgets: Budget[] }[] };
  /** Returns the budget of a part as a picture (SVG). */
  budgetPicture(part: string): string;
  /** Returns the parts that each part uses and the parts that use it, for the whole game or for one part and its neighbours. Throws game.part. */
  graph(part?: string, form?: 'json'): { game: string; parts: { part: string; name?: string; uses: Json[]; used_by: Json[] }[] };
  graph(part: string, form: 'dot' | 'mermaid'): string;
  /** Returns the values in the game's files that refer to a part, and the parts that this part refers to. Throws game.part. */
  refs(part: string): { part: string; refers_to: PartReferral[]; referred_by: PartReferral[] };
  /** Returns the differences between the maps of this game and of another game of the same kind. */
  diff(other: DioramaGame): { kind: string; part: string; name?: string; what?: string; old?: string; new?: string; maps: string[] }[];
  /** Builds a file of the game from its other files: make('matshp'). Throws game.make. */
  make(name: string): Uint8Array;
  /** Returns the paths of the other files that the game needs to show a part. Throws game.part. */
  shownWith(part: string): string[];
  /** Returns the edits that change several files of the game. */
  edits(): NamedEdit[];
  /** Makes one edit by its name, edit('add-prop', {land: 3, model: 2, x: 8, z: 24}), or several edits from words: all of them or none. The game then
   * has the new files. */
  edit(words: string | (string | number)[], options?: { unlink?: boolean; scene?: DioramaFile; source?: DioramaFile; [argument: string]: unknown }): {
    done: string[];
    changes: string[];
    notes: Finding[];
    /** All files that differ from the source. */
    files: { path: string; size: number }[];
  };
  /** Returns the bytes of a file of the game, including all edits. Without a path, returns the whole image. Throws file.missing, archive.none. */
  file(path?: string): Uint8Array;
  /** Creates the scene of a part, or of the largest world if no part is given. Close the scene after use. Throws game.part, game.state, scene.none. */
  world(part?: string, options?: WorldOptions): DioramaScene;
  close(): void;
}

/** The 3D content of a file or of a part of a game. */
export interface DioramaScene {
  /** Returns the whole scene. The arrays are views of one copy. */
  data(): SceneData;
  /** Returns the whole scene as one buffer that can be transferred to another thread, where sceneOf() unpacks it. `before` is a scene that the other
   * thread already has: only the differences are packed. */
  packed(before?: DioramaScene | null): ArrayBuffer;
  /** Returns the scene as a file for 3D programs. Options: {instances: 'yes'} writes repeated meshes only once. */
  convert(to: 'glb' | 'gltf', options?: Options): Uint8Array;
  /** Draws the scene as PNG, with the options of a file's render(). */
  render(options?: Options): Uint8Array;
  /** Draws a map from above as square pictures at several sizes, with a web page that shows them. Options: {tiles: 256, scale: 16}. */
  tiles(options?: Options): MadeFiles;
  /** Returns the origin of a vertex. `node` is a node that shows the vertex, and `source` is the entry for the vertex in the array `sources`. Without
   * `source`, returns the origin of the node. `offset` and `size` are a range of bytes in the file: the whole value, or one command of a display
   * list. */
  sourcePath(node: number, source?: number): SourcePlace | null;
  /** Returns the nodes that show a value or a part of it. If there are none, returns the nodes that show the structure with this value. If an entry
   * has `sources`, only vertices with these numbers show the value. Child nodes are listed separately. */
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

/** Unpacks the result of DioramaScene.packed(). `before` is the data of the scene that packed() was given; the new data contains its unchanged
 * arrays. */
export function sceneOf(packed: ArrayBuffer, before?: SceneData | null): SceneData;

/** A scene. An index of -1 means none. The arrays are views of `buffer`. Lengths are in the units of the scene, angles in radians, times in
 * seconds. */
export interface SceneData {
  schema: string;
  buffer: ArrayBuffer;
  /** The pixels of all images, then the arrays of all primitives, in the order of the scene. Not enumerable. */
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
  /** `joints` are indices of nodes. `inverseBind` has 16 numbers for each joint, column by column: the transform from the space of the mesh to the
   * space of the joint. */
  skins: { name: string; joints: number[]; inverseBind: Float32Array }[];
  /** A camera with a `halfHeight` of 0 has a perspective projection, any other a parallel projection. For the latter, `halfHeight` is half the height
   * of the view, and `aspect` is its width divided by its height. */
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
  /** RGBA in sRGB, not premultiplied; rows from the top. */
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
  /** For 'mask': pixels with a lower alpha are not drawn. */
  alphaCutoff: number;
  /** The index of the texture. Its pixels are multiplied with the colour. */
  texture: number;
  /** The transform of the texture coordinates: scale, then rotation (counterclockwise, with the v axis pointing down), then offset. */
  transform: { offset: [number, number]; rotation: number; scale: [number, number] };
  extras: any;
}
export interface ScenePrimitive {
  shape: 'points' | 'lines' | 'triangles';
  material: number;
  /** Three numbers per vertex, in the units of the node. */
  positions: Float32Array;
  /** Three numbers per vertex: a vector of length 1. */
  normals?: Float32Array;
  /** Four numbers per vertex: linear RGBA; 65535 is 1. */
  colors?: Uint16Array;
  /** Two numbers per vertex; 1 is the width or the height of the picture. */
  uvs?: Float32Array;
  /** Four numbers per vertex: indices into the joints of the node's skin. */
  joints?: Uint16Array;
  /** Four numbers per vertex, with a sum of 1. */
  weights?: Float32Array;
  /** One number per vertex, for sourcePath(). */
  sources?: Uint32Array;
  /** Without indices, each vertex is used once, in order. */
  indices?: Uint32Array;
  inVariants: { variant: number; material: number }[];
}
/** Directional and spot lights shine along the negative Z axis of their nodes. */
export interface SceneLight {
  name: string;
  /** Linear RGB, 0 to 1. */
  color: [number, number, number];
  /** In lux for directional lights, otherwise in candela. */
  intensity: number;
  kind: 'directional' | 'point' | 'spot';
  /** 0 means infinite. */
  range: number;
  /** The angles of a spot light, measured from its axis. */
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
  /** The object that the node stands for: {kind, path, file, ...}. */
  extras: any;
}
export interface SceneAnimation {
  name: string;
  channels: {
    node: number;
    target: 'translation' | 'rotation' | 'scale';
    interpolation: 'step' | 'linear';
    times: Float32Array;
    /** Three numbers per key, or four for rotations. */
    values: Float32Array;
  }[];
  /** The vertical field of view. */
  fovChannels: { camera: number; times: Float32Array; values: Float32Array }[];
  materialChannels: {
    material: number;
    target: 'color' | 'offset' | 'rotation' | 'scale';
    interpolation: 'step' | 'linear';
    times: Float32Array;
    /** Four numbers per key: linear RGBA for color; offset and scale use the first two numbers, rotation uses the first. */
    values: Float32Array;
  }[];
  /** 1: visible from this time on. 0: hidden from this time on. */
  visibilityChannels: { node: number; times: Float32Array; visible: Uint8Array }[];
  extras: any;
}
