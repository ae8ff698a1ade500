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
    const imports = { wasi_snapshot_preview1: library.#wasi(module) };
    library.#exports = (await WebAssembly.instantiate(module, imports)).exports;
    library.#exports._initialize();
    return library;
  }

  #exports;

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

  /** Calls f with the addresses of copies of `inputs` (bytes, or null), which are gone afterwards. */
  #with(inputs, f) {
    const { dio_alloc, dio_free, memory } = this.#exports;
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
      throw new DioramaError(JSON.parse(decoder.decode(bytes)));
    } finally {
      dio_buffer_free(buffer);
    }
  }
  /** {files: [{name, bytes}], notes} of a buffer of several files, which is freed. */
  #takeFiles = (buffer) => {
    const { dio_buffer_ok, dio_buffer_data, dio_buffer_size, dio_buffer_file, dio_buffer_free, memory } = this.#exports;
    if (!dio_buffer_ok(buffer)) return this.#take(buffer);
    try {
      const text = new Uint8Array(memory.buffer, dio_buffer_data(buffer) >>> 0, dio_buffer_size(buffer) >>> 0).slice();
      const { files, notes } = JSON.parse(decoder.decode(text));
      return { files: files.map(({ name }, i) => ({ name, bytes: this.#take(dio_buffer_file(buffer, i)) })), notes };
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
  /** [{id, title, platform, extensions, checks, gltf, samples, options: [{name, usage, about}]}] */
  formats() {
    return this.#takeJson(this.#exports.dio_formats()).formats;
  }
  /** {rule, severity, sentence, why, source} */
  explain(id) {
    return this.#with([Diorama.#text(id)], (i) => this.#takeJson(this.#exports.dio_explain(i)));
  }

  /**
   * Opens a file. One that cannot be read gives a file too: its `error` says why. `known`: check() says what the makers
   * of a game shipped the file with, too.
   */
  open(bytes, name = '', { as, strict, known } = {}) {
    bytes = Diorama.#bytes(bytes);
    const handle = this.#with([bytes, Diorama.#text(name), Diorama.#text(as)], (b, n, a) =>
      this.#exports.dio_open(b, bytes.length, n, a, flagsOf({ strict, known })));
    return new DioramaFile({
      exports: this.#exports, handle, name,
      take: (buffer) => this.#take(buffer), text: this.#takeText, json: this.#takeJson,
      files: this.#takeFiles, string: (at) => this.#string(at), list: (addresses, f) => this.#list(addresses, f),
      with: (texts, f) => this.#with(texts.map(Diorama.#text), f),
      withBytes: (text, bytes, f) => this.#with([Diorama.#text(text), Diorama.#bytes(bytes)], f),
    });
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
  static #pairs = (values) => Object.entries(values).map(([name, value]) => `${name}=${value}`);

  #core;
  constructor(core) {
    this.#core = core;
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

  /** The names of files that belong to it and lie beside it: ['room.vram', 'room.spu']. */
  beside() {
    return this.#core.json(this.#core.exports.dio_beside(this.#handle)).names;
  }
  /** The same file together with others that belong to it: a file of its own, to be closed as well. */
  together(...others) {
    const { exports, list } = this.#core, handle = this.#handle;
    const both = list(others.map((other) => other.#handle), (at, count) => exports.dio_together(handle, at, count));
    return new DioramaFile({ ...this.#core, handle: both });
  }

  /** {file, format, size, certainty, reason, info} */
  info() {
    return this.#core.json(this.#core.exports.dio_info(this.#handle));
  }
  /** [{severity, id, offset, size, path, message, expected, found, hint}] */
  check() {
    return this.#core.json(this.#core.exports.dio_check(this.#handle)).findings;
  }
  /** {size, spans: [{path, offset, size, type, value, ...}], gaps: [{offset, size, hex}]} */
  trace() {
    return this.#core.json(this.#core.exports.dio_trace(this.#handle));
  }
  /** {name, type, offset, size, value, show, doc, unit, members} */
  tree() {
    return this.#core.json(this.#core.exports.dio_tree(this.#handle)).tree;
  }
  decode() {
    return JSON.parse(this.decodeText());
  }
  /** As text nothing is lost: JavaScript's numbers would round whole ones above 2**53, and write 1.0 as 1. */
  decodeText() {
    return this.#core.text(this.#core.exports.dio_decode(this.#handle));
  }
  save({ canonical, lossy } = {}) {
    return this.#core.take(this.#core.exports.dio_save(this.#handle, flagsOf({ canonical, lossy })));
  }
  /** Bytes with other values: {'KTPT.entries[0].position.x': 12.5}. The file itself stays as it is. */
  set(values) {
    const { exports, with: borrow, take } = this.#core, handle = this.#handle;
    return borrow(DioramaFile.#pairs(values), (...addresses) =>
      this.#core.list(addresses, (list, count) => take(exports.dio_set(handle, list, count))));
  }
  /** The bytes of it as 'glb', 'gltf' or 'json'. */
  convert(to) {
    return this.#core.with([to], (t) => this.#core.take(this.#core.exports.dio_convert(this.#handle, t)));
  }
  /** A picture of it, the bytes of a PNG. Options: {size: '256x192', camera: 'top', scale: '16', background: '#506070', time: 1.5, ...}. */
  render(options = {}) {
    const { exports, list, take, with: borrow } = this.#core, handle = this.#handle;
    return borrow(DioramaFile.#pairs(options), (...told) =>
      list(told, (at, count) => take(exports.dio_render(handle, at, count))));
  }
  /** Its plan, drawn from above: the text of an SVG, for courses. Options: {size: '1600x1200', show: 'ckpt,enpt', background: '#ffffff'}. */
  plan(options = {}) {
    const { exports, list, text, with: borrow } = this.#core, handle = this.#handle;
    return borrow(DioramaFile.#pairs(options), (...told) =>
      list(told, (at, count) => text(exports.dio_plan(handle, at, count))));
  }

  /** {file, format, engine, budgets: [{name, used, of, unit}], ...} */
  budget() {
    return this.#core.json(this.#core.exports.dio_budget(this.#handle));
  }
  /** Its pictures as PNG, and textures.json: {files: [{name, bytes}], notes}. */
  textures() {
    return this.#core.files(this.#core.exports.dio_textures(this.#handle));
  }
  /** Files of a format, of a scene (.glb, .gltf: a file whose `error` says that it is of no format) or of a file of
   * this format in another version: {files: [{name, bytes}], notes: [finding]}. Options: {layout: 'v21'}. */
  make(format, options = {}) {
    const { exports, list, files, with: borrow } = this.#core, handle = this.#handle;
    return borrow([format, ...DioramaFile.#pairs(options)], (f, ...told) =>
      list(told, (at, count) => files(exports.dio_make(handle, f, at, count))));
  }

  /** Of an archive: [{number, path, offset, size, what}] */
  members() {
    return this.#core.json(this.#core.exports.dio_members(this.#handle)).members;
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

  close() {
    this.#core.exports.dio_close(this.#core.handle);
    this.#core.handle = 0;
  }
}
