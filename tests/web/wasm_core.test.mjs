// The module through apps/web/core.mjs: its output for every sample equals that of the program, and no input makes it trap. DIORAMA_WASM is
// the path of the module, DIO that of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { Diorama, DioramaError, wordCommands } from '../../apps/web/core.mjs';
import { dio, folder } from './program.mjs';
import { samplesIn } from './samples.mjs';

const module = await WebAssembly.compile(readFileSync(process.env.DIORAMA_WASM));
/** Commands as `dio` words them, for comparisons with its output. */
const wording = (name, words) => (name.startsWith('--') ? [name, words].filter(Boolean).join(' ') : `\`dio ${[name, words].filter(Boolean).join(' ')}\``);
const diorama = await Diorama.load(module, { wording });
const noSystem = Object.fromEntries(WebAssembly.Module.imports(module).map(({ name }) => [name, () => 52]));
const { exports: raw } = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: noSystem, diorama: noSystem });
raw._initialize();

const dioJson = (...args) => JSON.parse(dio(...args));
const samples = samplesIn(join(folder, 'samples'));
const bytesOf = new Map(samples.map(({ name, bytes }) => [name, bytes]));
const smallest = samples.filter(({ format }) => format === 'kmp').reduce((a, b) => (b.bytes.length < a.bytes.length ? b : a)).name;

/** The output of dio_NAME for a file as text; the wrapper has already parsed it. */
function rawText(name, bytes, path) {
  const cut = (at) => new Uint8Array(raw.memory.buffer, at);
  const file = raw.dio_alloc(bytes.length), text = raw.dio_alloc(path.length + 1);
  cut(file).set(bytes);
  cut(text).set(Buffer.from(`${path}\0`));
  const handle = raw.dio_open(file, bytes.length, text, 0, 0), buffer = raw[`dio_${name}`](handle);
  const out = Buffer.from(cut(raw.dio_buffer_data(buffer)).slice(0, raw.dio_buffer_size(buffer))).toString();
  raw.dio_buffer_free(buffer);
  raw.dio_close(handle);
  raw.dio_free(file);
  raw.dio_free(text);
  return out;
}

/** The bytes and the result of every query; rethrows unexpected errors. */
function everything(library, bytes, name, options) {
  const file = library.open(bytes, name, options);
  const tried = (f) => {
    try {
      return f();
    } catch (error) {
      if (!(error instanceof DioramaError)) throw error;
      return error;
    }
  };
  try {
    const out = {
      error: file.error,
      info: tried(() => file.info()),
      check: tried(() => file.check()),
      trace: tried(() => file.trace()),
      tree: tried(() => file.tree()),
      text: tried(() => file.decodeText()),
      saved: tried(() => file.save()),
      canonical: tried(() => file.save({ canonical: true })),
      glb: tried(() => file.convert('glb')),
    };
    if (typeof out.text === 'string') out.encoded = tried(() => library.encode(out.text));
    return out;
  } finally {
    file.close();
  }
}

/** Reproducible pseudo-random bytes. */
function noise(size) {
  const out = new Uint8Array(size);
  let x = 1;
  for (let i = 0; i < size; ++i) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    out[i] = x >>> 24;
  }
  return out;
}

test('the library lists its version, formats and rules', () => {
  assert.match(diorama.version, /^\d+\.\d+\.\d+$/);
  // The module has no samples to count.
  assert.deepEqual(diorama.formats(), dioJson('formats', '--json').formats.map(({ samples, ...format }) => format));
  assert.ok(samples.length > 0);
  const { schema, ...rule } = diorama.explain('layout.truncated');
  assert.deepEqual({ schema, ...rule }, dioJson('explain', 'layout.truncated', '--json'));
  assert.equal(diorama.explain('capi.argument').severity, 'stop');
  assert.throws(() => diorama.explain('no.such.rule'), { name: 'DioramaError', id: 'capi.argument' });
});

/** A GLB of the file, or null if it has nothing to show. */
function glbOf(file) {
  try {
    return file.convert('glb');
  } catch (error) {
    if (error.id !== 'scene.none') throw error;
    return null;
  }
}

