// Everything the command line can do is also in the module: results equal the output of the program. DIORAMA_WASM is the path of the
// module, DIO that of the program.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';

import { Diorama, DioramaError } from '../../apps/web/core.mjs';
import { dio, folder } from './program.mjs';

/** Commands as `dio` words them. */
const wording = (name, words) => (name.startsWith('--') ? [name, words].filter(Boolean).join(' ') : `\`dio ${[name, words].filter(Boolean).join(' ')}\``);
const diorama = await Diorama.load(readFileSync(process.env.DIORAMA_WASM), { wording });
const dioText = (...args) => dio(...args).toString();
const dioJson = (...args) => JSON.parse(dioText(...args));
const read = (name) => new Uint8Array(readFileSync(join(folder, name)));
const write = (name, bytes) => writeFileSync(join(folder, name), bytes);
const open = (name) => diorama.open(read(`samples/${name}`), `samples/${name}`);
/** The files below a folder, by relative path. */
function below(name) {
  const out = {};
  const walk = (at) => {
    for (const one of readdirSync(at)) {
      const path = join(at, one);
      if (statSync(path).isDirectory()) walk(path);
      else out[relative(join(folder, name), path)] = new Uint8Array(readFileSync(path));
    }
  };
  walk(join(folder, name));
  return out;
}
const made = ({ files }) => Object.fromEntries(files.map(({ name, bytes }) => [name, bytes]));
const refused = (f, id) => assert.throws(f, (error) => error instanceof DioramaError && (!id || error.id === id));

test('typed values, explanations and JSON equal those of the program', () => {
  const file = open('kmp/race.kmp');
  for (const [path, value] of [['GOBJ[id=itembox].presence', 7], ['GOBJ[*].presence', 7], ['KTPT[0].position.y+', 100]]) {
    dio('set', 'samples/kmp/race.kmp', `${path}=${value}`, '-f', '-o', 'set.kmp');
    assert.deepEqual(file.set({ [path]: value }), read('set.kmp'));
  }
  assert.deepEqual(file.explain('KTPT[0].position.x'), dioJson('explain', 'samples/kmp/race.kmp#KTPT[0].position.x', '--json'));
  assert.equal(file.hexPage(), dioText('hex', 'samples/kmp/race.kmp', '--html'));
  assert.equal(file.decodeText({ lean: true }), dioText('decode', 'samples/kmp/race.kmp', '--lean', '-q', '-o', '-'));
  assert.deepEqual(diorama.encode(file.decodeText({ lean: true })), read('samples/kmp/race.kmp'));
  refused(() => file.explain('KTPT[9]'), 'path.unknown');
  file.close();
});

test('reports, repairs and round-trip checks equal those of the program', () => {
  const damaged = read('samples/kmp/race.kmp');
  damaged[10] ^= 1;
  write('damaged.kmp', damaged);
  const file = diorama.open(damaged, 'damaged.kmp');
  assert.equal(file.report('sarif'), dioText('check', 'damaged.kmp', '--format', 'sarif'));
  assert.equal(file.report('json', { ignore: 'kmp.*' }), dioText('check', 'damaged.kmp', '--json', '--ignore', 'kmp.*'));
  refused(() => file.report('html'), 'capi.argument');
  assert.equal(file.infoText(), dioText('info', 'damaged.kmp', '--json'));
  file.close();
  const disc = open('games/small_tactics.bin'), found = JSON.parse(disc.report('json', { member: 'MAP/MAP001.9' })).findings;
  assert.deepEqual(found, disc.checkMember('MAP/MAP001.9'));
  disc.close();
  const pack = open('splashpack/scene_v21.splashpack');
  assert.deepEqual(pack.repair().files[0].bytes, read('samples/splashpack/scene_v21.splashpack'));
  assert.deepEqual(pack.verify(), dioJson('verify', 'samples/splashpack/scene_v21.splashpack', '--json'));
  pack.close();
});

test('find, diff, merge and shared renames equal those of the program', () => {
  const base = open('kmp/race.kmp'), ours = diorama.open(base.set({ 'STGI[0].laps': 5 }), 'ours.kmp');
  const theirs = diorama.open(base.set({ 'KTPT[0].position.x': 1 }), 'theirs.kmp');
  write('ours.kmp', ours.save());
  write('theirs.kmp', theirs.save());
  assert.deepEqual(base.diff(ours), dioJson('diff', 'samples/kmp/race.kmp', 'ours.kmp', '--json').changes);
  assert.deepEqual(base.diff(ours, { bytes: 'yes' }), dioJson('diff', 'samples/kmp/race.kmp', 'ours.kmp', '--bytes', '--json').changes);
  dio('merge', 'samples/kmp/race.kmp', 'ours.kmp', 'theirs.kmp', '-o', 'both.kmp');
  const merged = diorama.merge(base, ours, theirs);
  assert.deepEqual([merged.files[0].bytes, merged.collisions], [read('both.kmp'), []]);
  write('noise.bin', new Uint8Array([...new Uint8Array(8), ...read('samples/kmp/race.kmp')]));
  assert.deepEqual(diorama.find(read('noise.bin')), dioJson('find', 'noise.bin', '--json').found);
  const model = open('nsbmd/swatches.nsbmd'), textures = open('nsbtx/swatches.nsbtx');
  const parts = dioJson('refs', 'samples/nsbmd/swatches.nsbmd', 'models', '--with', 'samples/nsbtx/swatches.nsbtx', '--json').parts;
  assert.deepEqual(model.refs('models', textures), parts);
  const editing = textures.edit();
  assert.deepEqual(editing.follow(model), model.save());
  for (const file of [base, ours, theirs, model, textures, editing]) file.close();
});

