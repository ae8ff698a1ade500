// Cartridges and discs read in parts by the module, and the games on them: results equal those for the whole file, with far fewer bytes
// read. DIORAMA_WASM is the path of the module, DIO that of the program.
import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readFileSync, readSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

import { Diorama, DioramaError } from '../../apps/web/core.mjs';
import { dio, folder } from './program.mjs';

const module = await WebAssembly.compile(readFileSync(process.env.DIORAMA_WASM));
const diorama = await Diorama.load(module);
const games = readdirSync(join(folder, 'samples/games')).sort();
const images = [...games.map((name) => join('games', name)),
  ...['nds', 'iso'].flatMap((format) => readdirSync(join(folder, 'samples', format)).sort().map((name) => join(format, name)))];

/** Opens a file on disk in parts and counts the bytes read. */
function onDisk(path, f, library = diorama) {
  const descriptor = openSync(path, 'r'), { size } = statSync(path);
  const disk = { read: 0, calls: 0, size };
  const read = (offset, wanted) => {
    const bytes = new Uint8Array(wanted);
    disk.read += readSync(descriptor, bytes, 0, wanted, offset);
    ++disk.calls;
    return bytes;
  };
  const file = library.openParts(size, path.split('/').at(-1), read);
  try {
    return f(file, disk);
  } finally {
    file.close();
    closeSync(descriptor);
  }
}
function using(handle, f) {
  try {
    return f(handle);
  } finally {
    handle.close();
  }
}
const plain = ({ buffer, ...data }) => data;

for (const name of images)
  test(`${name}: members read in parts equal those of the whole file`, () => {
    const path = join(folder, 'samples', name);
    using(diorama.open(readFileSync(path), name.split('/').at(-1)), (whole) => onDisk(path, (parts) => {
      assert.equal(parts.error, null);
      assert.equal(parts.format, whole.format);
      const members = whole.members().map(({ what, ...member }) => member);
      assert.deepEqual(parts.members().map(({ what, ...member }) => member), members);
      for (const { path } of members) assert.deepEqual(parts.member(path), whole.member(path));
      assert.deepEqual(parts.bytes(16, 40), whole.bytes(16, 40));
      assert.throws(() => parts.tree(), { name: 'DioramaError', id: 'capi.argument' });
    }));
  });

for (const name of games)
  test(`${name}: a game read in parts equals the whole game`, () => {
    const path = join(folder, 'samples/games', name);
    using(diorama.open(readFileSync(path), name), (file) => using(file.game(), (whole) =>
      onDisk(path, (parts) => using(parts.game(), (game) => {
        assert.deepEqual(game.info(), whole.info());
        assert.deepEqual(game.maps(), whole.maps());
        const { maps, columns, files } = JSON.parse(dio('maps', `samples/games/${name}`, '--json'));
        assert.deepEqual(game.maps(), { columns, rows: maps });
        assert.deepEqual(game.info().files, files);
        assert.deepEqual(game.parts(), whole.parts());
        assert.deepEqual(game.check(), whole.check());
        let scenes = 0;
        for (const { id, path: member } of game.parts()) {
          const { schema, game: kind, ...part } = JSON.parse(dio('maps', `samples/games/${name}`, id, '--json'));
          const described = game.describe(id);
          assert.deepEqual(described, { schema, game: kind, ...part });
          assert.deepEqual(game.shownWith(id), whole.shownWith(id));
          if (member) assert.ok(parts.member(member).length > 0, member);
          let scene;
          try {
            scene = game.world(id);
          } catch (error) {
            assert.ok(['game.part', 'scene.none'].includes(error.id), error.message);
            assert.throws(() => whole.world(id), { id: error.id });
            continue;
          }
          ++scenes;
          using(scene, () => using(whole.world(id), (other) => assert.deepEqual(plain(scene.data()), plain(other.data()))));
        }
        assert.ok(scenes > 1);
      }))));
  });