const verbs = {
  info: ['info', '--json'],
  check: ['check', '--format', 'json'],
  trace: ['hex', '--json'],
  tree: ['tree', '--json'],
};
for (const { format, name } of samples) {
  test(`${name}: output equals that of the program`, () => {
    const path = `samples/${format}/${name}`, bytes = bytesOf.get(name);
    const file = diorama.open(bytes, path);
    assert.equal(file.error, null);
    assert.equal(file.format, format);
    for (const [name, [verb, ...options]] of Object.entries(verbs)) {
      const raw = rawText(name, bytes, path), text = name === 'check' ? wordCommands(raw, wording) : raw, value = JSON.parse(text), said = dio(verb, path, ...options).toString();
      // The program also reads sibling files and archives with a map; the module has no folder.
      const all = JSON.parse(said), findings = all.findings?.filter(({ id, file }) => file === path && !id.endsWith('.files-missing'));
      if (findings && findings.length < all.findings.length)
        assert.deepEqual(value, { ...all, findings, summary: value.summary, files: value.files }, name);
      else assert.equal(text, said, name);
      assert.deepEqual(file[name](), { check: value.findings, tree: value.tree }[name] ?? value);
    }
    assert.ok(dio('decode', path).equals(Buffer.from(file.decodeText())), 'decode');
    const { gltf } = diorama.formats().find((one) => one.id === format);
    const shown = gltf && glbOf(file) !== null;
    if (gltf && !shown) {
      const { status, stderr } = spawnSync(process.env.DIO, ['convert', path, '-f', '-o', 'out.glb'], { cwd: folder, encoding: 'utf8' });
      assert.equal(status, 1);
      assert.match(stderr, /scene\.none/);
    }
    for (const to of shown ? ['json', 'glb', 'gltf'] : ['json']) {
      dio('convert', path, '-f', '-o', `out.${to}`);
      assert.ok(readFileSync(join(folder, `out.${to}`)).equals(file.convert(to)), `${to} differs`);
    }
    file.close();
  });

  test(`${name}: round trips byte for byte`, () => {
    const bytes = bytesOf.get(name), file = diorama.open(bytes, name);
    assert.deepEqual(file.save(), bytes);
    assert.deepEqual(diorama.encode(file.decodeText()), bytes);
    let canonical = null;
    try {
      canonical = file.save({ canonical: true, lossy: true });
    } catch (problem) {
      assert.match(problem.message, /they cannot move/); // a BRRES file with parts that are not described
    }
    if (canonical) {
      const again = diorama.open(canonical, name);
      assert.deepEqual(again.save({ canonical: true, lossy: true }), again.save());
      again.close();
    }
    file.close();
  });
}

test('GLB files have a valid header and JSON chunk', () => {
  let seen = 0;
  for (const { format, name } of samples) {
    if (!diorama.formats().find((one) => one.id === format).gltf) continue;
    const file = diorama.open(bytesOf.get(name), `maps/${name}`), glb = glbOf(file);
    file.close();
    if (!glb) continue;
    const view = new DataView(glb.buffer, glb.byteOffset, glb.byteLength);
    assert.equal(view.getUint32(0, true), 0x46546c67);
    assert.equal(view.getUint32(4, true), 2);
    assert.equal(view.getUint32(8, true), glb.length);
    assert.equal(view.getUint32(16, true), 0x4e4f534a);
    const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + view.getUint32(12, true))));
    assert.equal(json.asset.version, '2.0');
    assert.ok(json.nodes.length > 0);
    ++seen;
  }
  assert.ok(seen > 0);
});

test('set changes values and rejects invalid ones', () => {
  const file = diorama.open(bytesOf.get('race.kmp'), 'race.kmp');
  const changed = diorama.open(file.set({ 'KTPT.entries[0].position.x': 12.5, 'STGI.entries[0].laps': 5 }), 'race.kmp');
  const { document } = changed.decode();
  assert.equal(document.KTPT.entries[0].position.x, 12.5);
  assert.equal(document.STGI.entries[0].laps, 5);
  assert.deepEqual(file.set({}), file.save());
  assert.throws(() => file.set({ 'no.such.path': 1 }), { name: 'DioramaError', id: 'path.unknown' });
  assert.throws(() => file.set({ 'STGI.entries[0].laps': 'many' }), { name: 'DioramaError', id: 'layout.type' });
  changed.close();
  file.close();
});

