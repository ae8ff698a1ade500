// Scenes as arrays, the source values of their vertices, and trace windows, for every sample with a scene. DIORAMA_WASM is the path of the
// module, DIO that of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { Diorama, DioramaError, sceneOf } from '../../apps/web/core.mjs';
import { samplesIn } from './samples.mjs';

const diorama = await Diorama.load(readFileSync(process.env.DIORAMA_WASM));
const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));
const { status, stderr } = spawnSync(process.env.DIO, ['formats', '--samples', 'samples'], { cwd: folder });
assert.equal(status, 0, String(stderr));
const samples = samplesIn(join(folder, 'samples'));
const withScenes = diorama.formats().filter(({ gltf }) => gltf).map(({ id }) => id);
const shown = samples.filter(({ format }) => withScenes.includes(format));

/** Opens a sample with its sibling files. */
function opened({ name, path, bytes }, f) {
  const files = [diorama.open(bytes, name)];
  for (const other of files[0].error ? [] : files[0].beside())
    if (existsSync(join(path, '..', other))) files.push(diorama.open(readFileSync(join(path, '..', other)), other));
  if (files.length > 1) files.push(files[0].together(...files.slice(1)));
  try {
    return f(files.at(-1));
  } finally {
    for (const file of files) file.close();
  }
}

// ---- a scene is what its glTF is ----

const kinds = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array };
const widths = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };
/** {json, array(accessor)} of a .glb. */
function readGlb(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), size = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + size)));
  const start = bytes.byteOffset + 28 + size;
  const array = (number) => {
    const { bufferView, byteOffset = 0, componentType, count, type, sparse } = json.accessors[number];
    assert.ok(!sparse && bufferView !== undefined);
    const { byteOffset: from = 0, byteStride } = json.bufferViews[bufferView];
    const Type = kinds[componentType], width = widths[type], step = byteStride ?? Type.BYTES_PER_ELEMENT * width;
    const out = new Type(count * width);
    for (let i = 0; i < count; ++i) out.set(new Type(bytes.buffer.slice(start + from + byteOffset + i * step).slice(0, width * Type.BYTES_PER_ELEMENT)), i * width);
    return out;
  };
  return { json, array };
}

/** The node itself or, for a skinned mesh, another node with its name. */
const glbMesh = ({ nodes }, i) =>
  nodes[i].mesh ?? nodes.find((n, k) => k !== i && n.mesh !== undefined && n.name === nodes[i].name)?.mesh;

for (const sample of shown)
  test(`${sample.name}: the scene equals its glTF`, () => opened(sample, (file) => {
    if (file.error) return assert.throws(() => file.scene(), DioramaError);
    let glb;
    try {
      glb = readGlb(file.convert('glb'));
    } catch (error) {
      assert.throws(() => file.scene(), (e) => e.id === error.id);
      return;
    }
    const scene = file.scene(), data = scene.data();
    scene.close();
    const { json, array } = glb;
    assert.equal(data.nodes.length, json.nodes.findIndex((n) => n.extras?.diorama?.metres_per_unit));
    let vertices = 0;
    data.nodes.forEach((node, i) => {
      if (json.nodes[i].name !== undefined) assert.equal(node.name, json.nodes[i].name);
      if (node.mesh < 0) return;
      const { primitives } = json.meshes[glbMesh(json, i)], own = data.meshes[node.mesh].primitives;
      assert.equal(own.length, primitives.length, node.name);
      own.forEach((p, k) => {
        const { attributes, indices, mode = 4 } = primitives[k];
        assert.equal(['points', 'lines', , , 'triangles'][mode], p.shape);
        assert.deepEqual(p.positions, array(attributes.POSITION));
        assert.ok(p.positions.buffer === data.buffer);
        vertices += p.positions.length / 3;
        for (const [name, there] of [['NORMAL', p.normals], ['TEXCOORD_0', p.uvs], ['COLOR_0', p.colors], ['JOINTS_0', p.joints]])
          if (attributes[name] !== undefined) assert.equal(there.length / widths[json.accessors[attributes[name]].type] | 0, p.positions.length / 3, name);
        if (indices !== undefined) assert.deepEqual([...p.indices], [...array(indices)]);
        else assert.equal(p.indices, undefined);
        const alone = ({ normals, uvs, weights }) => [normals, uvs, weights].every((a) => !a || a.every(Number.isFinite));
        assert.ok(alone(p));
      });
    });
    for (const { width, height, pixels } of data.images) assert.equal(pixels.length, 4 * width * height);
    const used = new Set(data.meshes.flatMap(({ primitives }) => primitives.map((p) => p.material)).filter((m) => m >= 0));
    for (const m of used) assert.ok(data.materials[m].texture < data.textures.length);
    const channels = (a) => a.channels.length + a.visibilityChannels.length + a.materialChannels.length + a.fovChannels.length;
    for (const a of data.animations) assert.ok(channels(a) > 0 && a.channels.every((c) => c.values.length % c.times.length === 0));
    assert.ok(vertices > 0 || data.meshes.length === 0);
  }));