for (const name of games)
  test(`${name}: world nodes and vertices map to archive members and back`, () => {
    onDisk(join(folder, 'samples/games', name), (file) => using(file.game(), (game) => {
      const part = game.info().game === 'fft' ? 'map/1' : 'matrix/0';
      const scene = game.world(part), { nodes, meshes } = scene.data();
      using(scene, () => {
        let placed = 0, vertices = 0;
        nodes.forEach(({ mesh }, node) => {
          const place = scene.sourcePath(node);
          if (place) {
            ++placed;
            assert.ok(place.file.startsWith(`${name}/`), place.file);
            assert.ok(file.member(place.file.slice(name.length + 1)).length > 0);
          }
          for (const { sources } of mesh < 0 ? [] : meshes[mesh].primitives) {
            if (!sources) continue;
            const of = scene.sourcePath(node, sources[0]);
            assert.ok(of.size > 0, JSON.stringify(of));
            const shown = scene.shows(of.file, of.path);
            assert.ok(shown.some((one) => one.node === node), `${of.file} ${of.path} does not show ${nodes[node].name}`);
            ++vertices;
          }
        });
        assert.ok(placed > 1 && vertices > 1);
        assert.deepEqual(scene.shows('another.nds/file', ''), []);
        // The same scene as glTF: nodes keep their numbers, and a root follows them.
        const glb = scene.convert('glb'), head = new DataView(glb.buffer, glb.byteOffset);
        assert.deepEqual([head.getUint32(0, true), head.getUint32(8, true)], [0x46546c67, glb.length]);
        const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + head.getUint32(12, true))));
        assert.deepEqual(json.nodes.slice(0, nodes.length).map((n) => n.name ?? ''), nodes.map((n) => n.name));
        assert.throws(() => scene.convert('obj'), { id: 'capi.argument' });
      });
    }));
  });

test('only a small part of a large image is read', () => {
  for (const name of games) {
    const path = join(folder, `large_${name}`), bytes = readFileSync(join(folder, 'samples/games', name));
    writeFileSync(path, bytes);
    truncateSync(path, 150 << 20);  // the rest is a hole
    const before = diorama.memorySize;
    onDisk(path, (file, disk) => {
      assert.equal(file.error, null);
      assert.ok(disk.read <= 192 << 10, `${disk.read} bytes to open it`);
      using(file.game(), (game) => using(game.world(game.info().game === 'fft' ? 'map/1' : ''), (scene) => scene.data()));
      assert.ok(disk.read < (1 << 20) + 3 * bytes.length, `${disk.read} of ${disk.size} bytes`);
    });
    assert.ok(diorama.memorySize - before < 32 << 20, `${diorama.memorySize - before} bytes of memory`);
    rmSync(path);
  }
});

test('a dropped folder opens as a game', () => {
  for (const name of games) {
    dio('unpack', `samples/games/${name}`, '-o', `${name}.d`);
    const top = join(folder, `${name}.d`);
    const files = readdirSync(top, { recursive: true, withFileTypes: true }).filter((one) => one.isFile()).map((one) => {
      const path = join(one.parentPath ?? one.path, one.name);
      return { path: `dropped/${relative(top, path)}`, bytes: readFileSync(path) };
    });
    const inParts = files.map(({ path, bytes }) =>
      ({ path, size: bytes.length, read: (offset, size) => bytes.subarray(offset, offset + size) }));
    onDisk(join(folder, 'samples/games', name), (file) => using(file.game(), (cartridge) =>
      using(diorama.openGame(files, 'dropped'), (game) => using(diorama.openGame(inParts, 'dropped'), (same) => {
        assert.equal(game.maps().rows.length, cartridge.maps().rows.length);
        assert.deepEqual(game.maps(), same.maps());
        assert.deepEqual(game.check(), same.check());
        const { id } = game.parts().find(({ kind }) => kind === 'map' || kind === 'matrix');
        using(game.world(id), (scene) => {
          const place = scene.data().nodes.map((_, i) => scene.sourcePath(i)).find((one) => one?.size);
          assert.ok(place.file.startsWith('dropped/'), place.file);
        });
      }))));
  }
  assert.throws(() => diorama.openGame([], 'nothing'), { id: 'game.unknown' });
  assert.throws(() => diorama.openGame([{ path: 'a.txt', bytes: new Uint8Array(3) }], 'notes'), { id: 'game.unknown' });
});

