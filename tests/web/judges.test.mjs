// What other people's programs say of the glTF files made of every sample, and of a scene in which everything occurs: the
// Khronos validator and three.js. DIO is the path of the program; write_scene stands beside it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));

function run(program, ...args) {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: folder });
  assert.equal(status, 0, `${args.join(' ')}\n${stdout}${stderr}`);
}
const script = (name) => fileURLToPath(new URL(name, import.meta.url));

run(process.env.DIO, 'formats', '--samples', 'samples');
const samples = readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile());

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

test('there are samples', () => assert.ok(samples.length > 0));
for (const sample of samples) {
  for (const extension of ['glb', 'gltf']) {
    test(`${sample} as ${extension}`, () => {
      const out = `${sample.replaceAll('/', '-')}.${extension}`;
      run(process.env.DIO, 'convert', sample, '-o', out);
      judge(out);
    });
  }
}
