// Packs in the module: their sibling files, and packs made from scenes. Every file equals that of the program byte for byte, as palettes,
// light and positions use the same arithmetic. DIORAMA_WASM is the path of the module, DIO that of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'node:zlib';

import { Diorama, DioramaError } from '../../apps/web/core.mjs';
import { samplesIn } from './samples.mjs';

const diorama = await Diorama.load(readFileSync(process.env.DIORAMA_WASM));
const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));

/** The output of a program. Exit code 1 of dio only means that there are findings. */
function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd: folder, maxBuffer: 1 << 28 });
  assert.ok(status === 0 || (status === 1 && program === process.env.DIO), `${program} ${args.join(' ')}\n${stderr}`);
  return stdout;
}
const dio = (...args) => run(process.env.DIO, ...args);
const here = (name) => readFileSync(join(folder, name));

// Packs with their .vram and .spu sibling files.
dio('formats', '--samples', 'samples');
const samples = samplesIn(join(folder, 'samples'));
const packs = samples.filter(({ format }) => format === 'splashpack').map(({ name }) => name);
for (const { format, name, bytes } of samples) if (format.startsWith('splashpack')) writeFileSync(join(folder, name), bytes);

/** Opens files in the folder: the first with the others as siblings. Closes them after f. */
function opened(names, f) {
  const files = names.map((name) => diorama.open(here(name), name));
  files.push(files[0].together(...files.slice(1)));
  try {
    return f(files.at(-1));
  } finally {
    for (const file of files) file.close();
  }
}
/** A pack and its sibling files, as found by the program. */
const with_beside = (name) => opened([name], (pack) => [name, ...pack.beside().filter((one) => existsSync(join(folder, one)))]);

for (const name of packs)
  test(`${name} with its sibling files: output equals that of the program`, () => {
    opened(with_beside(name), (pack) => {
      assert.equal(pack.error, null);
      assert.deepEqual(pack.check(), JSON.parse(dio('check', name, '--format', 'json')).findings);
      assert.deepEqual(pack.budget(), JSON.parse(dio('budget', name, '--json')));
      dio('convert', name, '-f', '-o', 'out.glb');
      assert.ok(here('out.glb').equals(pack.convert('glb')), 'glb differs');
      const { files, notes } = pack.textures();
      assert.deepEqual(notes, []);
      dio('textures', name, '-f', '-o', `of_${name}`);
      const written = files.length ? readdirSync(join(folder, `of_${name}`)).sort() : [];
      assert.deepEqual(files.map((file) => file.name).sort(), written);
      for (const file of files) assert.ok(here(join(`of_${name}`, file.name)).equals(file.bytes), file.name);
    });
  });

test('a pack with its sibling files has more content', () => {
  const name = 'scene_v21.splashpack', alone = diorama.open(here(name), name);
  assert.deepEqual(alone.beside(), ['scene_v21.vram', 'scene_v21.spu', 'scene_v21.geo']);
  const missing = alone.together();
  assert.ok(missing.check().some(({ id }) => id === 'splashpack.files-missing'));
  missing.close();
  const pictures = alone.textures().files.length, size = alone.convert('glb').length;
  opened(with_beside(name), (pack) => {
    assert.ok(!pack.check().some(({ id }) => id === 'splashpack.files-missing'));
    assert.ok(pack.textures().files.length > pictures);
    assert.ok(pack.convert('glb').length > size);
  });
  alone.close();
  assert.throws(() => alone.together(), /is closed/);
});

/** An independent SPU ADPCM decoder, following psx-spx. */
function samplesOf(blocks) {
  const out = new Int16Array(Math.floor(blocks.length / 16) * 28), k = [[0, 0], [60, 0], [115, -52], [98, -55], [122, -60]];
  let old = 0, older = 0, at = 0;
  for (let b = 0; b + 16 <= blocks.length; b += 16) {
    const shift = (blocks[b] & 15) > 12 ? 9 : blocks[b] & 15, [f0, f1] = k[blocks[b] >> 4] ?? k[0];
    for (let i = 0; i < 28; ++i) {
      const digit = (blocks[b + 2 + (i >> 1)] >> (i & 1 ? 4 : 0)) & 15;
      const value = (((digit << 28) >> 16) >> shift) + ((old * f0 + older * f1 + 32) >> 6);
      [older, old] = [old, Math.max(-32768, Math.min(32767, value))];
      out[at++] = old;
    }
  }
  return out;
}

