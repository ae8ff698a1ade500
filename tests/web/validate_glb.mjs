// Validates glTF files: node validate_glb.mjs FILES... It prints one line per file; exits with 1 if the Khronos validator reports an error
// or a warning, or if a KHR_animation_pointer has no target (the validator does not check those), 2 on wrong usage.
import { readFileSync } from 'node:fs';
import validator from 'gltf-validator';

const UNSIGNED_BYTE = 5121;
const FLOAT = 5126;
const TYPE_OF_LENGTH = { 2: 'VEC2', 3: 'VEC3', 4: 'VEC4', 9: 'MAT3', 16: 'MAT4' };

/** The JSON of a .glb (its first chunk) or a .gltf. */
function jsonOf(bytes) {
  if (bytes.toString('latin1', 0, 4) !== 'glTF') return JSON.parse(bytes.toString('utf8'));
  return JSON.parse(bytes.toString('utf8', 20, 20 + bytes.readUInt32LE(12)));
}

/** The property a JSON pointer names, or undefined. */
function resolve(json, pointer) {
  if (!pointer.startsWith('/')) return undefined;
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((at, key) => (at !== null && typeof at === 'object' && Object.hasOwn(at, key) ? at[key] : undefined), json);
}

/** Faults of the animation pointers in a file. */
function pointerFaults(json) {
  const faults = [];
  json.animations?.forEach((animation, a) => {
    const pointers = new Set();
    animation.channels?.forEach((channel, c) => {
      const pointer = channel.target?.extensions?.KHR_animation_pointer?.pointer;
      if ((channel.target?.path === 'pointer') !== (pointer !== undefined)) {
        faults.push(`/animations/${a}/channels/${c}: path and extension disagree`);
      }
      if (pointer === undefined) return;
      const fault = (text) => faults.push(`/animations/${a}/channels/${c}: ${pointer} ${text}`);
      if (!json.extensionsUsed?.includes('KHR_animation_pointer')) fault('is not in extensionsUsed');
      if (channel.target.node !== undefined) fault('stands beside a node');
      const property = resolve(json, pointer);
      const type = Array.isArray(property) ? TYPE_OF_LENGTH[property.length] : 'SCALAR';
      const isFlag = typeof property === 'boolean';
      if (!Array.isArray(property) && !isFlag && typeof property !== 'number') {
        return fault('is no number, list of numbers or flag');
      }
      if (pointers.has(pointer)) fault('is moved twice');
      pointers.add(pointer);
      const sampler = animation.samplers[channel.sampler];
      const [input, output] = [json.accessors[sampler.input], json.accessors[sampler.output]];
      if (output.type !== type) fault(`is ${type}, its values are ${output.type}`);
      if (isFlag && sampler.interpolation !== 'STEP') fault('is a flag that does not step');
      if (output.componentType !== (isFlag ? UNSIGNED_BYTE : FLOAT)) {
        fault(`has values that are not ${isFlag ? 'unsigned bytes' : 'floats'}`);
      }
      if (output.count !== input.count) fault(`has ${input.count} times and ${output.count} values`);
    });
  });
  return faults;
}

async function judge(file) {
  const bytes = readFileSync(file);
  const { issues } = await validator.validateBytes(new Uint8Array(bytes), { uri: file, maxIssues: 0 });
  const serious = issues.messages
    .filter((message) => message.severity < 2)
    .map((message) => `${message.pointer ?? ''} ${message.code}: ${message.message}`);
  const faults = issues.numErrors ? [] : pointerFaults(jsonOf(bytes));
  const codes = [...new Set(issues.messages.filter((m) => m.severity >= 2).map((m) => m.code))];
  console.log(
    `${file}: ${issues.numErrors} errors, ${issues.numWarnings} warnings, ${faults.length} pointer faults, ` +
      `${issues.numInfos} infos, ${issues.numHints} hints${codes.length ? ` (${codes.join(', ')})` : ''}`,
  );
  for (const text of [...serious, ...faults]) console.log(`  ${text}`);
  return serious.length === 0 && issues.numErrors + issues.numWarnings + faults.length === 0;
}

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('usage: node validate_glb.mjs FILES...');
  process.exit(2);
}
let good = true;
for (const file of files) {
  try {
    good = (await judge(file)) && good;
  } catch (error) {
    console.log(`${file}: ${error.message ?? error}`);
    good = false;
  }
}
process.exit(good ? 0 : 1);