test('archives, textures and edited scenes equal those of the program', () => {
  const rom = open('nds/cartridge.nds');
  dio('unpack', 'samples/nds/cartridge.nds', '-o', 'cartridge');
  const files = made(rom.unpack());
  assert.deepEqual(files, below('cartridge'));
  assert.deepEqual(diorama.pack(files), rom.save());
  assert.deepEqual(rom.replaceAll({ 'data/shelf.narc/1': Buffer.from('thirteen') }), rom.replace('data/shelf.narc/1', Buffer.from('thirteen')));
  rom.close();
  write('course.kmp', read('samples/kmp/race.kmp'));
  dio('pack', 'course.kmp', '-o', 'course.szs');
  assert.deepEqual(diorama.pack({ 'course.kmp': read('course.kmp') }, { as: 'yaz0' }), read('course.szs'));
  refused(() => diorama.pack({ a: new Uint8Array(1) }, { as: 'zip' }), 'capi.argument');

  const swatches = open('nsbtx/swatches.nsbtx');
  dio('textures', 'samples/nsbtx/swatches.nsbtx', '--pal', '-o', 'swatches/');
  const pictures = made(swatches.textures({ pal: 'yes' }));
  assert.deepEqual(pictures, below('swatches'));
  const taken = swatches.takeTextures({ ...pictures, 'extra.png': pictures[Object.keys(pictures)[0]] }, { add: 'yes' });
  assert.deepEqual([taken.changed, taken.added], [0, 1]);
  refused(() => swatches.takeTextures({}), 'file.missing');
  swatches.close();

  const course = open('kmp/race.kmp'), scene = JSON.parse(new TextDecoder().decode(course.convert('gltf')));
  scene.nodes.find(({ name }) => name.startsWith('itembox')).translation[1] += 250;
  write('race.gltf', JSON.stringify(scene));
  dio('convert', 'race.gltf', '--onto', 'samples/kmp/race.kmp', '-o', 'higher.kmp');
  const edited = diorama.open(read('race.gltf'), 'race.gltf'), back = course.putBack(edited);
  assert.deepEqual([back.files[0].bytes, back.what], [read('higher.kmp'), '1 moved, 0 added, 0 removed']);
  edited.close();
  course.close();
});

test('animations, sheets, thumbnails, tiles and budgets equal those of the program', () => {
  const model = open('nsbmd/windmill.nsbmd'), motion = open('nsbca/windmill.nsbca'), both = model.together(motion);
  dio('render', 'samples/nsbmd/windmill.nsbmd', 'samples/nsbca/windmill.nsbca', '--size', '32x32', '-o', 'turn.gif');
  assert.deepEqual(both.render({ size: '32x32', as: 'gif' }), read('turn.gif'));
  const scene = both.scene();
  assert.deepEqual(scene.render({ size: '32x32', strip: 3 }), both.render({ size: '32x32', strip: 3 }));
  assert.ok(scene.convert('glb', { instances: 'yes' }).length > 100);
  dio('thumbnail', 'samples/nsbmd/windmill.nsbmd', 'small.png', '--size', '64');
  assert.deepEqual(model.thumbnail(64), read('small.png'));
  assert.deepEqual([...diorama.sheet([model, motion], { size: '32x32', columns: 2 }).subarray(1, 4)], [80, 78, 71]);
  for (const one of [scene, both, motion, model]) one.close();
  const pack = open('splashpack/scene_v21.splashpack');
  dio('budget', 'samples/splashpack/scene_v21.splashpack', '--picture', 'budget.svg');
  assert.equal(pack.budgetPicture(), readFileSync(join(folder, 'budget.svg'), 'utf8'));
  pack.close();
  const disc = open('games/small_tactics.bin'), tactics = disc.game(), map = tactics.world('map/1');
  dio('render', 'samples/games/small_tactics.bin', '--part', 'map/1', '--tiles=64', '-o', 'tiles/');
  assert.deepEqual(made(map.tiles({ tiles: 64 })), below('tiles'));
  for (const one of [map, tactics, disc]) one.close();
});

test('game graphs, references and diffs equal those of the program', () => {
  const image = open('games/small_game.nds'), game = image.game();
  assert.deepEqual(game.graph('header/3'), dioJson('tree', 'samples/games/small_game.nds', 'header/3', '--maps', '--json'));
  assert.equal(game.graph('', 'dot'), dioText('tree', 'samples/games/small_game.nds', '--maps', '--graph', 'dot'));
  assert.deepEqual(game.refs('land/0'), dioJson('refs', 'samples/games/small_game.nds', 'land/0', '--json').parts[0]);
  const before = image.game();
  game.edit(['add-prop', 'land=3', 'model=2', 'x=8', 'z=24']);
  dio('edit', 'samples/games/small_game.nds', 'add-prop', 'land=3', 'model=2', 'x=8', 'z=24', '-o', 'edited.nds');
  assert.deepEqual(before.diff(game), dioJson('diff', 'samples/games/small_game.nds', 'edited.nds', '--maps', '--json').changes);
  assert.ok(game.budgetPicture('header/3').startsWith('<svg'));
  refused(() => game.make('nothing'), 'game.make');
  for (const one of [before, game, image]) one.close();
});