test('pack sounds are decoded', () => {
  let heard = 0;
  for (const name of packs.filter((name) => existsSync(join(folder, name.replace(/[.][a-z]+$/, '.spu'))))) {
    const spu = diorama.open(here(name.replace(/[.][a-z]+$/, '.spu')), 'x.spu'), { clips } = spu.decode().document;
    opened([name, name.replace(/[.][a-z]+$/, '.spu')], (pack) => {
      const sounds = pack.sounds(), told = pack.decode().document.audio_clips;
      assert.deepEqual(sounds.map(({ samples, ...one }) => one), told.map((clip, i) =>
        ({ name: clip.name || String(i), path: `audio_clips[${i}]`, rate: clip.rate, loops: clip.loop !== 0 })));
      sounds.forEach(({ samples }, i) => {
        assert.deepEqual(samples, samplesOf(Buffer.from(clips[i].samples, 'hex')));
        heard += samples.length;
      });
      assert.deepEqual(spu.sounds().map(({ samples }) => samples), sounds.map(({ samples }) => samples));
    });
    const alone = diorama.open(here(name), name);
    assert.ok(alone.sounds().every(({ samples, rate }) => samples.length === 0 && rate > 0));
    for (const file of [spu, alone]) file.close();
  }
  assert.ok(heard > 28);
  const course = diorama.open(samples.find(({ format }) => format === 'kmp').bytes, 'course.kmp');
  assert.deepEqual(course.sounds(), []);
  course.close();
});

test('files that do not belong to a pack are rejected', () => {
  const pack = diorama.open(here(packs[0]), packs[0]);
  const course = diorama.open(here('samples/kmp/race.kmp'), 'race.kmp'), both = pack.together(course);
  assert.equal(both.error.id, 'capi.argument');
  assert.match(both.error.finding.message, /^race\.kmp/);
  assert.deepEqual(both.check(), [both.error.finding]);
  assert.throws(() => both.convert('glb'), { id: 'capi.argument' });
  assert.throws(() => course.budget(), { id: 'capi.argument' });
  assert.throws(() => course.textures(), { id: 'capi.argument' });
  for (const file of [both, course, pack]) file.close();
});

// ---- made ----

/** Makes files from a scene or a pack, in the module and with the program. Returns the notes. */
function made_equally(names, options) {
  return opened(names, (scene) => {
    const { files, notes } = scene.make('splashpack', options);
    const told = Object.entries(options).map(([name, value]) => `--${name === 'layout' ? 'target-layout' : name}=${value}`);
    dio('convert', names[0], '-f', '-o', 'made.splashpack', ...told);
    for (const { name, bytes } of files) {
      assert.equal(basename(name, extname(name)), basename(names[0], extname(names[0])));
      assert.ok(here(`made${extname(name)}`).equals(bytes), `${name} differs with ${told.join(' ')}`);
    }
    return notes;
  });
}

run('python3', fileURLToPath(new URL('../../tools/make_example_scene.py', import.meta.url)), 'courtyard.glb');

for (const options of [
  { layout: 'v21', scaling: 20 },
  { layout: 'd', scaling: 20, depth: 16 },
  { version: 24, scaling: 20, depth: 4, dither: 'yes' },
  { layout: 'e', scaling: 20, depth: 8, axes: 'unity', subdivide: 'none' },
  { layout: 'v20', scaling: 20, exposure: 0.7, ambient: 0.2, subdivide: 32 },
])
  test(`packs made from scenes have the same bytes as in the program: ${JSON.stringify(options)}`, () => {
    made_equally(['courtyard.glb'], options);
  });

