// program.mjs: runs the program in a temporary folder. DIO is its path.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** The temporary folder, with all samples in samples/. */
export const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));

/** The output of the program. Exit code 1 only means that there are findings. */
export function dio(...args) {
  const { status, stdout, stderr } = spawnSync(process.env.DIO, args, { cwd: folder, maxBuffer: 1 << 28 });
  assert.ok(status === 0 || status === 1, `dio ${args.join(' ')}\n${stdout}${stderr}`);
  return stdout;
}
dio('formats', '--samples', 'samples');
