// The JavaScript examples of docs/guide/c-interface.md do what the page says. DIORAMA_WASM is the path of the module,
// DIO that of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const guide = readFileSync(new URL('../../docs/guide/c-interface.md', import.meta.url), 'utf8');
const examples = [...guide.matchAll(/\n```js\n(.*?)```\n.*?\n```text\n(.*?)```\n/gs)];

test('the examples of the guide print what the guide says', () => {
  assert.ok(examples.length > 1);
  const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
  try {
    assert.equal(spawnSync(process.env.DIO, ['formats', '--samples', 'samples'], { cwd: folder }).status, 0);
    for (const [, code, expected] of examples) {
      const here = code
        .replace('../apps/web/core.mjs', new URL('../../apps/web/core.mjs', import.meta.url).href)
        .replace('../build/wasm/diorama.wasm', resolve(process.env.DIORAMA_WASM));
      writeFileSync(join(folder, 'example.mjs'), here);
      const { stdout, stderr } = spawnSync(process.execPath, ['example.mjs'], { cwd: folder, encoding: 'utf8' });
      assert.equal(stderr, '');
      assert.equal(stdout, expected);
    }
    assert.equal(readFileSync(join(folder, 'race.glb')).toString('latin1', 0, 4), 'glTF');
    assert.ok(existsSync(join(folder, 'video_memory.png')));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
