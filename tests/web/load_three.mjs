// Loads glTF files as a viewer does: node load_three.mjs FILES...
// A line for each file with what three.js made of it; exit 1 if it refuses one or complains, 2 on wrong usage.
import { readFileSync } from 'node:fs';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

globalThis.self ??= globalThis; // the loader looks for browser globals there
globalThis.ProgressEvent ??= class extends Event {};

let complaints = 0;
for (const level of ['error', 'warn']) {
  const print = console[level];
  console[level] = (...words) => {
    complaints += 1;
    print(...words);
  };
}

async function load(file) {
  const bytes = readFileSync(file);
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await new GLTFLoader().parseAsync(data, '');
  const counts = { nodes: 0, meshes: 0, vertices: 0 };
  gltf.scene.updateMatrixWorld(true);
  gltf.scene.traverse((object) => {
    counts.nodes += 1;
    if (!object.matrixWorld.elements.every(Number.isFinite)) throw new Error(`${object.name}: its place is not finite`);
    if (!object.geometry) return;
    counts.meshes += 1;
    counts.vertices += object.geometry.attributes.position.count;
  });
  const tracks = gltf.animations.reduce((sum, clip) => sum + clip.tracks.length, 0);
  console.log(
    `${file}: ${counts.nodes} nodes, ${counts.meshes} meshes, ${counts.vertices} vertices, ` +
      `${gltf.cameras.length} cameras, ${gltf.animations.length} animations with ${tracks} tracks`,
  );
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node load_three.mjs FILES...');
  process.exit(2);
}
for (const file of files) {
  try {
    await load(file);
  } catch (error) {
    console.error(`${file}: ${error.message ?? error}`);
  }
}
process.exit(complaints ? 1 : 0);