// ---- where it comes from ----

const isWithin = (path, top) => path === top || (path.startsWith(top) && (!top || '.['.includes(path[top.length])));
/** Every drawn vertex: [node, source or undefined]. */
function* corners({ nodes, meshes }) {
  for (const [i, { mesh }] of nodes.entries())
    for (const p of mesh < 0 ? [] : meshes[mesh].primitives)
      for (const v of p.indices ?? p.positions.subarray(0, p.positions.length / 3).keys()) yield [i, p.sources?.[v]];
}
/** Whether the result of shows() contains this vertex. */
function has(shown, node, source) {
  for (const { node: i, sources } of shown) {
    if (sources) {
      if (i === node && source !== undefined && sources.some(([first, count]) => source >= first && source < first + count)) return true;
      continue;
    }
    if (i === node) return true;
  }
  return false;
}

/** The source values of the vertices of a scene: each is in the file and maps back to the vertex. */
function follows(scene, file, fileOf = () => file) {
  const data = scene.data(), places = new Map(), paths = new Map();
  for (const [node, source] of corners(data)) {
    const key = `${node} ${source}`;
    if (places.has(key)) continue;
    const place = scene.sourcePath(node, source);
    assert.ok(place, `node ${node} (${data.nodes[node].name}), source ${source} comes from nowhere`);
    places.set(key, { node, source, place });
    const id = `${place.file}\n${place.path}`;
    if (paths.has(id)) continue;
    const from = fileOf(place.file), found = from.place(place.path);
    assert.ok(found, `${place.file} has no ${place.path}`);
    assert.ok(place.size > 0 && from.bytes(place.offset, place.size).length === place.size, `${place.path} has no bytes`);
    paths.set(id, scene.shows(place.file, place.path));
  }
  for (const { node, source, place } of places.values())
    assert.ok(has(paths.get(`${place.file}\n${place.path}`), node, source), `${place.path} does not show node ${node}, source ${source}`);
  // And no others: for some values, every shown vertex belongs to them.
  const some = [...paths].filter((_, i) => i % Math.ceil(paths.size / 20) === 0);
  for (const [id, shows] of some) {
    const [name, path] = id.split('\n');
    for (const { node, source, place } of places.values())
      if (has(shows, node, source) && place.file === name) assert.ok(isWithin(place.path, path), `${path} shows ${place.path}`);
  }
  return { places, paths };
}

/** A scene without the locations of its arrays. */
const valuesOf = ({ buffer, ...scene }) => scene;

test('packing only the changes of an edited scene restores the whole scene', () => {
  let edited = 0;
  for (const sample of shown)
    opened(sample, (file) => {
      let before;
      try {
        before = file.scene();
      } catch {
        return;
      }
      const data = before.data(), again = file.scene({}, before), unchanged = again.packed(before);
      assert.deepEqual(valuesOf(sceneOf(unchanged, data)), valuesOf(data));
      // Equal arrays are the same object.
      sceneOf(unchanged, data).arrays.forEach((array, i) => assert.equal(array, data.arrays[i]));
      // Remove the first element of each list if possible: all following elements are renumbered.
      const [list] = lists(file), editing = list && file.edit();
      try {
        if (editing) {
          editing.run(['remove', `${list}[0]`], { cascade: true });
          const after = diorama.open(editing.save(), sample.name);
          if (!after.error) {
            const scene = after.scene({}, before), full = scene.data();
            assert.deepEqual(valuesOf(sceneOf(scene.packed(before), data)), valuesOf(full));
            scene.close();
            ++edited;
          }
          after.close();
        }
      } catch (error) {
        if (!(error instanceof DioramaError)) throw error;
      }
      editing?.close();
      again.close(), before.close();
    });
  assert.ok(edited >= 10, `${edited} scenes after an edit`);
});
/** Paths of the lists in a file, the first of each kind. */
function lists(file) {
  const { members } = file.branch('', 0, 100), out = [];
  for (const m of members) {
    if (m.type === 'list' && m.count > 1) out.push(m.path);
    else if (m.count) for (const inner of file.branch(m.path, 0, 50).members) if (inner.type === 'list' && inner.count > 1) out.push(inner.path);
  }
  return out;
}

