// beside_three.mjs: how fast pictures are drawn, beside three.js in headless Chromium on software GL and beside reading the files:
// processor seconds of the same run, everything on one core.
//
//     node tests/bench/beside_three.mjs [--game FOLDER|CARTRIDGE] MODELS...
//
// MODELS are models to draw one by one at 256 x 192 and on one sheet; of the game, its largest world is drawn from above at 4096
// pixels. three.js gets the GLBs that `dio convert` and `dio world` write, and the same cameras. Both write PNGs. DIO is the program
// (build/bench/dio). Start of a program, or of Chromium and its page, is not counted for three.js and is counted for dio.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { importMap, resultOf, withPage } from '../web/page.mjs';

const dio = process.env.DIO ?? 'build/bench/dio';
const ticks = 100; // a second, in /proc
const args = process.argv.slice(2);
const game = args[0] === '--game' ? args.splice(0, 2)[1] : null;
if (!args.length && !game) {
  console.error('usage: node tests/bench/beside_three.mjs [--game FOLDER] MODELS...');
  process.exit(2);
}
spawnSync('taskset', ['-p', '-c', '0', `${process.pid}`]); // children inherit it

/** Processor seconds and peak megabytes of a command. */
function timed(...command) {
  const { status, stderr } = spawnSync('/usr/bin/env', ['python3', '-c', `
import os, resource, subprocess, sys
code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file=sys.stderr)
sys.exit(code > 1)`, ...command], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command.join(' ').slice(0, 200)}: exit ${status}\n${stderr}`);
  const [seconds, megabytes] = stderr.trim().split('\n').at(-1).split(' ').map(Number);
  return { seconds, megabytes };
}

/** Processor seconds of the processes below `root`, so far. */
function spent(root) {
  const parents = new Map(), seconds = new Map();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    try {
      const fields = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
      parents.set(+id, +fields[1]), seconds.set(+id, (+fields[11] + +fields[12] + +fields[13] + +fields[14]) / ticks);
    } catch {
      // It ended meanwhile.
    }
  const below = (id) => id === root || (parents.has(id) && below(parents.get(id)));
  return [...seconds].filter(([id]) => id !== root && below(id)).reduce((sum, [, s]) => sum + s, 0);
}

const html = `<!doctype html>${importMap}<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const bytes = async name => (await fetch(name)).arrayBuffer();
const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
renderer.setPixelRatio(1);
/** Reads a GLB, draws it from a camera and makes a PNG of it; gives the PNG's size. */
window.draw = async i => {
  const said = await (await fetch('/' + i + '.json')).json();
  const { width, height, camera: seen, metres_per_unit: metres } = said;
  const gltf = await new GLTFLoader().parseAsync(await bytes('/' + i + '.glb'), '');
  renderer.setSize(width, height);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('#506070');
  scene.add(gltf.scene);
  const half = seen.half_height, aspect = width / height, near = seen.near * metres, far = seen.far * metres;
  const camera = seen.projection === 'parallel'
    ? new THREE.OrthographicCamera(-half * aspect * metres, half * aspect * metres, half * metres, -half * metres, near, far)
    : new THREE.PerspectiveCamera(2 * Math.atan(half) * 180 / Math.PI, aspect, near, far);
  camera.matrixAutoUpdate = false;
  camera.matrix.fromArray(seen.to_eye).invert();
  for (let k = 12; k < 15; ++k) camera.matrix.elements[k] *= metres;
  scene.add(camera);
  scene.updateMatrixWorld(true);
  renderer.render(scene, camera);
  const blob = await new Promise(done => renderer.domElement.toBlob(done));
  scene.traverse(o => { o.geometry?.dispose(); for (const m of [o.material ?? []].flat()) m.map?.dispose(), m.dispose(); });
  return blob.size;
};
window.__ready = true;
</script>`;

const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
try {
  const jobs = []; // {name, ours, read, first, count}: what dio does, and the scenes of it from `first` on
  const files = {};
  const scenes = (paths, options) => {
    const first = Object.keys(files).length / 2;
    let i = first;
    for (const path of paths) {
      const glb = join(folder, `${i}.glb`), json = join(folder, `${i}.json`);
      if (spawnSync(dio, [options.world ? 'world' : 'convert', '-q', path, ...(options.world ? ['matrix/0'] : []), '-f', '-o', glb]).status !== 0) continue;
      const { status, stdout } = spawnSync(dio, ['render', '-q', path, ...options.render, '--json', '-f', '-o', join(folder, 'x.png')]);
      if (status !== 0) continue;
      writeFileSync(json, stdout);
      files[`/${i}.glb`] = glb, files[`/${i}.json`] = json;
      i += 1;
    }
    return { first, count: i - first };
  };
  if (args.length) {
    const render = ['--size', '256x192', '--background', '#506070'];
    mkdirSync(join(folder, 'out'));
    jobs.push({ name: `${args.length} models, 256 x 192 each`, ...scenes(args, { render }), read: [dio, 'info', '-q', '-j1', ...args],
      ours: [dio, 'render', '-q', '-j1', ...args, ...render, '-f', '-o', join(folder, 'out/')] });
    jobs.push({ name: `a sheet of ${args.length} models`, ours: [dio, 'render', '-q', '-j1', ...args, '-f', '-o', join(folder, 'sheet.png')] });
  }
  if (game)
    for (const side of [1024, 2048, 4096]) {
      const render = ['--part', 'matrix/0', '--camera', 'top', '--size', `${side}x${side}`, '--background', '#506070'];
      jobs.push({ name: `a world from above, ${side} px`, ...scenes([game], { render, world: true }), read: [dio, 'maps', '-q', game],
        ours: [dio, 'render', '-q', '-j1', game, ...render, '-f', '-o', join(folder, 'x.png')] });
    }
  console.log(`${'processor seconds'.padEnd(36)}${'dio'.padStart(9)}${'three.js'.padStart(10)}${'ratio'.padStart(8)}${'reading'.padStart(9)}${'memory'.padStart(9)}${'each s'.padStart(9)}`);
  await withPage(html, files, async (page) => {
    await resultOf(page);
    for (const { name, ours, read, first, count } of jobs) {
      const best = (f) => Math.min(f(), f(), f());
      let megabytes = 0;
      const mine = best(() => {
        const one = timed(...ours);
        megabytes = one.megabytes;
        return one.seconds;
      });
      let theirs = null;
      if (count) {
        const all = async () => {
          const before = spent(process.pid);
          for (let i = first; i < first + count; ++i) await page.evaluate((n) => window.draw(n), i);
          return spent(process.pid) - before;
        };
        await page.evaluate((n) => window.draw(n), first); // compiles shaders
        theirs = Math.min(await all(), await all());
      }
      const shown = (n) => (n === null ? '-' : n.toFixed(2));
      console.log(`${name.padEnd(36)}${shown(mine).padStart(9)}${shown(theirs).padStart(10)}${shown(theirs && mine / theirs).padStart(8)}${
        shown(read ? best(() => timed(...read).seconds) : null).padStart(9)}${`${megabytes.toFixed(0)} MB`.padStart(9)}${
        (count ? (count / mine).toFixed(1) : '').padStart(9)}`);
    }
  });
} finally {
  rmSync(folder, { recursive: true });
}
