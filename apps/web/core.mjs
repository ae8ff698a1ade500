// core.mjs: the library in JavaScript. Loads diorama.wasm, in a browser or in Node.js, and wraps the functions of
// src/capi/diorama.h so that callers need no pointers. Results are copies; the memory of the module is freed before a
// method returns, except that of a file, which lives until `close()`.

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
/** Options as the library takes them: ['NAME=VALUE']. */
const pairsOf = (values) => Object.entries(values).map(([name, value]) => `${name}=${value}`);
/** A position in a file, or a number of bytes, as the module takes it: 64 bits. */
const wide = (number) => {
  if (!Number.isSafeInteger(number) || number < 0) throw new RangeError(`${number} is not a number of bytes`);
  return BigInt(number);
};
const encoder = new TextEncoder(), decoder = new TextDecoder();

/** The library. One instance is for one thread; workers make their own from the same WebAssembly.Module. */
export class Diorama {
  /** From a URL, a Response (or a promise of one), the bytes of diorama.wasm, or a WebAssembly.Module. */
  static async load(source) {
    if (typeof source === 'string' || source instanceof URL) source = fetch(source);
    source = await source;
    if (typeof Response !== 'undefined' && source instanceof Response) {
      if (!source.ok) throw new Error(`${source.url}: ${source.status} ${source.statusText}`);
      source = await source.arrayBuffer();  // not compileStreaming: it insists on a content type few servers know
    }
    const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
    const library = new Diorama();
    const imports = { wasi_snapshot_preview1: library.#wasi(module), diorama: { read: library.#read } };
    library.#exports = (await WebAssembly.instantiate(module, imports)).exports;
    library.#exports._initialize();
    return library;
  }

  #exports;
  #readers = new Map();  // of files that are read in parts, by the number that the module has for each
  #lastReader = 0;
  #readError = null;  // what a reader has thrown

  /** What the module calls to read a part of a file. */
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

  /** Readers that the module may call: their numbers, and how to hold them; what holds them calls what it gets. */
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

  /** The system the module believes to run on: no files, no clock. It writes only why it gives up. */
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

  // ---- passing arguments, taking results ----

  /** Has the memory of the module grow in large steps. It would by a few pages at a time, and engines collect garbage whenever it
   * does: more than half of the time of opening a world. What is not written to takes no memory of the machine. */
  #room() {
    const { dio_alloc, dio_free, memory } = this.#exports, at = dio_alloc(Math.max(8 << 20, memory.buffer.byteLength >> 1)) >>> 0;
    if (at) dio_free(at);
  }
  /** Calls f with the addresses of copies of `inputs` (bytes, or null), which are gone afterwards. */
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

  /** Calls f with the address of a list of addresses, which is gone afterwards. */
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