test('making a pack from a scene accepts options and returns notes and errors', () => {
  const scene = diorama.open(here('courtyard.glb'), 'courtyard.glb');
  assert.equal(scene.error.id, 'detect.unknown');
  const { options } = diorama.formats().find(({ id }) => id === 'splashpack');
  assert.ok(options.some(({ name, usage, about }) => name === 'layout' && usage && about));
  assert.equal(diorama.formats().find(({ id }) => id === 'bmg').options, undefined);
  const { files, notes } = scene.make('splashpack', { depth: 4, scaling: 20 });
  assert.deepEqual(files.map(({ name }) => name), ['courtyard.splashpack', 'courtyard.vram', 'courtyard.spu']);
  assert.ok(notes.some(({ id, file }) => id === 'splashpack.texture-colors' && file === 'courtyard.glb'));
  assert.throws(() => scene.make('splashpack', { layout: 'z' }), { name: 'DioramaError', id: 'make.argument' });
  assert.throws(() => scene.make('bmg'), { name: 'DioramaError', id: 'capi.argument' });
  scene.close();
});

for (const name of packs)
  test(`packs made from ${name} in other layouts have the same bytes as in the program`, () => {
    for (const layout of ['d', 'v21']) made_equally(with_beside(name), { layout });
  });

/** Reproducible pseudo-random numbers below n. */
function noise() {
  let x = 1;
  return (n) => {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    return (x >>> 8) % n;
  };
}

/** An RGB PNG, rows from the top. */
function png(width, height, pixel) {
  const rows = [];
  for (let y = 0; y < height; ++y) {
    rows.push(0);
    for (let x = 0; x < width; ++x) rows.push(...pixel(x, y));
  }
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]), size = Buffer.alloc(4), sum = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    let crc = 0xffffffff;
    for (const byte of body) {
      crc ^= byte;
      for (let i = 0; i < 8; ++i) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    sum.writeUInt32BE(~crc >>> 0);
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const parts = [chunk('IHDR', head), chunk('IDAT', deflateSync(Buffer.from(rows))), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

/** A square with a picture, as a .gltf with sibling files. `placed` adds properties to its node. */
function write_square(stem, picture, placed = {}, corners = [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], uvs = [0, 1, 1, 1, 0, 0, 1, 0]) {
  const numbers = new Float32Array([...corners, ...uvs]);
  writeFileSync(join(folder, `${stem}.png`), picture);
  writeFileSync(join(folder, `${stem}.data`), numbers);
  writeFileSync(join(folder, `${stem}.gltf`), JSON.stringify({
    asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }],
    nodes: [{ name: 'square', mesh: 0, ...placed }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0, TEXCOORD_0: 1 }, mode: 5, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } }, extensions: { KHR_materials_unlit: {} } }],
    extensionsUsed: ['KHR_materials_unlit'], textures: [{ source: 0 }], images: [{ uri: `${stem}.png` }],
    buffers: [{ uri: `${stem}.data`, byteLength: 80 }],
    bufferViews: [{ buffer: 0, byteLength: 48 }, { buffer: 0, byteOffset: 48, byteLength: 32 }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 4, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] },
      { bufferView: 1, componentType: 5126, count: 4, type: 'VEC2' },
    ],
  }));
  return [`${stem}.gltf`, `${stem}.png`, `${stem}.data`];
}

const random = noise();
const pictures = {
  gradient: (x, y) => [x, y, 255 - ((x + y) >> 1)],
  noise: () => [random(256), random(256), random(256)],
  dark: (x, y) => [(x * y) >> 9, (x + y) >> 2, random(96)],
  stones: (x, y) => {
    const light = 60 + ((x >> 4) * 37 + (y >> 4) * 61) % 90 + random(30), edge = x % 16 < 2 || y % 16 < 2 ? 2 : 3;
    return [3, 2.6, 2.2].map((part) => Math.floor((light * edge * part) / 9) + random(60));
  },
};
for (const [name, pixel] of Object.entries(pictures))
  test(`pictures with too many colours get the same palettes as in the program: ${name}`, () => {
    const names = write_square(name, png(256, 256, pixel));
    for (const options of [{ depth: 4 }, { depth: 4, dither: 'yes' }, { depth: 8 }]) {
      const notes = made_equally(names, { layout: 'v21', ...options });
      assert.ok(notes.some(({ id }) => id === 'splashpack.texture-colors'), 'there was nothing to find a palette for');
    }
  });