for (const sample of shown)
  test(`${sample.name}: every vertex maps to a value, which shows the vertex`, () => opened(sample, (file) => {
    let scene;
    try {
      scene = file.scene();
    } catch (error) {
      if (file.error || error.id === 'scene.none') return;
      throw error;
    }
    const { places, paths } = follows(scene, file);
    assert.ok(places.size > 0 || !scene.data().nodes.some(({ mesh }) => mesh >= 0));
    // The whole file shows every vertex.
    const all = scene.shows(file.name, '');
    for (const { node, source } of places.values()) assert.ok(has(all, node, source));
    assert.deepEqual(scene.shows('another file', ''), []);
    if (sample.format === 'nsbmd')  // down to single commands, each with a vertex
      for (const id of paths.keys()) assert.match(id, /\.list\.packets\[\d+\]\.commands\[\d\]$/);
    scene.close();
    assert.throws(() => scene.data(), /closed/);
  }));

test('a display list vertex maps to its command', () => {
  const sizes = { 0x23: 8, 0x24: 4, 0x25: 4, 0x26: 4, 0x27: 4, 0x28: 4 };
  let seen = 0;
  for (const model of shown.filter(({ format }) => format === 'nsbmd')) opened(model, (file) => {
    const scene = file.scene(), data = scene.data();
    for (const [node, source] of corners(data)) {
      if (data.nodes[node].skin >= 0) continue;
      const place = scene.sourcePath(node, source), code = file.branch(`${place.path}.code`).value;
      assert.equal(place.size, sizes[code], `${place.path} is command ${code}`);
      if (code !== 0x23 && code !== 0x24) continue;
      // VTX_16: three 4.12 numbers; VTX_10: three 4.6 numbers in a word. The scene scales them.
      const p = data.meshes[data.nodes[node].mesh].primitives.find(({ sources }) => sources.includes(source));
      const view = new DataView(file.bytes(place.offset, place.size).buffer), at = 3 * p.sources.indexOf(source);
      const length = (v) => Math.hypot(...v);
      const own = code === 0x23 ? [0, 2, 4].map((k) => view.getInt16(k, true) / 4096)
                                : [0, 10, 20].map((k) => (view.getInt32(0, true) << (22 - k) >> 22) / 64);
      if (length(own) === 0) continue;
      const drawn = [...p.positions.subarray(at, at + 3)], times = length(drawn) / length(own);
      for (const k of [0, 1, 2]) assert.ok(Math.abs(drawn[k] - own[k] * times) < 1e-3 * length(drawn), place.path);
      ++seen;
    }
    scene.close();
  });
  assert.ok(seen > 100, `${seen} vertices`);
});

test('invalid scene requests give errors', () => {
  const course = shown.find(({ format }) => format === 'kmp');
  opened(course, (file) => {
    assert.throws(() => file.scene({ lit: 'yes' }), (e) => e.id === 'capi.argument' && /lit is not an option/.test(e.message));
    assert.throws(() => file.scene({ shiny: 'yes' }), (e) => e.id === 'capi.argument');
    const scene = file.scene();
    assert.throws(() => scene.sourcePath(100000), (e) => e.id === 'capi.argument' && /out of range/.test(e.message));
    assert.deepEqual(scene.shows(file.name, 'no.such.value'), []);
    scene.close();
    scene.close();
    assert.throws(() => file.branch('no.such.value'), (e) => e.id === 'path.unknown');
    assert.equal(file.place('no.such.value'), null);
  });
  const texture = samples.find(({ format }) => format === 'nsbtx');
  opened(texture, (file) => assert.throws(() => file.scene(), (e) => e.id === 'scene.none'));
  const mesh = shown.find(({ name }) => name === 'valley.fft-mesh');
  opened(mesh, (file) => {
    assert.throws(() => file.scene({ 'tick-rate': 'fast' }), (e) => e.id === 'capi.argument' && /1 to 1000/.test(e.message));
    const scene = file.scene({ 'tick-rate': 30, lamps: 'yes' });
    assert.ok(scene.data().lights.length > 0);
    scene.close();
  });
});

