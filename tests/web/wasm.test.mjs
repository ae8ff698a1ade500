// The module itself: it imports little from its host and exports the functions of the C header. DIORAMA_WASM is its path.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { WASI } from 'node:wasi';

const bytes = readFileSync(process.env.DIORAMA_WASM);
const folder = new URL('../../src/capi/', import.meta.url);
const header = readdirSync(folder)
  .filter((name) => name.endsWith('.h'))
  .map((name) => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')
  .replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, '');
const native = ['dio_samples', 'dio_sample', 'dio_schema'];  // the module has none
const declared = [...new Set(header.match(/\bdio_[a-z0-9_]+(?= *\()/g))].filter((name) => !native.includes(name));

test('the module exports only the functions of the header', () => {
  const names = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map((one) => one.name);
  assert.ok(declared.length > 0);
  assert.deepEqual(names.sort(), ['_initialize', 'memory', ...declared].sort());
});

test("the module imports only the caller's reader and WASI without files or clocks", () => {
  for (const { module, name } of WebAssembly.Module.imports(new WebAssembly.Module(bytes))) {
    if (module === 'diorama') {
      assert.equal(name, 'read');  // of files that are read in parts
      continue;
    }
    assert.equal(module, 'wasi_snapshot_preview1');
    assert.match(name, /^(environ_(sizes_)?get|fd_(close|seek|write|fdstat_get)|proc_exit)$/);
  }
});

test('the module starts', async () => {
  const wasi = new WASI({ version: 'preview1' });
  const { instance } = await WebAssembly.instantiate(bytes, { ...wasi.getImportObject(), diorama: { read: () => 0 } });
  wasi.initialize(instance);
});
