// Third-party checks of the glTF files made from every sample and from a scene with every feature: the Khronos validator and three.js. DIO
// is the path of the program; write_scene is next to it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, parse } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));

function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: folder });
  assert.equal(status, 0, `${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}
const script = (name) => fileURLToPath(new URL(name, import.meta.url));

run(process.env.DIO, 'formats', '--samples', 'samples');
// Files in `together` are also in the folders of their formats.
const samples = readdirSync(folder, { recursive: true }).filter(
  (name) => statSync(join(folder, name)).isFile() && basename(dirname(name)) !== 'together',
);

// Textures and animations show nothing on their own.
const shows = new Set(
  JSON.parse(run(process.env.DIO, 'formats', '--json')).formats.filter((f) => f.gltf).map((f) => f.id),
);
const shown = samples.filter((name) => shows.has(basename(dirname(name))));

function judge(file) {
  run(process.execPath, script('validate_glb.mjs'), file);
  run(process.execPath, script('load_three.mjs'), file);
}

for (const file of ['everything.glb', 'everything.gltf']) {
  test(file, () => {
    run(join(dirname(process.env.DIO), 'write_scene'), file);
    judge(file);
  });
}

test('samples exist', () => assert.ok(shown.length > 0));
const withText = new Set();
for (const sample of shown) {
  // Both forms have the same scene and, except for buffer locations, the same JSON: one sample per format is enough for the second form.
  const extensions = withText.has(dirname(sample)) ? ['glb'] : ['glb', 'gltf'];
  withText.add(dirname(sample));
  for (const extension of extensions) {
    test(`${sample}: dio converts to valid ${extension}`, (t) => {
      const out = `${sample.replaceAll('/', '-')}.${extension}`;
      const { status, stderr } = spawnSync(process.env.DIO, ['convert', sample, '-o', out], { encoding: 'utf8', cwd: folder });
      // Files with only palettes or lights.
      if (status === 1 && stderr.includes('[scene.none]')) return t.skip('nothing to see');
      assert.equal(status, 0, stderr);
      judge(out);
    });
  }
}

// Textures, animations and sounds are combined with the model, map or pack of the same name into one consistent file.
const stem = (name) => parse(name).name;
const family = (name) =>
  ['nsb', 'fft-', 'splashpack'].find((start) => basename(dirname(name)).startsWith(start) && !name.endsWith('.GNS'));
const withCompanions = samples
  .filter((name) => /\.(nsbmd|fft-mesh|splashpack)$/.test(name))
  .map((model) => [model, ...samples.filter((other) => family(other) === family(model) && other !== model && stem(other) === stem(model)).sort()])
  .filter((files) => files.length > 1);

test('models with companion files exist', () => assert.ok(withCompanions.length > 0));
for (const files of withCompanions) {
  for (const options of family(files[0]) === 'splashpack' ? [[]] : [[], [files[0].endsWith('.nsbmd') ? '--lit' : '--lamps']]) {
    for (const extension of ['glb', 'gltf']) {
      test([...files, ...options, `as ${extension}`].join(' '), () => {
        const out = `whole-${stem(files[0])}${options.join('')}.${extension}`;
        run(process.env.DIO, 'convert', ...files, ...options, '-o', out);
        judge(out);
      });
    }
  }
}

// A scene from another program, converted to a pack of each kind and back.
run('python3', script('../../tools/make_example_scene.py'), 'courtyard.glb');
for (const layout of ['d', 'v21'])
  test(`a scene converted to a ${layout} pack and back is valid glTF`, () => {
    run(process.env.DIO, 'convert', 'courtyard.glb', '-f', '-o', `court_${layout}.splashpack`, '--target-layout', layout, '--scaling', '20', '--partly');
    run(process.env.DIO, 'convert', `court_${layout}.splashpack`, '-o', `court_${layout}_seen.glb`);
    judge(`court_${layout}_seen.glb`);
  });

// Whole games: all their maps as one scene.
const games = samples.filter((name) => basename(dirname(name)) === 'games');

test('sample games exist', () => assert.ok(games.length > 0));
for (const game of games) {
  const overlays = ['--show', 'tiles,collision,heights,events,warps', '--time', '2:00'];
  const ofCartridge = [[], ['--instances'], overlays, [...overlays, '--instances']];
  // From disc images: maps, one of which has states that look different.
  const ofDisc = [[], ['--state', 'night'], ['--lamps'], ['--all-states'], ['--all-states', '--lamps', '--instances']].map(
    (options) => ['map/1', ...options],
  );
  for (const options of game.endsWith('.nds') ? ofCartridge : [['map/0'], ...ofDisc]) {
    test([game, 'as a world', ...options].join(' '), () => {
      const out = `world-${stem(game)}${options.join('').replaceAll(/\W/g, '')}.glb`;
      run(process.env.DIO, 'world', game, ...options, '-o', out, '-f');
      judge(out);
    });
  }
}
