// families.mjs: what families.cpp measures, through the WebAssembly module in Node.js, and the same through the shared
// library, so that the two can be compared: lines of JSON for tests/bench/table.
//
//   node tests/bench/families.mjs MODULE SECONDS FILE...     each FILE is FORMAT/NAME below the current folder
import { readFileSync } from 'node:fs';
import { Diorama } from '../../apps/web/core.mjs';

const [module, seconds, ...names] = process.argv.slice(2);
const dio = await Diorama.load(readFileSync(module));
const files = names.map((name) => ({ name, format: name.split('/')[0], bytes: readFileSync(name) }));
const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);

function measure(what, work) {
  const begin = performance.now();
  let best = Infinity;
  for (let round = 0; round < 3 || performance.now() - begin < 1000 * seconds; ++round) {
    const start = performance.now();
    for (const file of opened) work(file);
    best = Math.min(best, performance.now() - start);
  }
  console.log(JSON.stringify({ what, bytes: size, seconds: best / 1000 }));
}

const opened = files.map(({ name, format, bytes }) => ({ name, format, bytes, file: dio.open(bytes, name, { as: format }) }));
measure('read', ({ bytes, name, format }) => dio.open(bytes, name, { as: format }).close());
measure('check', ({ file }) => file.check());
measure('to JSON', ({ file }) => file.decodeText());
const texts = new Map(opened.map(({ name, file }) => [name, file.decodeText()]));
measure('from JSON', ({ name }) => dio.encode(texts.get(name)));
measure('to glTF', ({ file }) => {
  try {
    file.convert('glb');
  } catch (error) {  // animations alone show nothing
    if (!['scene.none', 'capi.argument'].includes(error.id)) throw error;
  }
});
console.log(JSON.stringify({ what: 'memory', bytes: dio.memorySize }));
