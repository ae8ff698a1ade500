// core.mjs: the library in JavaScript. Loads diorama.wasm in a browser or in Node.js, and wraps the functions of
// src/capi/diorama.h so that callers need no pointers. Results are copies. Each method frees the memory that it used in
// the module before it returns; only `close()` frees the memory of a file, a copy during editing, a scene or a game.

/** Returns a command in a text of the library, such as {edit FILE mirror}, as a call of this module: `file.edit('mirror')`. */
function callOf(name, words) {
  const given = words.split(' ').filter(Boolean), [first, second] = given, has = (word) => given.includes(word);
  if (name.startsWith('--')) {
    const key = name === '--as' ? 'as' : name.slice(2).replace(/-(.)/g, (_, letter) => letter.toUpperCase());
    return `\`${key}: ${/^(canonical|cascade|delete|lossy|named|partly|rescale|strict|unlink)$/.test(key) ? 'true' : given.length ? `'${words}'` : '...'}\``;
  }
  const edit = () => {
    const target = first === 'GAME' ? 'game' : 'file', [named, ...rest] = given.slice(1);
    if (!named) return `${target}.edits()`;
    const keys = rest.filter((word) => word.includes('=')).map((word) => word.split('=')).map(([key, value]) => `${/^\w+$/.test(key) ? key : `'${key}'`}: '${value}'`);
    return `${target}.edit('${named}'${keys.length ? `, { ${keys.join(', ')} }` : ''})`;
  };
  const path = first?.split('#')[1];
  const call = {
    budget: () => (has('--maps') ? 'game.budgets()' : 'file.budget()'),
    check: () => (has('--fix') ? 'file.repair()' : has('--json') ? "file.report('json')" : has('--maps') ? 'game.check()' : 'file.check()'),
    convert: () => (has('--canonical') ? 'file.save({ canonical: true })' : has('--onto') ? `file.putBack(scene${has('--partly') ? ', { partly: true }' : has('--delete') ? ', { delete: true }' : ''})` : given.some((word) => word.startsWith('--')) ? 'file.make(format, options)' : "file.convert('glb')"),
    decode: () => 'file.decode()',
    edit,
    encode: () => 'diorama.encode()',
    explain: () => (path?.includes('@') ? `file.ask('${path.split('@')[0]}', ...)` : path ? `file.explain('${path}')` : given.length ? 'file.questions()' : 'diorama.explain()'),
    find: () => 'diorama.find()',
    formats: () => 'diorama.formats()',
    help: () => 'diorama.formats()',
    info: () => 'file.info()',
    ls: () => (first === 'ARCHIVE' ? 'file.members()' : `file.branch('${second ?? ''}')`),
    maps: () => (has('--make') ? `game.make('${given.at(-1)}')` : second ? `game.describe('${second}')` : 'game.maps()'),
    merge: () => 'diorama.merge()',
    pack: () => 'diorama.pack()',
    refs: () => 'file.refs(path)',
    render: () => 'file.render()',
    schema: () => 'diorama.schema()',
    set: () => 'file.set(path, value)',
    textures: () => (has('--replace') ? 'file.takeTextures(files)' : 'file.textures()'),
    tree: () => (has('--maps') ? 'game.graph()' : 'file.tree()'),
    unpack: () => 'file.unpacked()',
    verify: () => 'file.verify()',
    world: () => (second ? `game.world('${second}')` : 'game.world()'),
  }[name];
  return call ? `\`${call()}\`` : `the command line's \`${name}\``;
}
const commands = /\{(--[a-z][a-z-]*|budget|check|completion|convert|decode|diff|edit|encode|explain|find|formats|get|git|help|hex|info|ls|maps|merge|pack|refs|render|schema|set|show|simulate|textures|thumbnail|tree|unpack|verify|view|world)(?: ([^{}]*))?\}/g;
/** Replaces each command in a text of the library by the result of `wording(name, words)`. */
export const wordCommands = (text, wording = callOf) =>
  text.replace(commands, (_, name, words = '') => wording(name, words));
/** Replaces the commands in all texts of a finding or a rule. Changes the object itself. */
const wordTexts = (object, wording) => {
  for (const name of ['message', 'expected', 'found', 'hint', 'sentence', 'why', 'fix', 'about'])
    if (typeof object?.[name] === 'string') object[name] = wordCommands(object[name], wording);
  return object;
};

/** An error of the library. `finding` is its diagnostic: {severity, id, file, offset, size, path, ...}. */
export class DioramaError extends Error {
  constructor(finding) {
    const place = [finding.offset === undefined ? '' : `0x${finding.offset.toString(16)}`, finding.path ?? ''];
    const where = place.filter(Boolean).join(' ');
    const pair = [finding.expected && `expected ${finding.expected}`, finding.found && `found ${finding.found}`].filter(Boolean).join(', ');
    const what = finding.message || pair;
    super([finding.file, where, what].filter(Boolean).join(': ') || finding.id);
    this.name = 'DioramaError';
    this.finding = finding;
  }
  get id() {
    return this.finding.id;
  }
}

const flagsOf = ({ strict, canonical, lossy, known }) =>
  (strict ? 1 : 0) | (canonical ? 2 : 0) | (lossy ? 4 : 0) | (known ? 8 : 0);