test('failing readers give errors instead of traps', async () => {
  const own = await Diorama.load(module);
  const path = join(folder, 'samples/games', games[0]), bytes = readFileSync(path);
  const boom = new Error('the disk is gone');
  const file = own.openParts(bytes.length, 'game.nds', () => {
    throw boom;
  });
  assert.equal(file.error.id, 'io.read');
  assert.equal(file.error.cause, boom);
  file.close();
  for (let calls = 0; calls < 12; ++calls)
    for (const fail of [() => new Uint8Array(0), (offset, size) => bytes.subarray(offset, offset + size - 1), () => 'bytes', () => null]) {
      let left = calls;
      const file = own.openParts(bytes.length, 'game.nds', (offset, size) =>
        left-- > 0 ? bytes.subarray(offset, offset + size) : fail(offset, size));
      try {
        for (const { path } of file.error ? [] : file.members()) file.member(path);
        using(file.game(), (game) => using(game.world(), (scene) => scene.data()));
      } catch (error) {
        assert.ok(error instanceof DioramaError, String(error));
        assert.ok(['io.read', 'game.unknown', 'scene.none', 'game.part'].includes(error.id), error.message);
      } finally {
        file.close();
      }
    }
  // Bytes returned beyond the requested size are ignored.
  const long = own.openParts(bytes.length, 'game.nds', (offset) => bytes.subarray(offset));
  assert.equal(long.error, null);
  long.close();
  assert.throws(() => long.members(), /closed/);
});

test('game edits give the same bytes as the program', () => {
  const path = join(folder, 'samples/games/small_game.nds'), bytes = readFileSync(path);
  using(diorama.open(bytes, 'small_game.nds'), (file) => using(file.game(), (game) => {
    assert.ok(game.edits().some(({ edit }) => edit === 'add-prop'));
    assert.deepEqual(Buffer.from(game.file()), bytes);
    const words = ['add-prop', 'land=3', 'model=2', 'x=8', 'z=24', 'move', 'land/3', 'before=0'];
    const { done, changes, files } = game.edit(words);
    dio('edit', path, ...words, '-o', 'edited.nds');
    assert.deepEqual(Buffer.from(game.file()), readFileSync(join(folder, 'edited.nds')));
    assert.equal(done.length, 2);
    assert.ok(changes.some((line) => line.includes('land_data_ids[0][0]: 0 -> 1')));
    assert.equal(files.length, 4);
    assert.throws(() => game.edit(['remove', 'land/1']), { id: 'edit.referred' });
    assert.deepEqual(Buffer.from(game.file()), readFileSync(join(folder, 'edited.nds')));
    game.edit(['remove', 'land/1'], { unlink: true });
    assert.deepEqual(game.check(), []);
  }));
});

test('decode writes references as element ids', () => {
  const bytes = readFileSync(join(folder, 'samples/kmp/race.kmp'));
  using(diorama.open(bytes, 'race.kmp'), (file) => {
    const whole = file.decode({ refs: true });
    assert.deepEqual(whole, JSON.parse(dio('decode', 'samples/kmp/race.kmp', '--refs')));
    assert.deepEqual(Buffer.from(diorama.encode(file.decodeText({ refs: true }))), bytes);
  });
});

test('ask answers questions like the program', () => {
  const land = diorama.open(readFileSync(join(folder, 'samples/land-data/town.bin')), 'town.bin');
  const [{ question, usage, about }] = land.questions();
  assert.ok(question && usage && about);
  const { answer } = JSON.parse(dio('explain', `samples/land-data/town.bin#${question}@8,24`, '--json'));
  assert.deepEqual(land.ask(question, '8,24'), answer);
  assert.throws(() => land.ask(question, 'here'), { id: 'question.argument' });
  assert.throws(() => land.ask('none', ''), { id: 'capi.argument' });
  land.close();
});

// ---- the whole game, where somebody has made a cartridge of the corpus ----

const cartridge = process.env.DIORAMA_CARTRIDGE;
test('every map of a real cartridge gives a scene', { skip: !cartridge || !existsSync(cartridge) }, () => {
  onDisk(cartridge, (file) => using(file.game(), (game) => {
    const { rows } = game.maps();
    for (const row of rows) using(game.world(`header/${row.map ?? row.header}`), (scene) => assert.ok(scene.data().meshes.length > 0));
  }));
});