test('archive members are listed, read and replaced like in the program', () => {
  const name = 'samples/nds/cartridge.nds', file = diorama.open(bytesOf.get('cartridge.nds'), name);
  assert.deepEqual(file.members(), dioJson('ls', name, '--all', '--json').members);
  const text = (bytes) => new TextDecoder().decode(bytes);
  assert.equal(text(file.member('data/shelf.narc/1')), 'twelve');
  const changed = diorama.open(file.replace('data/shelf.narc/1', new TextEncoder().encode('thirteen')), name);
  assert.equal(text(changed.member('data/shelf.narc/1')), 'thirteen');
  assert.throws(() => file.member('data/none'), { name: 'DioramaError', id: 'file.missing' });
  assert.throws(() => file.member('readme.txt/0'), { id: 'archive.none' });
  changed.close();
  file.close();
});

test('a damaged file gives an id and offset, and is traced up to the fault', () => {
  const bytes = bytesOf.get('race.kmp').subarray(0, 0x40), file = diorama.open(bytes, 'cut.kmp');
  assert.equal(file.error.id, 'layout.truncated');
  assert.equal(file.error.finding.file, 'cut.kmp');
  assert.ok(file.error.finding.offset <= bytes.length);
  assert.match(file.error.message, /^cut\.kmp: 0x/);
  assert.equal(file.format, 'kmp');
  assert.deepEqual(file.check(), [file.error.finding]);
  assert.ok(file.trace().spans.length > 0);
  assert.throws(() => file.info(), { id: 'layout.truncated' });
  assert.throws(() => file.convert('glb'), { id: 'layout.truncated' });
  file.close();
  assert.throws(() => file.info(), /is closed/);
});

test('offsets beyond the end give nothing, and invalid offsets are rejected', () => {
  const file = diorama.open(bytesOf.get('race.kmp'), 'race.kmp');
  assert.equal(file.bytes(2 ** 32, 4).length, 0);
  assert.equal(file.bytes(0, 2 ** 40).length, bytesOf.get('race.kmp').length);
  assert.equal(file.pathAt(2 ** 32), null);
  assert.deepEqual(file.spans(2 ** 32, 4).spans, []);
  assert.equal(file.branch('GOBJ.entries', 0, 2 ** 33).members.length, 7);
  for (const wrong of [-1, 0.5, NaN, 2 ** 53]) {
    assert.throws(() => file.bytes(wrong, 4), RangeError);
    assert.throws(() => file.pathAt(wrong), RangeError);
  }
  file.close();
});

test('decode rejects two JSON forms at once', () => {
  const file = diorama.open(bytesOf.get('race.kmp'), 'race.kmp');
  assert.throws(() => file.decode({ refs: true, lean: true }), TypeError);
  file.close();
});

test('unknown formats are rejected, and strict mode rejects doubtful files', () => {
  const unknown = diorama.open(new TextEncoder().encode('hello, world'), 'letter.txt');
  assert.equal(unknown.error.id, 'detect.unknown');
  assert.equal(unknown.format, null);
  assert.throws(() => unknown.trace(), { id: 'detect.unknown' });
  unknown.close();
  const strange = diorama.open(bytesOf.get('race.kmp'), 'race.kmp', { as: 'none' });
  assert.equal(strange.error.id, 'capi.argument');
  strange.close();
  const asked = diorama.open(bytesOf.get('race.kmp'), '', { as: 'kmp' });
  assert.equal(asked.error, null);
  assert.throws(() => asked.convert('obj'), { id: 'capi.argument' });
  asked.close();
  const lenient = diorama.open(bytesOf.get('truncated.kmp'));
  const strict = diorama.open(bytesOf.get('truncated.kmp'), '', { strict: true });
  assert.equal(lenient.error, null);
  assert.ok(lenient.check().some(({ id }) => id === strict.error.id));
  lenient.close();
  strict.close();
});

