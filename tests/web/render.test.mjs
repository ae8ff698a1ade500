// Pictures of `dio render` are those of three.js, but for what is stated here. DIO is the path of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { besideThree } from './beside_three.mjs';
import { resultOf, withPage } from './page.mjs';

const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));
assert.equal(spawnSync(process.env.DIO, ['formats', '--samples', folder]).status, 0);
const file = (name) => join(folder, name);

// mean: of 255; far: part of the pixels that differ by more than 8.
// In courses translucent volumes cross each other: three.js draws whole meshes from the back to the front, `dio render` triangles.
const exact = { mean: 0.05, far: 0.0005 }, crossing = { mean: 3, far: 0.15 };
const cases = [
  ...['banners', 'crane', 'crate', 'eel', 'fountain', 'meadow', 'shop_window', 'swatches', 'windmill'].map((name) => ({ paths: [`nsbmd/${name}.nsbmd`] })),
  { paths: ['nsbmd/windmill.nsbmd', 'nsbca/windmill.nsbca'], camera: '35,30', moment: ['--time', '0.7'] },
  { paths: ['nsbmd/eel.nsbmd', 'nsbca/eel.nsbca'], camera: '35,30', moment: ['--time', '0.3'] }, // skinned
  { paths: ['nsbmd/crane.nsbmd', 'nsbca/crane.nsbca'], camera: 'iso', moment: ['--time', '0.4'] },
  { paths: ['land-data/town.bin'], camera: 'top' },
  { paths: ['land-data/meadow.bin'] },
  { paths: ['fft-mesh/terrain.fft-mesh'] },
  { paths: ['fft-mesh/valley.fft-mesh'], bound: { mean: 0.5, far: 0.0005 } },
  { paths: ['fft-mesh/valley.fft-mesh'], options: ['--lamps'], bound: { mean: 1, far: 0.0005 } }, // lit: three.js approximates Fresnel
  { paths: ['together/scene_v21.splashpack'] },
  { paths: ['splashpack/scene_b.bin'] },
  { paths: ['kmp/arena.kmp'] },
  { paths: ['kmp/race.kmp'], bound: crossing },
];

test('pictures beside three.js', async (t) => {
  const found = await besideThree(cases.map((c) => ({ ...c, paths: c.paths.map(file) })));
  for (const [i, { mean, far, drawn }] of found.entries()) {
    const { paths, camera, bound = exact } = cases[i];
    await t.test(`${paths.join(' ')} ${camera ?? ''}`, () => {
      assert.ok(drawn > 0.02, `only ${drawn} of the picture shows something`);
      assert.ok(mean <= bound.mean && far <= bound.far, `mean ${mean}, ${far * 100} % differ by more than 8`);
    });
  }
});

test('browsers play moving pictures', async () => {
  const path = file('mill.apng');
  const { status } = spawnSync(process.env.DIO, ['render', '-q', file('nsbmd/windmill.nsbmd'), file('nsbca/windmill.nsbca'), '-o', path, '--size', '64x48']);
  assert.equal(status, 0);
  const html = `<script type="module">
    const decoder = new ImageDecoder({ type: 'image/png', data: await (await fetch('/mill.apng')).arrayBuffer(), preferAnimation: true });
    await decoder.tracks.ready;
    const { frameCount, repetitionCount, animated } = decoder.tracks.selectedTrack, sums = new Set();
    let last = null;
    for (let i = 0; i < frameCount; ++i) {
      const { image } = await decoder.decode({ frameIndex: i });
      const bytes = new Uint8Array(image.allocationSize());
      await image.copyTo(bytes);
      sums.add(bytes.reduce((a, b) => (a * 31 + b) % 1000003, 7));
      last = { width: image.displayWidth, height: image.displayHeight, duration: image.duration };
    }
    window.__ready = { frameCount, animated, endless: repetitionCount === Infinity, different: sums.size, ...last };
  </script>`;
  const seen = await withPage(html, { '/mill.apng': path }, resultOf);
  assert.ok(seen.animated && seen.endless && seen.frameCount > 10, JSON.stringify(seen));
  assert.ok(seen.different > seen.frameCount / 2, JSON.stringify(seen));
  assert.deepEqual([seen.width, seen.height], [64, 48]);
  assert.ok(seen.duration >= 10000, JSON.stringify(seen)); // microseconds
});
