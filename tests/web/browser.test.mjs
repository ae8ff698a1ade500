// The module in a browser gives the same results as in Node.js, and the pack it makes is drawn. DIORAMA_WASM is the path of the module, DIO
// that of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import * as core from '../../apps/web/core.mjs';
import { importMap, resultOf, withPage } from './page.mjs';
import { samplesIn } from './samples.mjs';

const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));
assert.equal(spawnSync(process.env.DIO, ['formats', '--samples', folder]).status, 0);
const samples = samplesIn(folder);

/** Reads a pack with its sibling files and makes it again. Runs here and in the page. */
async function look(Diorama, wasm, bytesOf) {
  const diorama = await Diorama.load(wasm);
  const open = async (name) => diorama.open(await bytesOf(name), name);
  const pack = await open('scene_v21.splashpack');
  const beside = await Promise.all(pack.beside().filter((name) => !name.endsWith('.geo')).map(open));
  const whole = pack.together(...beside), glb = whole.convert('glb'), scene = diorama.open(glb, 'again.glb');
  const { files, notes } = scene.make('splashpack', { layout: 'v21', depth: 4 });
  const out = {
    glb: [...glb], notes, files: files.map(({ name, bytes }) => ({ name, bytes: [...bytes] })),
    findings: whole.check(), budget: whole.budget(), pictures: whole.textures().files.map(({ name }) => name),
  };
  for (const file of [scene, whole, ...beside, pack]) file.close();
  return out;
}

const html = `<!doctype html>${importMap}<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { Diorama } from '/core.mjs';
${look}
try {
  const bytesOf = async (name) => (await fetch('/samples/' + name)).arrayBuffer();
  const seen = await look(Diorama, '/diorama.wasm', bytesOf);
  const gltf = await new GLTFLoader().parseAsync(new Uint8Array(seen.glb).buffer, '');
  const renderer = new THREE.WebGLRenderer({ preserveDrawingBuffer: true });
  renderer.setSize(320, 240);
  const scene = new THREE.Scene();
  scene.add(gltf.scene);
  scene.updateMatrixWorld(true);
  renderer.render(scene, gltf.scene.getObjectByName('player_eyes').getObjectByProperty('isCamera', true));
  const gl = renderer.getContext(), pixels = new Uint8Array(320 * 240 * 4);
  gl.readPixels(0, 0, 320, 240, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  const colors = new Set(new Uint32Array(pixels.buffer)).size;
  window.__ready = { seen, colors, triangles: renderer.info.render.triangles };
} catch (error) {
  window.__failed = String(error.stack ?? error);
}
</script>`;

test('a pack gives the same results in a browser as in Node.js and is drawn', async () => {
  const files = {
    '/core.mjs': fileURLToPath(new URL('../../apps/web/core.mjs', import.meta.url)),
    '/diorama.wasm': process.env.DIORAMA_WASM,
    ...Object.fromEntries(samples.map(({ name, path }) => [`/samples/${name}`, path])),
  };
  const bytesOf = (name) => samples.find((sample) => sample.name === name).bytes;
  const { seen, colors, triangles } = await withPage(html, files, resultOf);
  assert.deepEqual(seen, JSON.parse(JSON.stringify(await look(core.Diorama, readFileSync(process.env.DIORAMA_WASM), bytesOf))));
  assert.ok(triangles > 50, `${triangles} triangles`);
  assert.ok(colors > 30, `${colors} colours: the textures are missing`);
});