/** Options in the form that the library expects: ['NAME=VALUE']. */
const pairsOf = (values) => Object.entries(values).map(([name, value]) => `${name}=${value}`);
/** An offset or a number of bytes in the form that the module expects: 64 bits. */
const wide = (number) => {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${number} is not a number of bytes`);
  return BigInt(number);
};
const encoder = new TextEncoder(), decoder = new TextDecoder();

/** The library. Each instance belongs to one thread; workers create their own instances from the same WebAssembly.Module. */
export class Diorama {
  /** Loads the library from a URL, a Response (or a promise of one), the bytes of diorama.wasm, or a WebAssembly.Module. `wording(name, words)`
   * returns the texts for commands in messages; by default, they are calls of this module. */
  static async load(source, { wording = callOf } = {}) {
    if (typeof source === 'string' || source instanceof URL) source = fetch(source);
    source = await source;
    if (typeof Response !== 'undefined' && source instanceof Response) {
      if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
      source = await source.arrayBuffer();  // not compileStreaming: it requires a content type that few servers send
    }
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const library = new Diorama();
    library.#wording = wording;
    const imports = { wasi_snapshot_preview1: library.#wasi(module), diorama: { read: library.#read } };
    library.#exports = (await WebAssembly.instantiate(module, imports)).exports;
    library.#exports._initialize();
    return library;
  }

  #exports;
  #wording;
  #readers = new Map();  // functions that read parts of files, by their numbers in the module
  #lastReader = 0;
  #readError = null;  // the last exception of a reader

  /** The import of the module: reads a part of a file. */
  #read = (number, offset, to, size) => {
    try {
      const bytes = this.#readers.get(number)(offset, size);
      new Uint8Array(this.#exports.memory.buffer, to >>> 0, size).set(bytes.subarray(0, size));
      return Math.min(bytes.length, size);
    } catch (error) {
      this.#readError = error;
      return 0;
    }
  };

  /** Registers functions that the module may call to read files. Returns their numbers and the function `take`. Each object that uses the functions
   * calls `take`, and calls the result of `take` when it is closed. */
  #hold(readers) {
    const numbers = readers.map((read) => {
      this.#readers.set(++this.#lastReader, read);
      return this.#lastReader;
    });
    let holders = 0;
    const take = () => {
      ++holders;
      return () => {
        if (--holders === 0) for (const number of numbers) this.#readers.delete(number);
      };
    };
    return { numbers, take };
  }

  /** The system functions of the module: no files, no clock. The module only writes the reason before it aborts. */
  #wasi(module) {
    const view = () => new DataView(this.#exports.memory.buffer);
    const known = {
      environ_sizes_get: (count, size) => {
        view().setUint32(count, 0, true);
        view().setUint32(size, 0, true);
        return 0;
      },
      environ_get: () => 0,
      fd_write: (fd, vectors, count, written) => {
        let total = 0;
        for (let i = 0; i < count; ++i) {
          const at = view().getUint32(vectors + 8 * i, true), size = view().getUint32(vectors + 8 * i + 4, true);
          if (size) console.error(decoder.decode(new Uint8Array(this.#exports.memory.buffer, at, size)));
          total += size;
        }
        view().setUint32(written, total, true);
        return 0;
      },
      proc_exit: (code) => {
        throw new Error(`the module ended with code ${code}`);
      },
    };
    const unsupported = () => 52;  // ENOSYS
    return Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, known[name] ?? unsupported]));
  }

  // ---- arguments and results ----

  /** Makes the memory of the module grow in large steps. Otherwise, it would grow by a few pages at a time, and JavaScript engines collect garbage at
   * each step: more than half of the time to open a world. Pages that are never written use no memory of the machine. */
  #room() {
    const { dio_alloc, dio_free, memory } = this.#exports, at = dio_alloc(Math.max(8 << 20, memory.buffer.byteLength >> 1)) >>> 0;
    if (at) dio_free(at);
  }
  /** Copies `inputs` (bytes, or null) into the module, calls f with their addresses, and frees the copies. */
  #with(inputs, f) {
    const { dio_alloc, dio_free, memory } = this.#exports;
    this.#room();
    const addresses = [];
    try {
      for (const input of inputs) {
        if (input === null) {
          addresses.push(0);
          continue;
        }
        const at = dio_alloc(input.length) >>> 0;
        if (!at) throw new RangeError(`no memory for ${input.length} bytes`);
        addresses.push(at);
        new Uint8Array(memory.buffer, at, input.length).set(input);
      }
      return f(...addresses);
    } finally {
      for (const at of addresses) if (at) dio_free(at);
    }
  }

  /** Copies a list of addresses into the module, calls f with its address, and frees the list. */
  #list(addresses, f) {
    const { dio_alloc, dio_free, memory } = this.#exports;
    const at = dio_alloc(4 * addresses.length) >>> 0;
    if (!at) throw new RangeError(`no memory for ${addresses.length} addresses`);
    try {
      new Uint32Array(memory.buffer, at, addresses.length).set(addresses);
      return f(at, addresses.length);
    } finally {
      dio_free(at);
    }
  }

  static #text = (s) => (s === undefined || s === null ? null : encoder.encode(`${s}\0`));
  static #bytes(b) {
    if (b instanceof ArrayBuffer) return new Uint8Array(b);
    if (ArrayBuffer.isView(b)) return new Uint8Array(b.buffer, b.byteOffset, b.byteLength);
    throw new TypeError('expected an ArrayBuffer or a view of one');
  }

  /** Returns the bytes of a buffer, and frees the buffer. If the buffer holds an error, throws the error. */
  #take(buffer) {
    const { dio_buffer_ok, dio_buffer_data, dio_buffer_size, dio_buffer_free, memory } = this.#exports;
    try {
      const bytes = new Uint8Array(memory.buffer, dio_buffer_data(buffer) >>> 0, dio_buffer_size(buffer) >>> 0).slice();
      if (dio_buffer_ok(buffer)) return bytes;
      const error = new DioramaError(wordTexts(JSON.parse(decoder.decode(bytes)), this.#wording));
      if (error.id === 'io.read' && this.#readError) error.cause = this.#readError;
      throw error;
    } finally {
      dio_buffer_free(buffer);
    }
  }
  /** Copies files, {name: bytes}, into the module as a list of struct dio_named, calls f with its address, and frees the list. */
  #named = (files, f) => {
    const names = Object.keys(files), contents = names.map((name) => Diorama.#bytes(files[name]));
    return this.#with([...names.map(Diorama.#text), ...contents], (...at) => {
      const list = new Uint32Array(3 * names.length);
      names.forEach((_, i) => list.set([at[i], at[names.length + i], contents[i].length], 3 * i));
      return this.#list([...list], (start) => f(start, names.length));
    });
  };
  /** Returns {files: [{name, bytes}], notes} from a buffer with several files, and frees the buffer. */
  #takeFiles = (buffer) => {
    const { dio_buffer_ok, dio_buffer_data, dio_buffer_size, dio_buffer_file, dio_buffer_free, memory } = this.#exports;
    if (!dio_buffer_ok(buffer)) return this.#take(buffer);
    try {
      const text = new Uint8Array(memory.buffer, dio_buffer_data(buffer) >>> 0, dio_buffer_size(buffer) >>> 0).slice();
      const { schema, files, ...more } = JSON.parse(decoder.decode(text));
      return { files: files.map(({ size, ...file }, i) => ({ ...file, bytes: this.#take(dio_buffer_file(buffer, i)) })), ...more };
    } finally {
      dio_buffer_free(buffer);
    }
  };
  #takeText = (buffer) => decoder.decode(this.#take(buffer));
  #takeJson = (buffer) => JSON.parse(this.#takeText(buffer));
  #takeWorded = (buffer, list) => {
    const result = this.#takeJson(buffer);
    for (const one of list ? result[list] : [result]) wordTexts(one, this.#wording);
    return list ? result[list] : result;
  };
  #string(at) {
    if (!at) return null;
    const bytes = new Uint8Array(this.#exports.memory.buffer, at >>> 0);
    return decoder.decode(bytes.slice(0, bytes.indexOf(0)));
  }

  // ---- the library ----

  get version() {
    return this.#string(this.#exports.dio_version());
  }
  /** Returns the formats: [{id, title, platform, extensions, checks, gltf, placed, simulates, archive, compressed, options: [{name, usage, about,
   * remakes}]}]. */
  formats() {
    return this.#takeJson(this.#exports.dio_formats()).formats;
  }
  /** Returns the meaning of the id of a finding or an error: {rule, severity, sentence, why, fix, source}. */
  explain(id) {
    return this.#with([Diorama.#text(id)], (i) => this.#takeWorded(this.#exports.dio_explain(i)));
  }

  /** Finds files of known formats inside other data: [{offset, size, format, damaged_parts}]. With `everyByte`, the search tries every byte instead
   * of every fourth. */
  find(bytes, name = '', { everyByte } = {}) {
    bytes = Diorama.#bytes(bytes);
    return this.#with([bytes, Diorama.#text(name)], (b, n) =>
      this.#takeJson(this.#exports.dio_find(b, bytes.length, n, everyByte ? 64 : 0))).found;
  }
  /** Merges two edits of one file: {files: [{name, bytes}], collisions: [{path, what}]}. If the edits collide, `favor` ('ours' or 'theirs') decides;
   * without it, `files` is empty. */
  merge(base, ours, theirs, favor = '') {
    const [b, o, t] = [base, ours, theirs].map(DioramaFile.handleOf);
    return this.#with([Diorama.#text(favor)], (f) => this.#takeFiles(this.#exports.dio_merge(b, o, t, f)));
  }
  /** Draws small pictures of files, with their names, on one sheet, and returns the bytes of a PNG file. Options: those of render(), and {columns:
   * 4}. */
  sheet(files, options = {}) {
    const { dio_sheet } = this.#exports;
    return this.#list(files.map(DioramaFile.handleOf), (list, files_) => this.#with(pairsOf(options).map(Diorama.#text), (...told) =>
      this.#list(told, (at, count) => this.#take(dio_sheet(list, files_, at, count)))));
  }
  /** Packs files, {'course.kmp': bytes}, into an archive. Options: {as: 'yaz0', named: 'yes', 'byte-order': 'ff-fe'}. */
  pack(files, options = {}) {
    const { dio_pack } = this.#exports;
    return this.#named(files, (list, files_) => this.#with(pairsOf(options).map(Diorama.#text), (...told) =>
      this.#list(told, (at, count) => this.#take(dio_pack(list, files_, at, count)))));
  }

  /** Opens a file. Unreadable bytes also give a file: its `error` contains the reason. With `known`, check() also reports findings known in retail
   * files. */
  open(bytes, name = '', { as, strict, known } = {}) {
    bytes = Diorama.#bytes(bytes);
    const handle = this.#with([bytes, Diorama.#text(name), Diorama.#text(as)], (b, n, a) =>
      this.#exports.dio_open(b, bytes.length, n, a, flagsOf({ strict, known })));
    return new DioramaFile(this.#core(handle, name));
  }

  #core(handle, name) {
    return {
      exports: this.#exports, handle, name,
      room: () => this.#room(), take: (buffer) => this.#take(buffer), text: this.#takeText, json: this.#takeJson, worded: this.#takeWorded, reworded: (text) => wordCommands(text, this.#wording),
      files: this.#takeFiles, named: this.#named, string: (at) => this.#string(at), list: (addresses, f) => this.#list(addresses, f),
      with: (texts, f) => this.#with(texts.map(Diorama.#text), f),
      withBytes: (text, bytes, f) => this.#with([Diorama.#text(text), Diorama.#bytes(bytes)], f),
    };
  }

  /** Opens a large file (the image of a cartridge or a disc) without reading all of it. `read(offset, size)` returns these bytes synchronously: in
   * Node.js with readSync, in a Worker from `new FileReaderSync().readAsArrayBuffer(blob.slice(...))`. Methods that need all bytes throw; members,
   * their bytes and the game are available. Any other file is read completely. */
  openParts(size, name, read, { strict, known } = {}) {
    const reader = this.#hold([read]);
    const handle = this.#with([Diorama.#text(name)], (n) =>
      this.#exports.dio_open_parts(wide(size), n, 0, reader.numbers[0], flagsOf({ strict, known })));
    return new DioramaFile({ ...this.#core(handle, name), hold: reader.take });
  }

  /** Opens the game in a folder: [{path, bytes}], or [{path, size, read}] with `read` as in openParts(). Throws a DioramaError if the files contain
   * no game. */
  openGame(files, name = '', { known } = {}) {
    const readers = files.map(({ bytes, read }) =>
      read ?? ((offset, size) => Diorama.#bytes(bytes).subarray(offset, offset + size)));
    const { numbers, take } = this.#hold(readers);
    const handle = this.#with([Diorama.#text(name), ...files.map(({ path }) => Diorama.#text(path))], (n, ...paths) => {
      const sources = new DataView(new ArrayBuffer(24 * files.length));  // struct dio_source
      files.forEach(({ bytes, size = bytes.byteLength }, i) => {
        sources.setUint32(24 * i, paths[i], true);
        sources.setBigUint64(24 * i + 8, wide(size), true);
        sources.setUint32(24 * i + 16, numbers[i], true);
      });
      return this.#with([new Uint8Array(sources.buffer)], (list) =>
        this.#exports.dio_game_open_files(n, list, files.length, 0, flagsOf({ known })));
    });
    return new DioramaGame({ ...this.#core(handle, name), prefix: '', hold: take });
  }

  /** Returns the bytes of a file from the result of decode() or decodeText(), edited or not. */
  encode(document, { canonical, lossy } = {}) {
    const text = encoder.encode(typeof document === 'string' ? document : JSON.stringify(document));
    const flags = flagsOf({ canonical, lossy });
    return this.#with([text], (t) => this.#take(this.#exports.dio_encode(t, text.length, flags)));
  }

  /** The size of the module's memory in bytes. The module never returns memory, but reuses freed memory. */
  get memorySize() {
    return this.#exports.memory.buffer.byteLength;
  }
}

/** An opened file. Methods throw a DioramaError if they have no result. */
class DioramaFile {
  #core;
  #release;
  constructor(core) {
    this.#core = core;
    this.#release = core.hold?.();
    this.name = core.name;
    this.format = core.string(core.exports.dio_file_format(core.handle));
    /** Null, or the DioramaError with the reason why the file could not be read. */
    this.error = null;
    const error = core.exports.dio_error(core.handle);
    if (!error) return;
    try {
      core.take(error);
    } catch (e) {
      this.error = e;
    }
  }

  get #handle() {
    if (!this.#core.handle) throw new Error(`${this.name} is closed`);
    return this.#core.handle;
  }
  /** Returns the handle of a file, for classes that take scenes. */
  static handleOf(file) {
    return file.#handle;
  }

  /** Returns the names of the sibling files that belong to this file: ['room.vram', 'room.spu']. */
  beside() {
    return this.#core.json(this.#core.exports.dio_beside(this.#handle)).names;
  }
  /** Returns a new file: this file combined with its sibling files. Close both files after use. If one of the others cannot be used with this file,
   * the new file has an `error`. */
  together(...others) {
    const { exports, list } = this.#core, handle = this.#handle;
    const both = list(others.map((other) => other.#handle), (at, count) => exports.dio_together(handle, at, count));
    return new DioramaFile({ ...this.#core, handle: both });
  }

  /** Returns a summary of the file: {file, format, size, certainty, reason, info}. */
  info() {
    return JSON.parse(this.infoText());
  }
  /** Returns the JSON of info() as a text on one line. The text is exact; in JavaScript values, whole numbers above 2**53 are rounded, and 1.0 becomes
   * 1. */
  infoText() {
    return this.#core.text(this.#core.exports.dio_info(this.#handle));
  }
  /** Describes one value: {path, type, offset, size, show, doc, unit, words}. */
  explain(path) {
    return this.#core.with([path], (p) => this.#core.json(this.#core.exports.dio_explain_value(this.#handle, p)));
  }
  /** Returns the findings of check() as a text: 'sarif', 'json', 'summary' or 'text'. Options: {rule: 'kmp.', ignore: 'kmp.*'}. With {member: path},
   * returns the findings of checkMember(). */
  report(form, { member, ...options } = {}) {
    const { exports, list, reworded, text, with: borrow } = this.#core, handle = this.#handle;
    const checked = member === undefined ? exports.dio_check(handle) : borrow([member], (p) => exports.dio_check_member(handle, p, 0, 0));
    try {
      return borrow([form, ...pairsOf(options)], (f, ...told) => list([checked], (checks, checks_) =>
        list(told, (at, count) => reworded(text(exports.dio_report(checks, checks_, f, at, count))))));
    } finally {
      exports.dio_buffer_free(checked);
    }
  }
  /** Repairs every problem that has exactly one safe repair: {files: [{name, bytes}], repairs: [{id, path, about}]}. */
  repair() {
    return this.#core.files(this.#core.exports.dio_repair(this.#handle));
  }
  /** Tests whether reading and writing the file restores every byte: {file, format, size, straight, through_json, problem}. */
  verify() {
    this.#core.room();
    return this.#core.json(this.#core.exports.dio_verify(this.#handle));
  }
  /** Compares this file with another file. Returns differences between values, [{kind, a, b, old, new}], or between archives, [{change, path, what}];
   * with {bytes: 'yes'}, between bytes: [{offset, old, new, path}]. */
  diff(other, options = {}) {
    const { exports, list, json, with: borrow } = this.#core, handle = this.#handle;
    const found = borrow(pairsOf(options), (...told) =>
      list(told, (at, count) => json(exports.dio_diff(handle, other.#handle, at, count))));
    return found.changes ?? found.members;
  }
  /** Returns the findings for the file: [{severity, id, offset, size, path, message, expected, found, hint}]. */
  check() {
    this.#core.room();
    return this.#core.worded(this.#core.exports.dio_check(this.#handle), 'findings');
  }
  /** Simulates the game's rules and returns the findings in the form of check(). Works for courses, combined with their collision file
   * (together()). */
  simulate() {
    this.#core.room();
    return this.#core.worded(this.#core.exports.dio_simulate(this.#handle), 'findings');
  }
  /** Returns the position of every value: {size, spans: [{path, offset, size, type, value, ...}], gaps: [{offset, size, hex}]}. */
  trace() {
    return this.#core.json(this.#core.exports.dio_trace(this.#handle));
  }
  /** Returns the bytes of the file with their meaning as the text of an HTML page. */
  hexPage() {
    return this.#core.reworded(this.#core.text(this.#core.exports.dio_hex_page(this.#handle)));
  }
  /** Returns a value and `count` of its children: {path, name, type, offset, size, value, show, doc, unit, count, total, members}. */
  branch(path, from = 0, count = 100) {
    const { exports, json, with: borrow } = this.#core;
    return borrow([path], (p) => json(exports.dio_branch(this.#handle, p, Math.min(from, 0xffffffff), Math.min(count, 0xffffffff))));
  }
  /** Returns the part of the trace() result in a range of bytes: {size, spans, gaps}. */
  spans(offset, size) {
    return this.#core.json(this.#core.exports.dio_spans(this.#handle, wide(offset), wide(size)));
  }
  /** Returns the position of a value, {offset, size}, or null if there is no such value. */
  place(path) {
    return this.#core.with([path], (p) => this.#core.json(this.#core.exports.dio_place(this.#handle, p)));
  }
  /** Returns the path of the innermost value at an offset, or null in a gap. */
  pathAt(offset) {
    return this.#core.json(this.#core.exports.dio_path_at(this.#handle, wide(offset)));
  }
  /** Returns `size` bytes of the file from `offset` on, or fewer at its end. */
  bytes(offset, size) {
    return this.#core.take(this.#core.exports.dio_bytes(this.#handle, wide(offset), wide(size)));
  }
  /** Returns all values: {name, type, offset, size, value, show, doc, unit, members}. */
  tree() {
    return this.#core.json(this.#core.exports.dio_tree(this.#handle)).tree;
  }
  /** Returns the complete file as JSON values. With `refs`, references are element ids instead of indices, so that elements can be removed, inserted
   * and sorted. With `lean`, values that can be computed from the rest are left out. */
  decode({ refs, lean } = {}) {
    return JSON.parse(this.decodeText({ refs, lean }));
  }
  /** Returns the JSON of decode() as a text. The text is exact; in JavaScript values, whole numbers above 2**53 are rounded, and 1.0 becomes 1. */
  decodeText({ refs, lean } = {}) {
    if (refs && lean) throw new TypeError('refs and lean exclude each other');
    const { dio_decode, dio_decode_refs, dio_decode_lean } = this.#core.exports;
    return this.#core.text((refs ? dio_decode_refs : lean ? dio_decode_lean : dio_decode)(this.#handle));
  }
  save({ canonical, lossy } = {}) {
    return this.#core.take(this.#core.exports.dio_save(this.#handle, flagsOf({ canonical, lossy })));
  }
  /** Returns the bytes of the file with one new value, set('KTPT[0].position.x', 12.5), or with several, set({'KTPT[0].position.x': 12.5}). The file
   * itself does not change. */
  set(values, value) {
    if (typeof values === 'string') values = { [values]: value };
    const { exports, with: borrow, take } = this.#core, handle = this.#handle;
    return borrow(pairsOf(values), (...addresses) =>
      this.#core.list(addresses, (list, count) => take(exports.dio_set(handle, list, count))));
  }
  /** Returns the edits that the file supports: [{edit, usage, about}]. */
  edits() {
    return this.#core.worded(this.#core.exports.dio_edits(this.#handle), 'edits');
  }
  /** Returns the references from and to the selected parts of the file: [{path, refers_to: [{from, to, exists}], referred_by}]. */
  refs(path = '', ...others) {
    const { exports, list, json, with: borrow } = this.#core, handle = this.#handle;
    return borrow([path], (p) => list(others.map((other) => other.#handle), (at, count) =>
      json(exports.dio_refs(handle, p, at, count)))).parts;
  }
  /** With a name, makes one edit and returns the new bytes: edit('mirror'), edit('raise-plate', {plate: 3, by: 16}), edit('remove', 'POTI[0]',
   * {unlink: true}). Without a name, edit({lossy}) starts editing a copy; close it after use. */
  edit(...given) {
    const named = typeof given[0] === 'string', { lossy } = (named ? given.at(-1) : given[0]) ?? {};
    const editing = new DioramaEditing(this.#core, this.#core.exports.dio_editing_begin(this.#handle, flagsOf({ lossy })));
    if (!named) return editing;
    try {
      editing.edit(...given);
      return editing.save({ lossy });
    } finally {
      editing.close();
    }
  }
  /** Returns the bytes of the file converted to 'glb', 'gltf' or 'json'. */
  convert(to) {
    return this.#core.with([to], (t) => this.#core.take(this.#core.exports.dio_convert(this.#handle, t)));
  }
  /** Draws the file and returns the bytes of a PNG picture. Options: {size: '256x192', camera: '30,45', background: '#506070', time: 1.5, ...}. For a
   * map from above: {camera: 'top', scale: 16}, which determines the size. */
  render(options = {}) {
    const { exports, list, take, with: borrow } = this.#core, handle = this.#handle;
    return borrow(pairsOf(options), (...told) =>
      list(told, (at, count) => take(exports.dio_render(handle, at, count))));
  }
  /** Draws a thumbnail of the file, and returns the bytes of a PNG picture of at most `size` x `size` pixels. */
  thumbnail(size = 128) {
    return this.#core.take(this.#core.exports.dio_thumbnail(this.#handle, size));
  }
  /** Draws a plan of a course from above, and returns the text of an SVG picture. Options: {size: '1600x1200', show: 'ckpt,enpt', background:
   * '#ffffff'}. */
  plan(options = {}) {
    const { exports, list, text, with: borrow } = this.#core, handle = this.#handle;
    return borrow(pairsOf(options), (...told) =>
      list(told, (at, count) => text(exports.dio_plan(handle, at, count))));
  }

  /** Creates the scene of the file. Close the scene after use. Options: {lit: 'yes'}, {lamps: 'yes'}, {'tick-rate': 30}, {race: 'yes'}. `before` is a
   * scene of the file before an edit: content of unchanged sibling files is copied from it, not created again. */
  scene(options = {}, before = null) {
    const { exports, list, with: borrow } = this.#core, handle = this.#handle;
    return new DioramaScene(this.#core, borrow(pairsOf(options), (...told) =>
      list(told, (at, count) => exports.dio_scene_again(handle, before ? sceneHandle(before) : 0, at, count))));
  }

  /** Returns the file's use of resources and the limits of its console: {file, format, engine, budgets: [{name, used, of, unit}], ...}. */
  budget() {
    return this.#core.json(this.#core.exports.dio_budget(this.#handle));
  }
  /** Returns the result of budget() as a picture: the text of an SVG file. */
  budgetPicture() {
    return this.#core.text(this.#core.exports.dio_budget_picture(this.#handle));
  }
  /** Returns the pictures of the file as PNG files, and textures.json: {files: [{name, bytes}], notes}. Options: {'all-palettes': 'yes', pal:
   * 'yes'}. */
  textures(options = {}) {
    const { exports, list, files, with: borrow } = this.#core, handle = this.#handle;
    return borrow(pairsOf(options), (...told) => list(told, (at, count) => files(exports.dio_textures(handle, at, count))));
  }
  /** Imports edited pictures. `folder` holds the files of textures(): {'textures.json': bytes, 'wood.png': bytes}. Returns {files: [{name, bytes}],
   * changed, unchanged, added, notes}. Options: {add: 'yes', rescale: 'yes'}. */
  takeTextures(folder, options = {}, { lossy } = {}) {
    const { exports, list, named, files, with: borrow } = this.#core, handle = this.#handle;
    return named(folder, (start, files_) => borrow(pairsOf(options), (...told) => list(told, (at, count) =>
      files(exports.dio_take_textures(handle, start, files_, at, count, flagsOf({ lossy }))))));
  }
  /** Applies an edited scene (.glb, .gltf, .obj) to the file that the scene was made from: {files: [{name, bytes}], what, deleted, lost, notes}. `partly`
   * skips changes that cannot be applied, and `delete` removes missing parts even if there are more than three; without them, both cases are
   * errors. */
  putBack(scene, { canonical, lossy, unlink, cascade, partly, delete: deletes } = {}) {
    const flags = flagsOf({ canonical, lossy }) | (unlink ? 16 : 0) | (cascade ? 32 : 0) | (partly ? 128 : 0) | (deletes ? 256 : 0);
    return this.#core.files(this.#core.exports.dio_put_back(this.#handle, scene.#handle, flags));
  }
  /** Returns the decoded sounds of the file: [{name, path, rate, loops, samples: Int16Array}]. `samples` is empty if the samples are in a sibling
   * file that was not passed to together(). */
  sounds() {
    return this.#core.files(this.#core.exports.dio_sounds(this.#handle)).files.map(({ bytes, ...sound }) =>
      ({ ...sound, samples: new Int16Array(bytes.buffer, 0, bytes.length / 2) }));
  }
  /** Creates files of a format from a scene (.glb, .gltf, .obj: a file whose `error` reports an unknown format), or from a file of the same format in
   * another version: {files: [{name, bytes}], notes: [finding]}. Options: {layout: 'v21'}. */
  make(format, options = {}) {
    const { exports, list, files, with: borrow } = this.#core, handle = this.#handle;
    return borrow([format, ...pairsOf(options)], (f, ...told) =>
      list(told, (at, count) => files(exports.dio_make(handle, f, at, count))));
  }

  /** Returns the members of an archive: [{number, path, offset, size, what}]. */
  members() {
    return this.contents().members;
  }
  /** Returns {members, first} of an archive. `first` is the path of the member to show first, if any member has a picture. */
  contents() {
    const { members, first } = this.#core.json(this.#core.exports.dio_members(this.#handle));
    return { members, first };
  }
  /** Returns the findings for a member, as check() does. The check uses all related files in the archive. `edited` are members with new bytes: {path:
   * bytes}. */
  checkMember(path, edited = {}) {
    const { exports, worded, named, with: borrow } = this.#core, handle = this.#handle;
    this.#core.room();
    return borrow([path], (p) => named(edited, (at, count) => worded(exports.dio_check_member(handle, p, at, count), 'findings')));
  }
  /** Returns the bytes of a member. The path may continue into nested archives: 'data/maps.narc/12'. */
  member(path) {
    return this.#core.with([path], (p) => this.#core.take(this.#core.exports.dio_member(this.#handle, p)));
  }
  /** Returns the archive with new bytes for a member. The file itself does not change. */
  replace(path, bytes) {
    return this.#core.withBytes(path, bytes, (p, b) =>
      this.#core.take(this.#core.exports.dio_replace(this.#handle, p, b, bytes.byteLength)));
  }

  /** Returns the archive with new bytes for several members, {path: bytes}. No two of them may be inside the same member. */
  replaceAll(members) {
    const { exports, named, take } = this.#core, handle = this.#handle;
    return named(members, (at, count) => take(exports.dio_replace_all(handle, at, count)));
  }
  /** Returns the members of the archive, or of one of its folders, as files with safe names, and the data that pack() needs: {files: [{name, bytes}],
   * notes}. */
  unpack(folder = '') {
    return this.#core.with([folder], (f) => this.#core.files(this.#core.exports.dio_unpack(this.#handle, f)));
  }

  /** Opens the game in a cartridge, a disc or another archive. Close the game after use. Throws if there is no game. */
  game() {
    this.#core.room();
    const handle = this.#core.exports.dio_game_open(this.#handle);
    return new DioramaGame({ ...this.#core, handle, prefix: `${this.name}/` });
  }

  /** Returns the questions about a position that the file can answer: [{question, usage, about}]. */
  questions() {
    return this.#core.json(this.#core.exports.dio_questions(this.#handle)).questions;
  }
  /** Answers a question from questions(): ask('height', '8,24'). */
  ask(question, argument) {
    const { exports, json, with: borrow } = this.#core;
    return borrow([question, argument], (q, a) => json(exports.dio_ask(this.#handle, q, a))).answer;
  }

  close() {
    this.#core.exports.dio_close(this.#core.handle);
    this.#core.handle = 0;
    this.#release?.();
    this.#release = null;
  }
}

/** A copy of a file during editing. Each edit is applied completely or not at all, keeps every reference on its element, and can be undone to the
 * same bytes. */
class DioramaEditing {
  #core;
  #at;
  /** Throws a DioramaError if the file cannot be read. */
  constructor(core, handle) {
    this.#core = core;
    this.#at = handle;
    if (core.exports.dio_editing_ok(handle)) return;
    try {
      core.take(core.exports.dio_editing_save(handle, 0));
    } finally {
      this.close();
    }
  }

  get #handle() {
    if (!this.#at) throw new Error('the editing is closed');
    return this.#at;
  }

  /** Makes one edit by its name, with elements and arguments: edit('raise-plate', {plate: 3, by: 16}). Returns the result of run(). */
  edit(name, ...given) {
    const { unlink, cascade, lossy, ...values } = typeof given.at(-1) === 'object' ? given.pop() : {};
    return this.run([name, ...given.map(String), ...pairsOf(values)], { unlink, cascade });
  }
  /** Makes edits from words: run(['remove', 'POTI[0]'], {unlink: true}). Several edits in one call count as one edit. Returns {done, changes, edits,
   * can_undo, can_redo}. */
  run(words, { unlink, cascade } = {}) {
    const { exports, list, json, with: borrow, room } = this.#core, handle = this.#handle;
    room();
    return borrow(words, (...told) => list(told, (at, count) =>
      json(exports.dio_editing_run(handle, at, count, (unlink ? 16 : 0) | (cascade ? 32 : 0)))));
  }
  /** Sets values: set('KTPT[0].position', '1,2,3'), set({'KTPT[0].position': '1,2,3'}). */
  set(values, value) {
    if (typeof values === 'string') values = { [values]: value };
    return this.run(['set', ...Object.entries(values).map(([path, value]) => `${path}=${value}`)]);
  }
  /** Undoes the last edit. Returns a result in the form of run(). */
  undo() {
    return this.#core.json(this.#core.exports.dio_editing_undo(this.#handle));
  }
  redo() {
    return this.#core.json(this.#core.exports.dio_editing_redo(this.#handle));
  }
  /** Returns the bytes of another file with the renamings of this file applied to it. */
  follow(other) {
    return this.#core.take(this.#core.exports.dio_editing_follow(this.#handle, DioramaFile.handleOf(other)));
  }
  /** Returns the bytes of the edited file. */
  save({ canonical, lossy } = {}) {
    return this.#core.take(this.#core.exports.dio_editing_save(this.#handle, flagsOf({ canonical, lossy })));
  }

  close() {
    this.#core.exports.dio_editing_close(this.#at);
    this.#at = 0;
  }
}

/** A whole game: maps made of several files. Paths are paths in the game, but findings and scenes name files as members of the archive that contains
 * the game: `game.nds/fielddata/land_data/land_data.narc/12`. */
class DioramaGame {
  #core;
  #at;
  #release;
  constructor(core) {
    this.#core = core;
    this.#at = core.handle;
    this.#release = core.hold?.();
    this.name = core.name;
    if (core.exports.dio_game_ok(this.#at)) return;
    try {
      core.take(core.exports.dio_game_info(this.#at));
    } finally {
      this.close();
    }
  }

  get #handle() {
    if (!this.#at) throw new Error(`the game of ${this.name} is closed`);
    return this.#at;
  }

  /** Returns a summary of the game: {name, game, title, files, overlays, options, scene_parts: [{kind, title, map}]}. */
  info() {
    return this.#core.json(this.#core.exports.dio_game_info(this.#handle));
  }
  /** Returns the overlays that world() can show over a map: ['tiles', 'collision', ...]. */
  overlays() {
    return this.info().overlays;
  }
  /** Returns the names of the options of world() and describe(): ['time', 'show', ...]. */
  options() {
    return this.info().options;
  }
  /** Returns all parts of the game that have an id: [{id, kind, number, name, path, element}]. */
  parts() {
    this.#core.room();
    return this.#core.json(this.#core.exports.dio_game_parts(this.#handle)).parts;
  }
  /** Returns the table of maps: {columns, rows}. */
  maps() {
    const { columns, maps } = this.#core.json(this.#core.exports.dio_game_maps(this.#handle));
    return { columns, rows: maps };
  }
  /** Describes one part. For a map with states, the result lists the changes of each state and the file that each resource comes from; for other
   * parts, it lists the parts that they use and that use them. */
  describe(part, options = {}) {
    const { exports, json } = this.#core;
    return this.#with(part, options, (p, list, count) => json(exports.dio_game_part(this.#handle, p, list, count)));
  }
  /** Returns the findings that concern several files of the game: [finding]. */
  check() {
    this.#core.room();
    const findings = this.#core.worded(this.#core.exports.dio_game_check(this.#handle), 'findings');
    for (const finding of findings) finding.file = this.#core.prefix + (finding.file ?? '');
    return findings;
  }
  /** Returns a part's use of resources and the limits of the console and the game: {game, part, name, budgets: [{name, used, of, unit, about}]}.
   * Without a part, returns the budgets of all maps and areas: {game, parts: [{part, name, budgets}]}. */
  budget(part = '') {
    const { exports, json, with: borrow } = this.#core;
    return borrow([part], (p) => json(exports.dio_game_budget(this.#handle, p)));
  }
  /** Returns the budget of a part as a picture: the text of an SVG file. */
  budgetPicture(part) {
    const { exports, text, with: borrow } = this.#core;
    return borrow([part], (p) => text(exports.dio_game_budget_picture(this.#handle, p)));
  }
  /** Returns the parts that each part uses and the parts that use it, for the whole game or for one part and its neighbours: {game, parts: [{part,
   * uses, used_by}]}. With 'dot' or 'mermaid', returns a text. */
  graph(part = '', form = 'json') {
    const { exports, text, with: borrow } = this.#core;
    const told = borrow([part, form], (p, f) => text(exports.dio_game_graph(this.#handle, p, f)));
    return form === 'json' ? JSON.parse(told) : told;
  }
  /** Returns the values in the game's files that refer to a part, and the parts that this part refers to: {part, refers_to: [{file, path, from, to}],
   * referred_by}. */
  refs(part) {
    const { exports, json, with: borrow } = this.#core;
    return borrow([part], (p) => json(exports.dio_game_refs(this.#handle, p))).parts[0];
  }
  /** Returns the differences between the maps of this game and of another game: [{kind, part, name, what, old, new, maps}]. */
  diff(other) {
    return this.#core.json(this.#core.exports.dio_game_diff(this.#handle, other.#handle)).changes;
  }
  /** Builds a file of the game from its other files: make('matshp'). */
  make(name) {
    const { exports, take, with: borrow } = this.#core;
    return borrow([name], (n) => take(exports.dio_game_make(this.#handle, n)));
  }
  /** Returns the paths of the other files that the game needs to show a part. */
  shownWith(part) {
    const { exports, json, with: borrow } = this.#core;
    return borrow([part], (p) => json(exports.dio_game_shown_with(this.#handle, p))).files;
  }
  /** Returns the edits that change several files of the game: [{edit, usage, about}]. */
  edits() {
    return this.#core.worded(this.#core.exports.dio_game_edits(this.#handle), 'edits');
  }
  /** Makes one edit by its name, edit('add-prop', {land: 3, model: 2, x: 8, z: 24}), or several edits from words: all of them or none. The game then
   * has the new files. Returns {done: [line], changes: [line], files: [{path, size}], notes: [finding]}. `scene` is an open .glb file for edits that
   * import a scene, such as make-map; `source` is an open file for edits that store a file, such as add-file. */
  edit(words, { unlink, scene, source, ...values } = {}) {
    if (typeof words === 'string') words = [words, ...pairsOf(values)];
    if (source) words = [...words, `source=${source.name}`];
    const { exports, json, list, room, with: borrow } = this.#core;
    room();
    return borrow(words.map(String), (...told) => list(told, (at, count) =>
      json(exports.dio_game_edit(this.#handle, at, count, unlink ? 16 : 0, scene || source ? DioramaFile.handleOf(scene || source) : 0))));
  }
  /** Returns the bytes of a file of the game, including all edits. Without a path, returns the whole image. */
  file(path = '') {
    const { exports, take, with: borrow } = this.#core;
    return borrow([path], (p) => take(exports.dio_game_file(this.#handle, p)));
  }
  /** Creates the scene of a part, or of the largest world if no part is given. Close the scene after use. Options: {time: '20:30', state: 'night',
   * show: 'tiles,events', lamps: 'yes', 'all-states': 'yes'}. */
  world(part = '', options = {}) {
    return new DioramaScene(this.#core, this.#with(part, options, (p, list, count) =>
      this.#core.exports.dio_game_world(this.#handle, p, list, count)));
  }
  #with(part, options, f) {
    const { list, with: borrow } = this.#core;
    return borrow([part, ...pairsOf(options)], (p, ...told) => list(told, (at, count) => f(p, at, count)));
  }

  close() {
    this.#core.exports.dio_game_close(this.#at);
    this.#at = 0;
    this.#release?.();
    this.#release = null;
  }
}

const arraysOfPrimitives = {
  positions: Float32Array, normals: Float32Array, colors: Uint16Array, uvs: Float32Array, joints: Uint16Array, weights: Float32Array, sources: Uint32Array, indices: Uint32Array,
};

/** Unpacks the result of DioramaScene.packed(). The arrays are views of one ArrayBuffer, `buffer`, which can be transferred. `before` is the data of
 * the scene that packed() was given; the new data contains its unchanged arrays. */
export function sceneOf(buffer, before = null) {
  const size = new DataView(buffer).getUint32(0, true), start = 4 + size;
  const scene = JSON.parse(decoder.decode(new Uint8Array(buffer, 4, size)));
  const view = (Type, { at, count }) => new Type(buffer, start + at, count);
  const set = (owner, Type, ...names) => {
    for (const name of names) if (owner[name]) owner[name] = view(Type, owner[name]);
  };
  const arrays = [];  // in the order of the text: changes refer to them by index
  const setLarge = (owner, Type, name) => {
    const { same } = owner[name];
    arrays.push((owner[name] = same === undefined ? view(Type, owner[name]) : before.arrays[same]));
  };
  for (const image of scene.images) setLarge(image, Uint8Array, 'pixels');
  for (const { primitives } of scene.meshes)
    for (const p of primitives) for (const [name, Type] of Object.entries(arraysOfPrimitives)) if (p[name]) setLarge(p, Type, name);
  for (const skin of scene.skins) set(skin, Float32Array, 'inverseBind');
  for (const a of scene.animations) {
    for (const c of [...a.channels, ...a.fovChannels, ...a.materialChannels]) set(c, Float32Array, 'times', 'values');
    for (const c of a.visibilityChannels) set(c, Float32Array, 'times'), set(c, Uint8Array, 'visible');
  }
  return Object.defineProperty({ ...scene, buffer }, 'arrays', { value: arrays });
}

let sceneHandle;

/** The 3D content of a file or of a part of a game. */
class DioramaScene {
  static #none = 0xffffffff;
  static {
    sceneHandle = (scene) => scene.#handle;
  }

  #core;
  #at;
  #release;
  /** Throws a DioramaError if there is no scene. */
  constructor(core, handle) {
    this.#core = core;
    this.#at = handle;
    this.#release = core.hold?.();
    if (core.exports.dio_scene_ok(handle)) return;
    try {
      core.take(core.exports.dio_scene_data(handle));
    } finally {
      this.close();
    }
  }

  get #handle() {
    if (!this.#at) throw new Error('the scene is closed');
    return this.#at;
  }

  /** Returns the whole scene as SceneData (core.d.mts). */
  data() {
    return sceneOf(this.packed());
  }
  /** Returns the whole scene as one ArrayBuffer that can be transferred to another thread, where sceneOf() unpacks it. `before` is a scene that the
   * other thread already has: only arrays that differ are packed. */
  packed(before = null) {
    const { room, take, exports } = this.#core;
    room();
    return take(before ? exports.dio_scene_changes(this.#handle, before.#handle) : exports.dio_scene_data(this.#handle)).buffer;
  }
  /** Returns the bytes of the scene as a file for 3D programs: 'glb' or 'gltf'. Options: {instances: 'yes'}. */
  convert(to, options = {}) {
    const { exports, list, take, with: borrow } = this.#core;
    return borrow([to, ...pairsOf(options)], (t, ...told) => list(told, (at, count) =>
      take(exports.dio_scene_convert(this.#handle, t, at, count))));
  }
  /** Draws the scene, with the options of a file's render(), and returns the bytes of a PNG picture. */
  render(options = {}) {
    const { exports, list, take, with: borrow } = this.#core;
    return borrow(pairsOf(options), (...told) => list(told, (at, count) =>
      take(exports.dio_scene_render(this.#handle, at, count))));
  }
  /** Draws a map from above as square pictures at several sizes, with a web page that shows them: {files: [{name, bytes}], notes}. Options: {tiles:
   * 256, scale: 16}. */
  tiles(options = {}) {
    const { exports, list, files, with: borrow } = this.#core;
    return borrow(pairsOf(options), (...told) => list(told, (at, count) =>
      files(exports.dio_scene_tiles(this.#handle, at, count))));
  }
  /** Returns the origin of a vertex, {file, path, offset, size}, or null. `node` is a node that shows the vertex, and `source` is the entry for the
   * vertex in the array `sources`. Without `source`, returns the origin of the node. */
  sourcePath(node, source = DioramaScene.#none) {
    const found = this.#core.json(this.#core.exports.dio_scene_source(this.#handle, node, source));
    return found && { ...found, file: (this.#core.prefix ?? '') + found.file };
  }
  /** Returns the nodes that show a value: [{node, sources: [[first, count]]}]. An entry without `sources` is a whole node. */
  shows(file, path) {
    const { exports, json, with: borrow, prefix = '' } = this.#core;
    if (!file.startsWith(prefix)) return [];
    return borrow([file.slice(prefix.length), path], (f, p) => json(exports.dio_scene_shows(this.#handle, f, p)));
  }

  close() {
    this.#core.exports.dio_scene_close(this.#at);
    this.#at = 0;
    this.#release?.();
    this.#release = null;
  }
}