  /** The bytes of a buffer, which is freed. Throws what it says if it is an error. */
  #take(buffer) {
    const { dio_buffer_ok, dio_buffer_data, dio_buffer_size, dio_buffer_free, memory } = this.#exports;
    try {
      const bytes = new Uint8Array(memory.buffer, dio_buffer_data(buffer) >>> 0, dio_buffer_size(buffer) >>> 0).slice();
      if (dio_buffer_ok(buffer)) return bytes;
      const error = new DioramaError(JSON.parse(decoder.decode(bytes)));
      if (error.id === 'io.read' && this.#readError) error.cause = this.#readError;
      throw error;
    } finally {
      dio_buffer_free(buffer);
    }
  }
  /** Calls f with the address of a list of struct dio_named, which is gone afterwards. Files: {name: bytes}. */
  #named = (files, f) => {
    const names = Object.keys(files), contents = names.map((name) => Diorama.#bytes(files[name]));
    return this.#with([...names.map(Diorama.#text), ...contents], (...at) => {
      const list = new Uint32Array(3 * names.length);
      names.forEach((_, i) => list.set([at[i], at[names.length + i], contents[i].length], 3 * i));
      return this.#list([...list], (start) => f(start, names.length));
    });
  };
  /** {files: [{name, bytes}], notes} of a buffer of several files, which is freed. */
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
  #string(at) {
    if (!at) return null;
    const bytes = new Uint8Array(this.#exports.memory.buffer, at >>> 0);
    return decoder.decode(bytes.slice(0, bytes.indexOf(0)));
  }

  // ---- the library ----

  get version() {
    return this.#string(this.#exports.dio_version());
  }
  /** [{id, title, platform, extensions, checks, gltf, placed, simulates, archive, compressed, options: [{name, usage, about, remakes}]}] */
  formats() {
    return this.#takeJson(this.#exports.dio_formats()).formats;
  }
  /** {rule, severity, sentence, why, fix, source} */
  explain(id) {
    return this.#with([Diorama.#text(id)], (i) => this.#takeJson(this.#exports.dio_explain(i)));
  }

  /** Files inside any bytes: [{offset, size, format, damaged_parts}]. `everyByte`: not only at every fourth byte. */
  find(bytes, name = '', { everyByte } = {}) {
    bytes = Diorama.#bytes(bytes);
    return this.#with([bytes, Diorama.#text(name)], (b, n) =>
      this.#takeJson(this.#exports.dio_find(b, bytes.length, n, everyByte ? 64 : 0))).found;
  }
  /** Two edits of one file as one: {files: [{name, bytes}], collisions: [{path, what}]}; no file if they collide and `favor`,
   * 'ours' or 'theirs', does not say who is right. */
  merge(base, ours, theirs, favor = '') {
    const [b, o, t] = [base, ours, theirs].map(DioramaFile.handleOf);
    return this.#with([Diorama.#text(favor)], (f) => this.#takeFiles(this.#exports.dio_merge(b, o, t, f)));
  }
  /** Small pictures of files on one sheet, the bytes of a PNG. Options: those of render(), and {columns: 4}. */
  sheet(files, options = {}) {
    const { dio_sheet } = this.#exports;
    return this.#list(files.map(DioramaFile.handleOf), (list, files_) => this.#with(pairsOf(options).map(Diorama.#text), (...told) =>
      this.#list(told, (at, count) => this.#take(dio_sheet(list, files_, at, count)))));
  }
  /** An archive of files by their paths: {'course.kmp': bytes}. Options: {as: 'yaz0', named: 'yes', 'byte-order': 'ff-fe'}. */
  pack(files, options = {}) {
    const { dio_pack } = this.#exports;
    return this.#named(files, (list, files_) => this.#with(pairsOf(options).map(Diorama.#text), (...told) =>
      this.#list(told, (at, count) => this.#take(dio_pack(list, files_, at, count)))));
  }

  /**
   * Opens a file. One that cannot be read gives a file too: its `error` says why. `known`: check() says what the makers
   * of a game shipped the file with, too.
   */
  open(bytes, name = '', { as, strict, known } = {}) {
    bytes = Diorama.#bytes(bytes);
    const handle = this.#with([bytes, Diorama.#text(name), Diorama.#text(as)], (b, n, a) =>
      this.#exports.dio_open(b, bytes.length, n, a, flagsOf({ strict, known })));
    return new DioramaFile(this.#core(handle, name));
  }

  #core(handle, name) {
    return {
      exports: this.#exports, handle, name,
      room: () => this.#room(), take: (buffer) => this.#take(buffer), text: this.#takeText, json: this.#takeJson,
      files: this.#takeFiles, named: this.#named, string: (at) => this.#string(at), list: (addresses, f) => this.#list(addresses, f),
      with: (texts, f) => this.#with(texts.map(Diorama.#text), f),
      withBytes: (text, bytes, f) => this.#with([Diorama.#text(text), Diorama.#bytes(bytes)], f),
    };
  }

  /**
   * Opens a large file, of which only parts are read: the image of a cartridge or a disc. `read(offset, size)` returns these
   * bytes at once: in Node.js with readSync, in a Worker from `new FileReaderSync().readAsArrayBuffer(blob.slice(...))`.
   * What needs all bytes throws; members, their bytes and the game are there. Any other file is read completely.
   */
  openParts(size, name, read, { strict, known } = {}) {
    const reader = this.#hold([read]);
    const handle = this.#with([Diorama.#text(name)], (n) =>
      this.#exports.dio_open_parts(wide(size), n, 0, reader.numbers[0], flagsOf({ strict, known })));
    return new DioramaFile({ ...this.#core(handle, name), hold: reader.take });
  }

  /**
   * The game in a folder: [{path, bytes}], or [{path, size, read}] as for openParts. Throws a DioramaError if the files
   * are of no game.
   */
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

  /** The bytes of a document: what `decode` or `decodeText` gave, edited or not. */
  encode(document, { canonical, lossy } = {}) {
    const text = encoder.encode(typeof document === 'string' ? document : JSON.stringify(document));
    const flags = flagsOf({ canonical, lossy });
    return this.#with([text], (t) => this.#take(this.#exports.dio_encode(t, text.length, flags)));
  }

  /** How much memory the module has taken. It never gives any back, but uses again what was freed. */
  get memorySize() {
    return this.#exports.memory.buffer.byteLength;
  }
}

/** An opened file. Methods throw a DioramaError where there is no result. */
class DioramaFile {
  #core;
  #release;
  constructor(core) {
    this.#core = core;
    this.#release = core.hold?.();
    this.name = core.name;
    this.format = core.string(core.exports.dio_file_format(core.handle));
    /** Null, or the DioramaError that says why it could not be read. */
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
  /** For games, which take scenes. */
  static handleOf(file) {
    return file.#handle;
  }

  /** The names of files that belong to it and lie beside it: ['room.vram', 'room.spu']. */
  beside() {
    return this.#core.json(this.#core.exports.dio_beside(this.#handle)).names;
  }
  /** The same file together with others that belong to it: a file of its own, to be closed as well. With one that does not, its `error`
   * says so. */
  together(...others) {
    const { exports, list } = this.#core, handle = this.#handle;
    const both = list(others.map((other) => other.#handle), (at, count) => exports.dio_together(handle, at, count));
    return new DioramaFile({ ...this.#core, handle: both });
  }

  /** {file, format, size, certainty, reason, info} */
  info() {
    return this.#core.json(this.#core.exports.dio_info(this.#handle));
  }
  /** What is known of one value: {path, type, offset, size, show, doc, unit, words}. */
  explain(path) {
    return this.#core.with([path], (p) => this.#core.json(this.#core.exports.dio_explain_value(this.#handle, p)));
  }
  /** What check() finds as 'sarif', 'json', 'summary' or 'text'. Options: {rule: 'kmp.', ignore: 'kmp.*'}. */
  report(form, options = {}) {
    const { exports, list, text, with: borrow } = this.#core, checked = exports.dio_check(this.#handle);
    try {
      return borrow([form, ...pairsOf(options)], (f, ...told) => list([checked], (checks, checks_) =>
        list(told, (at, count) => text(exports.dio_report(checks, checks_, f, at, count)))));
    } finally {
      exports.dio_buffer_free(checked);
    }
  }
  /** It with everything repaired that has one safe repair: {files: [{name, bytes}], repairs: [{id, path, about}]}. */
  repair() {
    return this.#core.files(this.#core.exports.dio_repair(this.#handle));
  }
  /** Whether it comes back byte for byte: {file, format, size, straight, through_json, problem}. */
  verify() {
    this.#core.room();
    return this.#core.json(this.#core.exports.dio_verify(this.#handle));
  }
  /** How another file differs from it: [{kind, a, b, old, new}]; of archives [{change, path, what}]; with {bytes: 'yes'}
   * [{offset, old, new, path}]. */
  diff(other, options = {}) {
    const { exports, list, json, with: borrow } = this.#core, handle = this.#handle;
    const found = borrow(pairsOf(options), (...told) =>
      list(told, (at, count) => json(exports.dio_diff(handle, other.#handle, at, count))));
    return found.changes ?? found.members;
  }
  /** [{severity, id, offset, size, path, message, expected, found, hint}] */
  check() {
    this.#core.room();
    return this.#core.json(this.#core.exports.dio_check(this.#handle)).findings;
  }
  /** What is wrong when it is played by the rules of the game, as check() says it; with the collision of a course: together(). */
  simulate() {
    this.#core.room();
    return this.#core.json(this.#core.exports.dio_simulate(this.#handle)).findings;
  }
  /** {size, spans: [{path, offset, size, type, value, ...}], gaps: [{offset, size, hex}]} */
  trace() {
    return this.#core.json(this.#core.exports.dio_trace(this.#handle));
  }
  /** Its bytes with their meaning: the text of a page (HTML). */
  hexPage() {
    return this.#core.text(this.#core.exports.dio_hex_page(this.#handle));
  }
  /** A value and a window of its children: {path, name, type, offset, size, value, show, doc, unit, count, total, members}. */
  branch(path, from = 0, count = 100) {
    const { exports, json, with: borrow } = this.#core;
    return borrow([path], (p) => json(exports.dio_branch(this.#handle, p, Math.min(from, 0xffffffff), Math.min(count, 0xffffffff))));
  }
  /** What trace() has in a range of bytes: {size, spans, gaps}. */
  spans(offset, size) {
    return this.#core.json(this.#core.exports.dio_spans(this.#handle, wide(offset), wide(size)));
  }
  /** Where a value is: {offset, size}; null if there is none. */
  place(path) {
    return this.#core.with([path], (p) => this.#core.json(this.#core.exports.dio_place(this.#handle, p)));
  }
  /** The path of the innermost value at an offset; null in a gap. */
  pathAt(offset) {
    return this.#core.json(this.#core.exports.dio_path_at(this.#handle, wide(offset)));
  }
  /** Bytes of the file, fewer at its end. */
  bytes(offset, size) {
    return this.#core.take(this.#core.exports.dio_bytes(this.#handle, wide(offset), wide(size)));
  }
  /** {name, type, offset, size, value, show, doc, unit, members} */
  tree() {
    return this.#core.json(this.#core.exports.dio_tree(this.#handle)).tree;
  }
  /** With `refs`, numbers that refer to elements are ids of the elements, so that these can be removed, inserted and sorted. With
   * `lean`, what follows from the rest is left out. */
  decode({ refs, lean } = {}) {
    return JSON.parse(this.decodeText({ refs, lean }));
  }
  /** As text nothing is lost: JavaScript's numbers would round whole ones above 2**53, and write 1.0 as 1. */
  decodeText({ refs, lean } = {}) {
    if (refs && lean) throw new TypeError('refs and lean exclude each other');
    const { dio_decode, dio_decode_refs, dio_decode_lean } = this.#core.exports;
    return this.#core.text((refs ? dio_decode_refs : lean ? dio_decode_lean : dio_decode)(this.#handle));
  }
  save({ canonical, lossy } = {}) {
    return this.#core.take(this.#core.exports.dio_save(this.#handle, flagsOf({ canonical, lossy })));
  }
  /** Bytes with other values: {'KTPT.entries[0].position.x': 12.5}. The file itself stays as it is. */
  set(values) {
    const { exports, with: borrow, take } = this.#core, handle = this.#handle;
    return borrow(pairsOf(values), (...addresses) =>
      this.#core.list(addresses, (list, count) => take(exports.dio_set(handle, list, count))));
  }
  /** The edits that can be made in it: [{edit, usage, about}]. */
  edits() {
    return this.#core.json(this.#core.exports.dio_edits(this.#handle)).edits;
  }
  /** Who refers to what a path selects, and to what it refers: [{path, refers_to: [{from, to, exists}], referred_by}]. */
  refs(path = '', ...others) {
    const { exports, list, json, with: borrow } = this.#core, handle = this.#handle;
    return borrow([path], (p) => list(others.map((other) => other.#handle), (at, count) =>
      json(exports.dio_refs(handle, p, at, count)))).parts;
  }
  /** Begins to edit a copy of it; to be closed as well. */
  edit({ lossy } = {}) {
    return new DioramaEditing(this.#core, this.#core.exports.dio_editing_begin(this.#handle, flagsOf({ lossy })));
  }
  /** The bytes of it as 'glb', 'gltf' or 'json'. */
  convert(to) {
    return this.#core.with([to], (t) => this.#core.take(this.#core.exports.dio_convert(this.#handle, t)));
  }
  /** A picture of it, the bytes of a PNG. Options: {size: '256x192', camera: '30,45', background: '#506070', time: 1.5, ...}; of a map
   * from above {camera: 'top', scale: 16}, which makes its size. */
  render(options = {}) {
    const { exports, list, take, with: borrow } = this.#core, handle = this.#handle;
    return borrow(pairsOf(options), (...told) =>
      list(told, (at, count) => take(exports.dio_render(handle, at, count))));
  }
  /** A small picture of it, the bytes of a PNG of at most so many pixels along an axis. */
  thumbnail(size = 128) {
    return this.#core.take(this.#core.exports.dio_thumbnail(this.#handle, size));
  }
  /** Its plan, drawn from above: the text of an SVG, for courses. Options: {size: '1600x1200', show: 'ckpt,enpt', background: '#ffffff'}. */
  plan(options = {}) {
    const { exports, list, text, with: borrow } = this.#core, handle = this.#handle;
    return borrow(pairsOf(options), (...told) =>
      list(told, (at, count) => text(exports.dio_plan(handle, at, count))));
  }

  /** What it looks like: a scene, to be closed as well. Options: {lit: 'yes'}, {lamps: 'yes'}, {'tick-rate': 30},
   * {race: 'yes'}. `before`: a scene of the file before an edit; what it shows of companions is not made again. */
  scene(options = {}, before = null) {
    const { exports, list, with: borrow } = this.#core, handle = this.#handle;
    return new DioramaScene(this.#core, borrow(pairsOf(options), (...told) =>
      list(told, (at, count) => exports.dio_scene_again(handle, before ? sceneHandle(before) : 0, at, count))));
  }

  /** {file, format, engine, budgets: [{name, used, of, unit}], ...} */
  budget() {
    return this.#core.json(this.#core.exports.dio_budget(this.#handle));
  }
  /** The same as a picture: the text of an SVG. */
  budgetPicture() {
    return this.#core.text(this.#core.exports.dio_budget_picture(this.#handle));
  }
  /** Its pictures as PNG, and textures.json: {files: [{name, bytes}], notes}. Options: {'all-palettes': 'yes', pal: 'yes'}. */
  textures(options = {}) {
    const { exports, list, files, with: borrow } = this.#core, handle = this.#handle;
    return borrow(pairsOf(options), (...told) => list(told, (at, count) => files(exports.dio_textures(handle, at, count))));
  }
  /** It with edited pictures of what textures() gave, {'textures.json': bytes, 'wood.png': bytes}: {files: [{name, bytes}], changed,
   * unchanged, added, notes}. Options: {add: 'yes', rescale: 'yes'}. */
  takeTextures(folder, options = {}, { lossy } = {}) {
    const { exports, list, named, files, with: borrow } = this.#core, handle = this.#handle;
    return named(folder, (start, files_) => borrow(pairsOf(options), (...told) => list(told, (at, count) =>
      files(exports.dio_take_textures(handle, start, files_, at, count, flagsOf({ lossy }))))));
  }
  /** It with an edited scene (.glb, .gltf) that was made of it: {files: [{name, bytes}], what, deleted, lost, notes}. With
   * `partly`, changes that cannot be taken are left out, which is an error without; with `delete`, more than three parts
   * that the scene lacks are removed. */
  putBack(scene, { canonical, lossy, unlink, cascade, partly, delete: deletes } = {}) {
    const flags = flagsOf({ canonical, lossy }) | (unlink ? 16 : 0) | (cascade ? 32 : 0) | (partly ? 128 : 0) | (deletes ? 256 : 0);
    return this.#core.files(this.#core.exports.dio_put_back(this.#handle, scene.#handle, flags));
  }
  /** Its sounds: [{name, path, rate, loops, samples: Int16Array}], empty where they are in a companion that is not there. */
  sounds() {
    return this.#core.files(this.#core.exports.dio_sounds(this.#handle)).files.map(({ bytes, ...sound }) =>
      ({ ...sound, samples: new Int16Array(bytes.buffer, 0, bytes.length / 2) }));
  }
  /** Files of a format, of a scene (.glb, .gltf: a file whose `error` says that it is of no format) or of a file of
   * this format in another version: {files: [{name, bytes}], notes: [finding]}. Options: {layout: 'v21'}. */
  make(format, options = {}) {
    const { exports, list, files, with: borrow } = this.#core, handle = this.#handle;
    return borrow([format, ...pairsOf(options)], (f, ...told) =>
      list(told, (at, count) => files(exports.dio_make(handle, f, at, count))));
  }

  /** Of an archive: [{number, path, offset, size, what}] */
  members() {
    return this.contents().members;
  }
  /** Of an archive: {members, first}: the path of the member to show first, if one has a picture. */
  contents() {
    const { members, first } = this.#core.json(this.#core.exports.dio_members(this.#handle));
    return { members, first };
  }
  /** What is wrong with a member, with all that it belongs to in the archive: as check(). `edited`: members that have other
   * bytes now, {path: bytes}. */
  checkMember(path, edited = {}) {
    const { exports, json, named, with: borrow } = this.#core, handle = this.#handle;
    this.#core.room();
    return borrow([path], (p) => named(edited, (at, count) => json(exports.dio_check_member(handle, p, at, count)).findings));
  }
  /** The bytes of a member. The path may lead on into archives in the archive: 'data/maps.narc/12'. */
  member(path) {
    return this.#core.with([path], (p) => this.#core.take(this.#core.exports.dio_member(this.#handle, p)));
  }
  /** The bytes of the archive with others in place of a member. The file itself stays as it is. */
  replace(path, bytes) {
    return this.#core.withBytes(path, bytes, (p, b) =>
      this.#core.take(this.#core.exports.dio_replace(this.#handle, p, b, bytes.byteLength)));
  }

  /** The same for several, {path: bytes}, no two of them in the same member. */
  replaceAll(members) {
    const { exports, named, take } = this.#core, handle = this.#handle;
    return named(members, (at, count) => take(exports.dio_replace_all(handle, at, count)));
  }
  /** Its members as files with safe names, or those below a folder, and what pack() needs: {files: [{name, bytes}], notes}. */
  unpack(folder = '') {
    return this.#core.with([folder], (f) => this.#core.files(this.#core.exports.dio_unpack(this.#handle, f)));
  }

  /** The game in it, if it is a cartridge, a disc or another archive; to be closed as well. Throws if there is none. */
  game() {
    this.#core.room();
    const handle = this.#core.exports.dio_game_open(this.#handle);
    return new DioramaGame({ ...this.#core, handle, prefix: `${this.name}/` });
  }

  /** What can be asked about a position: [{question, usage, about}]. */
  questions() {
    return this.#core.json(this.#core.exports.dio_questions(this.#handle)).questions;
  }
  /** The answer to one of them: ask('height', '8,24'). */
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

/** A file that is edited. Edits keep every reference on the element it meant, are made as a whole or not at all, and can be
 * undone to the same bytes. */
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

  /** Makes edits, as the words of `dio edit`: run(['remove', 'POTI[0]'], {unlink: true}). Several in a row are one edit. Returns
   * {done, changes, edits, can_undo, can_redo}. */
  run(words, { unlink, cascade } = {}) {
    const { exports, list, json, with: borrow, room } = this.#core, handle = this.#handle;
    room();
    return borrow(words, (...told) => list(told, (at, count) =>
      json(exports.dio_editing_run(handle, at, count, (unlink ? 16 : 0) | (cascade ? 32 : 0)))));
  }
  /** Sets values: set({'KTPT[0].position': '1,2,3'}). */
  set(values) {
    return this.run(['set', ...Object.entries(values).map(([path, value]) => `${path}=${value}`)]);
  }
  /** Takes the last edit back. Returns what run() does. */
  undo() {
    return this.#core.json(this.#core.exports.dio_editing_undo(this.#handle));
  }
  redo() {
    return this.#core.json(this.#core.exports.dio_editing_redo(this.#handle));
  }
  /** The bytes of another file in which names follow what was renamed. */
  follow(other) {
    return this.#core.take(this.#core.exports.dio_editing_follow(this.#handle, DioramaFile.handleOf(other)));
  }
  /** The bytes of the file as edited. */
  save({ canonical, lossy } = {}) {
    return this.#core.take(this.#core.exports.dio_editing_save(this.#handle, flagsOf({ canonical, lossy })));
  }

  close() {
    this.#core.exports.dio_editing_close(this.#at);
    this.#at = 0;
  }
}

/** A whole game: maps made of several files. Paths are those of files in the game; but findings and scenes name files as
 * members of the archive that the game is in: `game.nds/fielddata/land_data/land_data.narc/12`. */
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

  /** {name, game, title, files, overlays, options, scene_parts: [{kind, title, map}]} */
  info() {
    return this.#core.json(this.#core.exports.dio_game_info(this.#handle));
  }
  /** What world() can show over a map: ['tiles', 'collision', ...]. */
  overlays() {
    return this.info().overlays;
  }
  /** The options of world() and describe(): ['time', 'show', ...]. */
  options() {
    return this.info().options;
  }
  /** [{id, kind, number, name, path, element}] */
  parts() {
    this.#core.room();
    return this.#core.json(this.#core.exports.dio_game_parts(this.#handle)).parts;
  }
  /** The table of maps: {columns, rows}. */
  maps() {
    const { columns, maps } = this.#core.json(this.#core.exports.dio_game_maps(this.#handle));
    return { columns, rows: maps };
  }
  /** What the states of a map change, and which file has what; of other parts, what they use and what uses them. */
  describe(part, options = {}) {
    const { exports, json } = this.#core;
    return this.#with(part, options, (p, list, count) => json(exports.dio_game_part(this.#handle, p, list, count)));
  }
  /** What is wrong across its files: [finding]. */
  check() {
    this.#core.room();
    const { findings } = this.#core.json(this.#core.exports.dio_game_check(this.#handle));
    for (const finding of findings) finding.file = this.#core.prefix + (finding.file ?? '');
    return findings;
  }
  /** What a part takes of what the console and the game have: {game, part, name, budgets: [{name, used, of, unit, about}]};
   * without a part, {game, parts: [{part, name, budgets}]} of all maps and areas. */
  budget(part = '') {
    const { exports, json, with: borrow } = this.#core;
    return borrow([part], (p) => json(exports.dio_game_budget(this.#handle, p)));
  }
  /** The budget of a part as a picture: the text of an SVG. */
  budgetPicture(part) {
    const { exports, text, with: borrow } = this.#core;
    return borrow([part], (p) => text(exports.dio_game_budget_picture(this.#handle, p)));
  }
  /** Which parts use which, of all of it or of one part: {game, parts: [{part, uses, used_by}]}; a text for 'dot', 'mermaid'. */
  graph(part = '', form = 'json') {
    const { exports, text, with: borrow } = this.#core;
    const told = borrow([part, form], (p, f) => text(exports.dio_game_graph(this.#handle, p, f)));
    return form === 'json' ? JSON.parse(told) : told;
  }
  /** Which values refer to a part, and to which parts it refers: {part, refers_to: [{file, path, from, to}], referred_by}. */
  refs(part) {
    const { exports, json, with: borrow } = this.#core;
    return borrow([part], (p) => json(exports.dio_game_refs(this.#handle, p))).parts[0];
  }
  /** How the maps of another game differ from its own: [{kind, part, name, what, old, new, maps}]. */
  diff(other) {
    return this.#core.json(this.#core.exports.dio_game_diff(this.#handle, other.#handle)).changes;
  }
  /** A file of it that follows from others. */
  make(name) {
    const { exports, take, with: borrow } = this.#core;
    return borrow([name], (n) => take(exports.dio_game_make(this.#handle, n)));
  }
  /** The other files that the game needs to show a part. */
  shownWith(part) {
    const { exports, json, with: borrow } = this.#core;
    return borrow([part], (p) => json(exports.dio_game_shown_with(this.#handle, p))).files;
  }
  /** The edits that take several of its files: [{edit, usage, about}]. */
  edits() {
    return this.#core.json(this.#core.exports.dio_game_edits(this.#handle)).edits;
  }
  /** Makes edits, as the words of `dio edit GAME`: all of them, or none. From then on the game is as edited:
   * {done: [line], changes: [line], files: [{path, size}], notes: [finding]}. `scene`: an open .glb for edits that bring one in:
   * make-map. */
  edit(words, { unlink, scene } = {}) {
    const { exports, json, list, room, with: borrow } = this.#core;
    room();
    return borrow(words.map(String), (...told) => list(told, (at, count) =>
      json(exports.dio_game_edit(this.#handle, at, count, unlink ? 16 : 0, scene ? DioramaFile.handleOf(scene) : 0))));
  }
  /** The bytes of a file, as edited; without a path, those of the image. */
  file(path = '') {
    const { exports, take, with: borrow } = this.#core;
    return borrow([path], (p) => take(exports.dio_game_file(this.#handle, p)));
  }
  /** A part as a scene, to be closed as well; without one, the largest world. Options: {time: '20:30', state: 'night', show:
   * 'tiles,events', lamps: 'yes', 'all-states': 'yes'}. */
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

/** A scene of its packed form. The arrays are views of one ArrayBuffer, `buffer`, which can be transferred. `before`: the
 * scene of which it was packed with the changes; arrays that are the same are those of `before`. */
export function sceneOf(buffer, before = null) {
  const size = new DataView(buffer).getUint32(0, true), start = 4 + size;
  const scene = JSON.parse(decoder.decode(new Uint8Array(buffer, 4, size)));
  const view = (Type, { at, count }) => new Type(buffer, start + at, count);
  const set = (owner, Type, ...names) => {
    for (const name of names) if (owner[name]) owner[name] = view(Type, owner[name]);
  };
  const arrays = [];  // in the order of the text: changes refer to them by their numbers
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

/** What a file, or a part of a game, looks like. */
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

  /** All of it, as core.d.mts has it. */
  data() {
    return sceneOf(this.packed());
  }
  /** The same as one ArrayBuffer, which can be transferred to another thread: sceneOf() unpacks it there. `before`: another
   * scene, which it has already; only arrays that are not the same are packed. */
  packed(before = null) {
    const { room, take, exports } = this.#core;
    room();
    return take(before ? exports.dio_scene_changes(this.#handle, before.#handle) : exports.dio_scene_data(this.#handle)).buffer;
  }
  /** The scene as a file for 3D programs: the bytes of it as 'glb' or 'gltf'. Options: {instances: 'yes'}. */
  convert(to, options = {}) {
    const { exports, list, take, with: borrow } = this.#core;
    return borrow([to, ...pairsOf(options)], (t, ...told) => list(told, (at, count) =>
      take(exports.dio_scene_convert(this.#handle, t, at, count))));
  }
  /** A picture of it, the bytes of a PNG, with the options of a file's render(). */
  render(options = {}) {
    const { exports, list, take, with: borrow } = this.#core;
    return borrow(pairsOf(options), (...told) => list(told, (at, count) =>
      take(exports.dio_scene_render(this.#handle, at, count))));
  }
  /** It from above as small pictures at several sizes, with a page that shows them: {files: [{name, bytes}], notes}. Options:
   * {tiles: 256, scale: 16}. */
  tiles(options = {}) {
    const { exports, list, files, with: borrow } = this.#core;
    return borrow(pairsOf(options), (...told) => list(told, (at, count) =>
      files(exports.dio_scene_tiles(this.#handle, at, count))));
  }
  /** Where a vertex comes from, by its node and its number in `sources`; without the latter, what the node stands for:
   * {file, path, offset, size}, or null. */
  sourcePath(node, source = DioramaScene.#none) {
    const found = this.#core.json(this.#core.exports.dio_scene_source(this.#handle, node, source));
    return found && { ...found, file: (this.#core.prefix ?? '') + found.file };
  }
  /** The nodes that show a value: [{node, sources: [[first, count]]}]. Without sources, the whole node. */
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