test('a material shows the vertices drawn with it', () => {
  for (const name of ['teapot.nsbmd', shown.find(({ format }) => format === 'land-data').name])
    opened(shown.find((s) => s.name === name), (file) => {
      const scene = file.scene(), { nodes, meshes, materials } = scene.data();
      let vertices = 0;
      for (const [number, material] of materials.entries()) {
        const { path } = material.extras ?? {};
        if (!path) continue;
        assert.ok(file.place(path), path);
        const shows = scene.shows(file.name, `${path}.diffuse`);
        nodes.forEach(({ mesh }, node) => {
          for (const p of mesh < 0 ? [] : meshes[mesh].primitives)
            for (const source of p.sources ?? []) {
              assert.equal(has(shows, node, source), p.material === number, `${path}: node ${node}, source ${source}`);
              ++vertices;
            }
        });
      }
      assert.ok(vertices > 0);
      scene.close();
    });
});

// ---- windows ----

/** Spans and gaps of consecutive windows, joined. */
function joined(file, total, size) {
  const spans = new Map(), gaps = new Map();
  for (let at = 0; at < total || at === 0; at += size) {
    const part = file.spans(at, size);
    assert.equal(part.size, total);
    for (const span of part.spans) {
      assert.ok(span.size === 0 ? span.offset >= at : span.offset < at + size && span.offset + span.size > at);
      const key = `${span.offset} ${span.path} ${span.type}`, known = spans.get(key);
      if (!known) {
        assert.ok(!span.from, `${span.path} starts at ${span.from}`);
        delete span.from;
        spans.set(key, span);
      } else if (span.from !== undefined) {
        // Elements that overlap two windows are in both.
        const unit = Array.isArray(span.value) ? 1 : 2;
        assert.ok(unit * span.from <= known.value.length);
        known.value = Array.isArray(known.value) ? [...known.value.slice(0, span.from), ...span.value]
                                                 : known.value.slice(0, 2 * span.from) + span.value;
      }
    }
    for (const gap of part.gaps) {
      assert.ok(gap.offset < at + size && gap.offset + gap.size > at);
      const known = gaps.get(gap.offset);
      if (!known) {
        delete gap.from;
        gaps.set(gap.offset, gap);
      } else {
        known.hex = known.hex.slice(0, 2 * gap.from) + gap.hex;
      }
    }
  }
  return { spans: [...spans.values()], gaps: [...gaps.values()] };
}

/** The result of tree(), assembled from windows of children. */
function byBranches(file, path, width) {
  let members = [], first;
  for (let from = 0; ; from += width) {
    const branch = file.branch(path, from, width);
    first ??= branch;
    assert.equal(branch.total, first.total);
    assert.ok(branch.members.length === Math.max(0, Math.min(width, branch.total - from)));
    members.push(...branch.members);
    if (from + width >= branch.total) break;
  }
  assert.equal(members.length, first.count);
  const below = members.map((m) => {
    const child = m.count ? byBranches(file, m.path, width) : { ...m, members: [] };
    assert.deepEqual({ ...child, total: undefined, members: undefined }, { ...m, total: undefined, members: undefined });
    return child;
  });
  return { ...first, members: below };
}
function sameTree(branch, tree) {
  assert.equal(branch.type, tree.type);
  assert.equal(branch.offset, tree.offset, branch.path);
  if (branch.path) {
    if (branch.type !== 'object' && branch.type !== 'list') assert.equal(branch.doc, tree.doc);
    assert.equal(branch.name, tree.name ?? `[${tree.index}]`);
  }
  const members = tree.members ?? tree.elements;
  if (members) {
    assert.equal(branch.members.length, members.length, branch.path);
    members.forEach((m, i) => sameTree(branch.members[i], m));
  } else if (Array.isArray(tree.value)) {
    assert.deepEqual(branch.members.map(({ value }) => value), tree.value);
  } else if (tree.type !== 'bytes') {
    assert.deepEqual(branch.value, tree.value);
  }
}

const small = samples.filter(({ bytes, format }) => bytes.length < 40000 || format === 'fft-mesh');
for (const sample of small)
  test(`${sample.name}: span windows add up to the trace`, () => {
    const file = diorama.open(sample.bytes, sample.name), trace = file.trace();
    for (const size of [97, 4096, 1 << 20]) {
      if (sample.bytes.length / size > 500) continue;
      const { spans, gaps } = joined(file, sample.bytes.length, size);
      assert.deepEqual(spans, trace.spans);
      assert.deepEqual(gaps, trace.gaps);
    }
    assert.ok(trace.spans.length + trace.gaps.length > 0);
    file.close();
  });

