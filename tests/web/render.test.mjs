// `dio render` draws the same pictures as three.js, except for the differences stated here. DIO is the path of the program.
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

// mean: mean difference of 255; far: share of pixels that differ by more than 8.
// Translucent volumes in courses intersect: three.js sorts whole meshes, `dio render` sorts triangles.
// Line ends and ties may cover different pixels.
const exact = { mean: 0.05, far: 0.0005 }, crossing = { mean: 3, far: 0.15 }, lines = { mean: 0.2, far: 0.002 };
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
  { paths: ['kmp/arena.kmp'], bound: lines },
  { paths: ['kmp/race.kmp'], bound: crossing },
];

test('dio render matches three.js', async (t) => {
  const found = await besideThree(cases.map((c) => ({ ...c, paths: c.paths.map(file) })));
  for (const [i, { mean, far, drawn }] of found.entries()) {
    const { paths, camera, bound = exact } = cases[i];
    await t.test(`${paths.join(' ')} ${camera ?? ''}`, () => {
      assert.ok(drawn > 0.02, `only ${drawn} of the picture shows something`);
      assert.ok(mean <= bound.mean && far <= bound.far, `mean ${mean}, ${far * 100} % differ by more than 8`);
    });
  }
});

test('browsers play animated pictures', async () => {
  const path = file('mill.apng');
  const { status } = spawnSync(process.env.DIO, ['render', '-q', file('nsbmd/windmill.nsbmd'), file('nsbca/windmill.nsbca'), '-o', path, '--size', '64x48']);
  assert.equal(status, 0);
  // Screenshots at ten moments within two seconds: the picture moves; a broken frame would stop it.
  const html = `<img id="mill" src="/mill.apng"><script>mill.onload = () => window.__ready = { width: mill.naturalWidth, height: mill.naturalHeight };
    mill.onerror = () => window.__failed = 'no picture';</script>`;
  await withPage(html, { '/mill.apng': path }, async (page) => {
    assert.deepEqual(await resultOf(page), { width: 64, height: 48 });
    const seen = new Set();
    for (let i = 0; i < 10; ++i) {
      seen.add((await page.locator('#mill').screenshot()).toString('base64'));
      await page.waitForTimeout(150);
    }
    assert.ok(seen.size > 3, `${seen.size} different pictures`);
  });
});
