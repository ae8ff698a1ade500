// Loads glTF files like a viewer: node load_three.mjs FILES... It prints one line per file with the contents three.js loaded; exits with 1
// on an error or warning, 2 on wrong usage.
import { readFileSync } from 'node:fs';
import { inflateSync } from 'node:zlib';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

globalThis.self ??= globalThis; // the loader looks for browser globals there
globalThis.ProgressEvent ??= class extends Event {};

function crc32(bytes) {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

/** Decodes a PNG like a browser: rejects it unless every chunk and the pixel count are right. */
globalThis.createImageBitmap = async (blob) => {
  const bytes = Buffer.from(await blob.arrayBuffer());
  if (bytes.toString('hex', 0, 8) !== '89504e470d0a1a0a') throw new Error('no PNG');
  const chunks = [];
  for (let at = 8; at < bytes.length; ) {
    const size = bytes.readUInt32BE(at);
    const checked = bytes.subarray(at + 4, at + 8 + size);
    if (crc32(checked) !== bytes.readUInt32BE(at + 8 + size)) throw new Error('a chunk of the PNG has a wrong checksum');
    chunks.push({ type: checked.toString('latin1', 0, 4), content: checked.subarray(4) });
    at += 12 + size;
  }
  const header = chunks[0].content;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[header[9]];
  const row = 1 + Math.ceil((width * channels * header[8]) / 8);
  const pixels = inflateSync(Buffer.concat(chunks.filter((chunk) => chunk.type === 'IDAT').map((chunk) => chunk.content)));
  if (chunks[0].type !== 'IHDR' || pixels.length !== row * height) throw new Error('the PNG has not its pixels');
  return { width, height, close() {} };
};

let complaints = 0;
for (const level of ['error', 'warn']) {
  const print = console[level];
  console[level] = (...words) => {
    complaints += 1;
    print(...words);
  };
}

/** Vertex sources: one whole number per vertex. */
function sources({ parser }, object) {
  const definition = primitiveOf(parser, object);
  if (definition?.attributes._SOURCE === undefined) return;
  const { count, array } = object.geometry.attributes._source;
  if (count !== object.geometry.attributes.position.count) throw new Error(`${object.name}: a source is missing`);
  if (!array.every((n) => Number.isInteger(n) && n >= 0 && n < 2 ** 24)) throw new Error(`${object.name}: no source`);
}

/** Every variant exists in the file and has one of its materials. */
function variants({ parser }, object) {
  const { extensions, materials } = parser.json;
  const names = extensions?.KHR_materials_variants?.variants ?? [];
  const mappings = primitiveOf(parser, object)?.extensions?.KHR_materials_variants?.mappings ?? [];
  for (const mapping of mappings) {
    if (!materials[mapping.material]) throw new Error(`${object.name}: a variant without a material`);
    for (const variant of mapping.variants) {
      if (!names[variant]?.name) throw new Error(`${object.name}: ${variant} is no variant`);
    }
  }
}

function primitiveOf(parser, object) {
  const at = parser.associations.get(object);
  return at?.meshes === undefined ? undefined : parser.json.meshes[at.meshes].primitives[at.primitives ?? 0];
}

async function load(file) {
  const bytes = readFileSync(file);
  const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const gltf = await new GLTFLoader().parseAsync(data, '');
  const counts = { nodes: 0, meshes: 0, vertices: 0, skins: 0, lights: 0 };
  const textures = new Set();
  gltf.scene.updateMatrixWorld(true);
  gltf.scene.traverse((object) => {
    counts.nodes += 1;
    if (!object.matrixWorld.elements.every(Number.isFinite)) throw new Error(`${object.name}: its place is not finite`);
    if (object.isLight) counts.lights += 1;
    if (!object.geometry) return;
    sources(gltf, object);
    variants(gltf, object);
    counts.meshes += 1;
    counts.vertices += object.geometry.attributes.position.count;
    if (object.isSkinnedMesh) counts.skins += 1;
    if (object.material.map) textures.add(object.material.map);
  });
  const wanted = gltf.parser.json.nodes.filter((node) => node.extensions?.KHR_lights_punctual).length;
  if (counts.lights !== wanted) throw new Error(`${counts.lights} lights instead of ${wanted}`);
  const tracks = gltf.animations.reduce((sum, clip) => sum + clip.tracks.length, 0);
  console.log(
    `${file}: ${counts.nodes} nodes, ${counts.meshes} meshes, ${counts.vertices} vertices, ` +
      `${textures.size} textures, ${counts.skins} skinned, ${gltf.cameras.length} cameras, ${counts.lights} lights, ${gltf.animations.length} animations with ${tracks} tracks`,
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