for (const sample of small.filter(({ bytes }) => bytes.length < 12000))
  test(`${sample.name}: branches add up to the tree, and offsets map to paths`, () => {
    const file = diorama.open(sample.bytes, sample.name), { spans } = file.trace();
    sameTree(byBranches(file, '', 7), file.tree());
    const innermost = new Array(sample.bytes.length).fill(null);
    for (const span of spans)
      for (let at = span.offset; at < span.offset + span.size; ++at)
        if (!innermost[at] || span.size < innermost[at].size) innermost[at] = span;
    innermost.forEach((span, at) => {
      const path = file.pathAt(at);
      if (!span) return assert.equal(path, null, `at ${at}`);
      if (span.bits) return assert.equal(path, span.bits[0].path);
      const element = /\[\d+\]$/.exec(span.type) && path !== span.path;
      assert.ok(path === span.path || (element && path.startsWith(`${span.path}[`)), `${path} at ${at} is not ${span.path}`);
      if (span.role || span.type === 'magic') return;  // no values
      const place = file.place(path);
      assert.ok(place.offset <= at && at < place.offset + place.size, `${path} is not at ${at}`);
    });
    assert.deepEqual([...file.bytes(3, 5)], [...sample.bytes.subarray(3, 8)]);
    assert.equal(file.bytes(sample.bytes.length - 1, 100).length, Math.min(1, sample.bytes.length));
    assert.equal(file.bytes(sample.bytes.length + 10, 100).length, 0);
    file.close();
  });

test('windows into a list of 40,000 elements are correct', (t) => {
  const course = diorama.open(samples.find(({ name }) => name === 'race.kmp').bytes, 'race.kmp');
  const { document, ...head } = course.decode();
  course.close();
  const { points } = document.POTI.entries[0];
  document.POTI.entries[0].points = Array.from({ length: 40000 }, (_, i) => points[i % points.length]);
  const file = diorama.open(diorama.encode({ ...head, document, digest: undefined }, { canonical: true, lossy: true }), 'long.kmp');
  const path = 'POTI.entries[0].points', { total } = file.branch(path, 0, 1);
  assert.equal(total, 40000);
  const times = { branch: [], spans: [], place: [], pathAt: [] };
  const timed = (name, f) => {
    const start = performance.now(), out = f();
    times[name].push(performance.now() - start);
    return out;
  };
  for (let i = 0; i < 101; ++i) {
    const from = (i * 397) % 39900;
    const branch = timed('branch', () => file.branch(path, from, 50));
    assert.equal(branch.members[7].path, `${path}[${from + 7}]`);
    const { offset } = timed('place', () => file.place(`${path}[${from}].position.y`));
    assert.equal(timed('pathAt', () => file.pathAt(offset)), `${path}[${from}].position.y`);
    assert.ok(timed('spans', () => file.spans(offset, 256)).spans.some((s) => s.path === `${path}[${from + 3}].position`) ||
              file.spans(offset, 256).spans.some((s) => s.path.startsWith(`${path}[${from + 3}].position`)));
  }
  for (const [name, all] of Object.entries(times)) t.diagnostic(`${name}: ${all.sort((a, b) => a - b)[all.length >> 1].toFixed(3)} ms (median)`);
  file.close();
});

// ---- types ----

test('core.d.mts declares exactly the methods of core.mjs', () => {
  const types = readFileSync(new URL('../../apps/web/core.d.mts', import.meta.url), 'utf8');
  const typed = (name) => {
    const [, body] = types.match(new RegExp(`export (?:class|interface) ${name} (?:extends \\w+ )?\\{\\n(.*?)\\n\\}`, 's'));
    return new Set([...body.matchAll(/^  (?:static |readonly )*(\w+)\??[(:<]/gm)].map(([, member]) => member));
  };
  const own = (object) => Object.entries(Object.getOwnPropertyDescriptors(object)).map(([name]) => name);
  opened(shown.find(({ name }) => name === 'race.kmp'), (file) => {
    const scene = file.scene();
    for (const [name, object] of [['Diorama', diorama], ['DioramaFile', file], ['DioramaScene', scene]]) {
      const there = new Set([...own(Object.getPrototypeOf(object)), ...own(object)].filter((m) => m !== 'constructor'));
      if (name === 'Diorama') there.add('load');
      assert.deepEqual([...typed(name)].sort(), [...there].sort(), name);
    }
    scene.close();
  });
});
