// The module draws the same pictures as the program, byte for byte. DIORAMA_WASM is the path of the module, DIO that of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

import { Diorama } from '../../apps/web/core.mjs';
import { samplesIn } from './samples.mjs';

const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));
assert.equal(spawnSync(process.env.DIO, ['formats', '--samples', folder]).status, 0);
const diorama = await Diorama.load(readFileSync(process.env.DIORAMA_WASM));

test('the module draws the same pictures as the program', () => {
  let drawn = 0;
  for (const { format, name, path, bytes } of samplesIn(folder)) {
    if (!['kmp', 'nsbmd', 'land-data', 'fft-mesh', 'splashpack'].includes(format)) continue;
    const look = ['plain', 'ds', 'psx'][drawn % 3];
    const options = { size: '160x120', camera: drawn % 2 ? 'free' : '-20,50', samples: 2, background: '#203040', look };
    const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, `${value}`]);
    const { status, stdout } = spawnSync(process.env.DIO, ['render', '-q', path, ...args, '-o', '-']);
    const file = diorama.open(bytes, name);
    let picture = null;
    try {
      picture = file.render(options);
    } catch {
      // The program must also reject files that cannot be drawn.
    }
    file.close();
    assert.equal(status === 0, picture !== null, `${name}: exit ${status}`);
    if (picture) assert.deepEqual(Buffer.from(picture), stdout, name), (drawn += 1);
  }
  assert.ok(drawn > 40, `${drawn} pictures`);
});

test('the module draws the same maps from above as the program', () => {
  let drawn = 0;
  for (const { format, name, path, bytes } of samplesIn(folder)) {
    const scale = { 'land-data': '3', 'fft-mesh': '11', kmp: '0.013/unit' }[format];
    if (!scale) continue;
    const { status, stdout } = spawnSync(process.env.DIO, ['render', '-q', path, '--scale', scale, '-o', '-']);
    const file = diorama.open(bytes, name);
    let picture = null;
    try {
      picture = file.render({ scale });
    } catch {
      // As above.
    }
    file.close();
    assert.equal(status === 0, picture !== null, `${name}: exit ${status}`);
    if (picture) assert.deepEqual(Buffer.from(picture), stdout, name), (drawn += 1);
  }
  assert.ok(drawn > 10, `${drawn} pictures`);
});

test('the module draws the same plans as the program', () => {
  let drawn = 0;
  for (const { format, name, path, bytes } of samplesIn(folder)) {
    if (format !== 'kmp') continue;
    const options = drawn % 2 ? { show: 'ckpt,jgpt', size: '900x700' } : {};
    const args = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
    const out = `${path}.svg`;
    const { status } = spawnSync(process.env.DIO, ['render', '-q', '-f', path, ...args, '-o', out]);
    assert.equal(status, 0, name);
    const file = diorama.open(bytes, name);
    assert.equal(file.plan(options), readFileSync(out, 'utf8'), name);
    rmSync(out);
    file.close();
    drawn += 1;
  }
  assert.ok(drawn > 10, `${drawn} plans`);
});

test('picture options are checked', () => {
  const { bytes, name } = samplesIn(folder).find(({ format }) => format === 'nsbmd');
  const file = diorama.open(bytes, name);
  assert.throws(() => file.render({ size: '0x4' }), /size/);
  assert.throws(() => file.render({ camera: 'nose' }), /nose/);
  assert.throws(() => file.render({ scale: '16' }), /tiles/);
  assert.throws(() => file.render({ scale: '16px' }), /16px/);
  assert.throws(() => file.render({ colour: 'red' }), /colour/);
  assert.throws(() => file.plan(), /has no plans/);
  file.close();
});