test('encode rejects invalid JSON documents', () => {
  const refuses = (text, id) => assert.throws(() => diorama.encode(text), { name: 'DioramaError', id });
  refuses('', 'json.syntax');
  refuses('{"schema": 1,}', 'json.syntax');
  refuses('{"a": 1, "a": 2}', 'json.duplicate-key');
  refuses('['.repeat(100000), 'json.depth');
  refuses('{}', 'layout.type');
  refuses({ schema: 'diorama.document/1', format: 'none', document: {} }, 'layout.type');
  refuses({ schema: 'diorama.document/1', format: 'kmp', size: 1e15, document: {} }, 'layout.type');
});

test('encoding edited JSON applies the edit', () => {
  const file = diorama.open(bytesOf.get('race.kmp'), 'race.kmp'), value = file.decode();
  value.document.KTPT.entries[0].position.x = 1234.5;
  value.document.AREA.entries.pop();
  const edited = diorama.open(diorama.encode(value), 'race.kmp');
  assert.equal(edited.error, null);
  assert.equal(edited.decode().document.KTPT.entries[0].position.x, 1234.5);
  assert.equal(edited.decode().document.AREA.entries.length, value.document.AREA.entries.length);
  edited.close();
  file.close();
});

test('files with unusual names open', () => {
  for (const name of ['', 'дорога.kmp', 'a"b\\c\n.kmp', '/', '.kmp', 'x/.kmp', '\u0000', '\ud800'])
    assert.equal(everything(diorama, bytesOf.get(smallest), name, { as: 'kmp' }).error, null);
});

test('memory does not grow over 1,000 files', async () => {
  const library = await Diorama.load(module), bytes = bytesOf.get('race.kmp');
  const work = (i) => {
    const file = library.open(i % 2 ? bytes : bytes.subarray(0, i % bytes.length), 'race.kmp');
    if (file.error) file.check();
    else file.save();
    if (i % 50 === 0) everything(library, bytes, 'race.kmp');
    file.close();
  };
  for (let i = 0; i < 1000; ++i) work(i);  // every length once: holes between blocks may cost a page
  const before = library.memorySize;
  for (let i = 0; i < 1000; ++i) work(i);
  assert.equal(library.memorySize, before);
});

test('large garbage does not trap', async () => {
  const library = await Diorama.load(module), bytes = noise(8 << 20);
  assert.equal(everything(library, bytes, 'noise.bin').error.id, 'detect.unknown');
  for (const { id } of library.formats()) everything(library, bytes.subarray(0, 1 << 20), 'noise', { as: id });
  for (const { format, name } of samples) {  // a good beginning, and garbage that goes on for long
    const long = bytes.slice(0, 1 << 20);
    long.set(bytesOf.get(name));
    const file = library.open(long, name, { as: format });
    file.check();
    file.close();
  }
});

test(`every truncation of ${smallest} gives a result or an error`, async () => {
  const library = await Diorama.load(module), bytes = bytesOf.get(smallest);
  let refused = 0;
  for (let size = 0; size < bytes.length; ++size) {
    const all = everything(library, bytes.slice(0, size), smallest);
    refused += all.error !== null;
    if (all.error === null) assert.deepEqual(all.saved, bytes.slice(0, size));
  }
  assert.ok(refused > 0);
});

test(`changing any byte of ${smallest} gives a result or an error`, async () => {
  const library = await Diorama.load(module), bytes = bytesOf.get(smallest);
  for (let at = 0; at < bytes.length; ++at)
    for (const flip of [0xff, 0x80, 0x01]) {
      const changed = bytes.slice();
      changed[at] ^= flip;
      const all = everything(library, changed, smallest);
      if (all.error !== null) continue;
      assert.deepEqual(all.saved, changed);
      assert.deepEqual(all.encoded, changed);
    }
});

