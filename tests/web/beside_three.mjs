// beside_three.mjs: compares `dio render` with three.js, whose GLTFLoader draws the same GLB with the same camera: `node beside_three.mjs
// [--with FILE... --] FILE[:CAMERA]...` prints the differences; files before the second -- are added to each. DIO is the path of the
// program. With SAVE=FOLDER, both pictures and their difference are saved there.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { importMap, resultOf, withPage } from './page.mjs';

const size = [640, 480];
const background = '#506070';

function run(...args) {
  const { status, stdout, stderr } = spawnSync(process.env.DIO, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`dio ${args.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}

const html = `<!doctype html>${importMap}<script type="module">
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
const bytes = async name => (await fetch(name)).arrayBuffer();
async function compare(i) {
  const said = await (await fetch('/' + i + '.json')).json();
  const { width, height, camera: seen, metres_per_unit: metres } = said;
  const gltf = await new GLTFLoader().parseAsync(await bytes('/' + i + '.glb'), '');
  const renderer = new THREE.WebGLRenderer({ antialias: false, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(width, height);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color('${background}');
  scene.add(gltf.scene);
  if (said.animations.length) {
    const mixer = new THREE.AnimationMixer(gltf.scene);
    gltf.animations.forEach((clip, k) => {
      if (said.animations.includes(gltf.parser.json.animations[k].name)) mixer.clipAction(clip).setLoop(THREE.LoopOnce).play();
    });
    for (const action of mixer._actions) action.clampWhenFinished = true;
    mixer.setTime(said.seconds);
  }
  // GLTFLoader has no KHR_node_visibility; hidden nodes have a scale of 0 instead.
  const half = seen.half_height, aspect = width / height, near = seen.near * metres, far = seen.far * metres;
  const camera = seen.projection === 'parallel'
    ? new THREE.OrthographicCamera(-half * aspect * metres, half * aspect * metres, half * metres, -half * metres, near, far)
    : new THREE.PerspectiveCamera(2 * Math.atan(half) * 180 / Math.PI, aspect, near, far);
  camera.matrixAutoUpdate = false;
  camera.matrix.fromArray(seen.to_eye).invert();
  for (let k = 12; k < 15; ++k) camera.matrix.elements[k] *= metres;
  scene.add(camera);
  scene.updateMatrixWorld(true);
  const start = performance.now();
  renderer.render(scene, camera);
  const gl = renderer.getContext(), theirs = new Uint8Array(width * height * 4);
  gl.readPixels(0, 0, width, height, gl.RGBA, gl.UNSIGNED_BYTE, theirs);
  const milliseconds = performance.now() - start;
  const bitmap = await createImageBitmap(new Blob([await bytes('/' + i + '.png')]), { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  const canvas = new OffscreenCanvas(width, height), context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const ours = context.getImageData(0, 0, width, height).data;
  const flipped = new Uint8ClampedArray(width * height * 4), off = new Uint8ClampedArray(width * height * 4);
  let sum = 0, far_off = 0, drawn = 0;
  const back = ours.slice(0, 3);
  for (let y = 0; y < height; ++y)
    for (let x = 0; x < width; ++x) {
      const a = (y * width + x) * 4, b = ((height - 1 - y) * width + x) * 4;
      let most = 0;
      for (let k = 0; k < 3; ++k) {
        const d = Math.abs(ours[a + k] - theirs[b + k]);
        sum += d, most = Math.max(most, d);
        flipped[a + k] = theirs[b + k], off[a + k] = Math.min(255, d * 8);
      }
      flipped[a + 3] = off[a + 3] = 255;
      far_off += most > 8;
      drawn += [0, 1, 2].some(k => ours[a + k] !== back[k]);
    }
  const picture = async data => {
    context.putImageData(new ImageData(data, width, height), 0, 0);
    return [...new Uint8Array(await (await canvas.convertToBlob()).arrayBuffer())];
  };
  renderer.dispose();
  return { mean: sum / (width * height * 3), far: far_off / (width * height), drawn: drawn / (width * height), milliseconds,
    triangles: renderer.info.render.triangles, pictures: ${!!process.env.SAVE} ? { three: await picture(flipped), off: await picture(off) } : {} };
}
try {
  const { count } = await (await fetch('/count.json')).json(), all = [];
  for (let i = 0; i < count; ++i) all.push(await compare(i));
  window.__ready = all;
} catch (e) { window.__failed = String(e.stack ?? e); }
</script>`;

/** For each {files, camera, options}: the mean difference (of 255), the share of pixels that differ by more than 8, and the share that is
 * not background. */
export async function besideThree(cases) {
  const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
  try {
    const files = {};
    cases.forEach(({ paths, camera = 'free', options = [], moment = [] }, i) => {
      const at = (extension) => join(folder, `${i}.${extension}`);
      run('convert', '-q', ...paths, ...options, '-o', at('glb'));
      writeFileSync(at('json'), run('render', '-q', ...paths, ...options, ...moment, '-o', at('png'), '--json', '--camera', camera, '--size', size.join('x'), '--samples', '1',
        '--background', background));
      for (const extension of ['glb', 'json', 'png']) files[`/${i}.${extension}`] = at(extension);
    });
    writeFileSync(join(folder, 'count.json'), JSON.stringify({ count: cases.length }));
    files['/count.json'] = join(folder, 'count.json');
    const found = await withPage(html, files, resultOf);
    if (process.env.SAVE)
      found.forEach(({ pictures }, i) => {
        const name = join(process.env.SAVE, `${i}-${basename(cases[i].paths[0])}`);
        writeFileSync(`${name}.ours.png`, readFileSync(join(folder, `${i}.png`)));
        for (const [what, bytes] of Object.entries(pictures)) writeFileSync(`${name}.${what}.png`, Buffer.from(bytes));
      });
    return found;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (process.argv[1]?.endsWith('beside_three.mjs')) {
  const args = process.argv.slice(2);
  const others = args[0] === '--with' ? args.splice(0, args.indexOf('--') + 1).slice(1, -1) : [];
  const cases = args.map((argument) => {
    const [files, camera] = argument.split(':');
    return { paths: [...files.split('+'), ...others], camera };
  });
  if (!cases.length) {
    console.error('usage: node beside_three.mjs [--with FILE... --] FILE[+FILE...][:CAMERA]...');
    process.exit(2);
  }
  const at_once = 50; // each page holds their files
  let beyond = 0;
  for (let first = 0; first < cases.length; first += at_once) {
    const some = cases.slice(first, first + at_once);
    for (const [i, { mean, far, drawn, triangles, milliseconds }] of (await besideThree(some)).entries()) {
      beyond += mean >= 1 || far >= 0.01;
      console.log(`${some[i].paths[0]}: mean ${mean.toFixed(3)}, over 8: ${(far * 100).toFixed(3)} %, drawn ${(drawn * 100).toFixed(0)} %, ${triangles} triangles, ${milliseconds.toFixed(1)} ms`);
    }
  }
  console.log(`${beyond} of ${cases.length} with a mean of 1 or more, or 1 % over 8`);
}