// If diagonals differ only in the last bit, both must choose the same one.
test('large tilted triangles are split like in the program', () => {
  const kite = [0.5, 0, 0, 0, 0.5, 0, 1, 0.5, 0, 0.5, 1, 0], uvs = [0, 0, 0, 1, 0.1, 1, 0.1, 0];
  for (let i = 0; i < 24; ++i) {
    const turn = [0, 1, 2, 3].map(() => random(2000) - 1000), length = Math.hypot(...turn), tall = 20 + random(90);
    const placed = { rotation: turn.map((x) => x / length), scale: [tall / 4, tall, 1] };
    placed.translation = [0, 1, 2].map(() => (random(200000) - 100000) / 1000);
    const names = write_square(`askew_${i}`, png(128, 128, pictures.gradient), placed, kite, uvs);
    made_equally(names, { layout: 'v21', subdivide: 8 + random(9) });
  }
});

test('a scene with missing files is rejected', () => {
  const [name, picture] = write_square('alone', png(4, 4, pictures.gradient)), scene = diorama.open(here(name), name);
  assert.throws(() => scene.make('splashpack'), { name: 'DioramaError', id: 'file.missing' });
  scene.close();
  opened([name, picture], (half) => assert.throws(() => half.make('splashpack'), { id: 'file.missing' }));
});

test('truncated and changed scenes give a pack or an error', async () => {
  const library = await Diorama.load(readFileSync(process.env.DIORAMA_WASM)), bytes = new Uint8Array(here('courtyard.glb'));
  let made = 0, refused = 0;
  const tried = (changed) => {
    const scene = library.open(changed, 'courtyard.glb');
    try {
      scene.make('splashpack', { scaling: 20 });
      ++made;
    } catch (error) {
      if (!(error instanceof DioramaError)) throw error;
      ++refused;
    } finally {
      scene.close();
    }
  };
  for (let size = 0; size < bytes.length; size += 997) tried(bytes.slice(0, size));
  for (let i = 0; i < 120; ++i) {
    const changed = bytes.slice(), at = random(bytes.length);
    changed[at] ^= 1 << random(8);
    tried(changed);
  }
  assert.ok(made > 0 && refused > 0);
});

test('changed packs and sibling files give results or errors', async () => {
  const library = await Diorama.load(readFileSync(process.env.DIORAMA_WASM));
  const extremes = [0, 1, 0x7f, 0x80, 0xff];
  let read = 0;
  for (let i = 0; i < 200; ++i) {
    const files = with_beside(packs[i % packs.length]).map((name) => {
      const bytes = new Uint8Array(here(name));
      for (let n = random(4); n >= 0; --n) {
        const at = random(random(2) ? bytes.length : Math.min(bytes.length, 512));
        bytes[at] = random(2) ? extremes[random(extremes.length)] : bytes[at] ^ (1 << random(8));
      }
      return library.open(bytes, name);
    });
    const pack = files[0].together(...files.slice(1));
    const asked = [() => pack.check(), () => pack.budget(), () => pack.convert('glb'),
      () => pack.make('splashpack', { layout: i % 2 ? 'v21' : 'd' })];
    if (i % 20 === 0) asked.push(() => pack.textures());
    for (const ask of asked)
      try {
        ask();
        ++read;
      } catch (error) {
        if (!(error instanceof DioramaError)) throw error;
      }
    for (const file of [pack, ...files]) file.close();
  }
  assert.ok(read > 400, `${read} results`);
});

test('memory does not grow while making and viewing packs', async () => {
  const library = await Diorama.load(readFileSync(process.env.DIORAMA_WASM)), bytes = here('courtyard.glb');
  const work = () => {
    const scene = library.open(bytes, 'courtyard.glb');
    const { files } = scene.make('splashpack', { scaling: 20 });
    const parts = files.map((file) => library.open(file.bytes, file.name)), pack = parts[0].together(...parts.slice(1));
    pack.convert('glb');
    pack.textures();
    for (const file of [pack, ...parts, scene]) file.close();
  };
  for (let i = 0; i < 10; ++i) work();
  const before = library.memorySize;
  for (let i = 0; i < 20; ++i) work();
  assert.equal(library.memorySize, before);
  assert.ok(before < 64 << 20, `${before} bytes`);
});