test('a JSON document missing any character gives a result or an error', async () => {
  const library = await Diorama.load(module);
  const file = library.open(bytesOf.get(smallest), smallest), text = file.decodeText();
  file.close();
  for (let at = 0; at < text.length; at += 3)
    try {
      library.encode(text.slice(0, at) + text.slice(at + 1));
    } catch (error) {
      assert.ok(error instanceof DioramaError, error);
    }
});

test('null and wrong handles give errors instead of traps', () => {
  const c = raw;
  const isError = (buffer) => {
    assert.notEqual(buffer, 0);
    assert.equal(c.dio_buffer_ok(buffer), 0);
    const bytes = new Uint8Array(c.memory.buffer, c.dio_buffer_data(buffer), c.dio_buffer_size(buffer));
    assert.equal(JSON.parse(new TextDecoder().decode(bytes.slice())).id, 'capi.argument');
    c.dio_buffer_free(buffer);
  };
  const wrong = c.dio_formats();  // a buffer where a file is asked for
  const ofFiles = ['info', 'check', 'trace', 'tree', 'decode', 'save', 'set', 'convert', 'error'];
  for (const handle of [0, wrong]) for (const name of ofFiles) isError(c[`dio_${name}`](handle, 0, 0));
  c.dio_close(wrong);
  assert.equal(c.dio_buffer_ok(wrong), 1);
  const file = c.dio_open(0, 5, 0, 0, 0);  // five bytes at null
  assert.equal(c.dio_file_ok(file), 0);
  assert.equal(c.dio_buffer_ok(file), 0);
  assert.equal(c.dio_buffer_size(file), 0);
  c.dio_buffer_free(file);
  isError(c.dio_error(file));
  c.dio_close(file);
  isError(c.dio_encode(0, 7, 0));
  isError(c.dio_encode(0, 0, 64));
  isError(c.dio_save(0, 1));
  isError(c.dio_set(0, 0, 3));
  assert.equal(c.dio_file_format(0), 0);
  assert.equal(c.dio_buffer_data(0), 0);
  c.dio_close(0);
  c.dio_buffer_free(0);
  c.dio_free(0);
});

test('sets and edits take a path, a name and arguments', async () => {
  const own = await Diorama.load(module), file = own.open(bytesOf.get('race.kmp'), 'race.kmp');
  assert.deepEqual(file.set('STGI[0].laps', 5), file.set({ 'STGI[0].laps': 5 }));
  const land = own.open(bytesOf.get('town.bin'), 'town.bin'), byName = land.edit('set-tiles', { x: '3..9', z: 20, collision: 1 });
  const editing = land.edit();
  editing.edit('set-tiles', { x: '3..9', z: 20, collision: 1 });
  assert.deepEqual(editing.save(), byName);
  editing.close();
  assert.equal(file.edit('remove', 'POTI[0]', { unlink: true })[0], 0x52);
  assert.throws(() => file.edit('miror'), /did you mean mirror/);
  const [level] = land.edits().find(({ edit }) => edit === 'set-tiles').arguments.filter(({ name }) => name === 'collision');
  assert.deepEqual([level.kind, level.required, level.choices], ['choice', false, ['0', '1']]);
});

test('texts advise calls of the module, and do not name the program', async () => {
  const own = await Diorama.load(module);
  assert.equal(wordCommands('{tree FILE}, {edit FILE set-tiles surface=NAME}, {--as FORMAT}, {completion bash}, {x}'),
    "`file.tree()`, `file.edit('set-tiles', { surface: 'NAME' })`, `as: 'FORMAT'`, the command line's `completion`, {x}");
  for (const { id } of own.formats())
    for (const { rule } of JSON.parse(dio('explain', id, '--json')).rules ?? []) {
      const { sentence, why, fix } = own.explain(rule);
      assert.doesNotMatch(`${sentence} ${why} ${fix}`, /`dio |\bdio [a-z]|\{--[a-z]|\{(edit|tree|check|convert|pack|maps)[ }]/, rule);
    }
});

test('findings of a member are those of the program', async () => {
  const own = await Diorama.load(module), archive = own.open(bytesOf.get('cartridge.nds'), 'cartridge.nds');
  assert.deepEqual(archive.checkMember('data/shelf.narc'), []);
});
