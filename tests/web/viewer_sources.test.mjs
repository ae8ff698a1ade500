// viewer_sources.test.mjs: the viewer names no format. Format detection, scene layers and node commands come from the core, so a new format
// needs no TypeScript.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { dio } from './program.mjs';

const folder = fileURLToPath(new URL('../../apps/web/viewer/src', import.meta.url));
// This file lists the supported games for users.
const texts = new Set(['frame/Welcome.tsx']);
const sources = readdirSync(folder, { recursive: true }).filter((name) => /\.tsx?$/.test(name) && !texts.has(name.replaceAll('\\', '/')));

/** Names of formats, extensions and node kinds, except English words, consoles and number types. */
function namesOfFormats() {
  const { formats } = JSON.parse(dio('formats', '--json'));
  const out = new Set();
  for (const { id, extensions, node_kinds: kinds = [] } of formats) {
    for (const word of [...id.split('-'), ...extensions.split(' ').map((e) => e.slice(1).toLowerCase())]) out.add(word);
    for (const { kind, path } of kinds) {
      if (kind.includes('.')) out.add(kind.slice(0, kind.indexOf('.')));
      if (path) out.add(path.toLowerCase());
    }
  }
  for (const word of ['', 'came', 'ds', 'u8', 'map', 'maps', 'data', 'land', 'area', 'build', 'light', 'list', 'names', 'headers', 'matrix', 'mesh', 'texture', 'event', 'zone', 'anime', 'bin', 'img', 'txt', 'dat', 'iso', 'files']) out.delete(word);
  return [...out];
}

test('the viewer sources name no format', () => {
  const names = namesOfFormats(), pattern = new RegExp(`(?<![\\w-])(${names.join('|')})(?![\\w-])`, 'i'), found = [];
  assert.ok(names.length > 40 && ['kmp', 'platinum', 'fft', 'nitro', 'brres', 'ckpt'].every((name) => names.includes(name)), names.join(' '));
  assert.ok(sources.length > 30);
  for (const name of sources)
    readFileSync(join(folder, name), 'utf8').split('\n').forEach((line, i) => {
      const word = pattern.exec(line)?.[1];
      if (word) found.push(`${name}:${i + 1}: ${word}`);
    });
  assert.deepEqual(found, []);
});
