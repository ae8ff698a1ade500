// The package built by `./dev npm`, installed without a network and used by Node.js programs; its types; and the examples of
// docs/guide/javascript.md and README.md. DIORAMA_WASM is the path of the module, DIO that of the program. DIORAMA_UPDATE=1 writes the
// output of the examples into the page.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { installPackage, tree, version } from './npm_package.mjs';

const pages = ['docs/guide/javascript.md', 'README.md'].map((name) => ({ name, text: readFileSync(tree(name), 'utf8') }));
const examples = pages.flatMap((page) => [...page.text.matchAll(/\n```js\n(.*?)```\n\n```text\n(.*?)```\n/gs)].map(([, code, expected]) => ({ page, code, expected })));

const folder = mkdtempSync(join(tmpdir(), 'diorama-')), program = join(folder, 'program');
after(() => rmSync(folder, { recursive: true }));

let run, archive;
const node = (code, name = 'example.mjs') => {
  writeFileSync(join(program, name), code);
  return run(process.execPath, [name]);
};

before(() => {
  ({ run, archive } = installPackage(folder));
});

test('the package contains only the needed files', () => {
  const installed = join(program, 'node_modules/diorama-maps');
  assert.deepEqual(readdirSync(installed).sort(), ['LICENSE', 'README.md', 'THIRD_PARTY.md', 'core.d.mts', 'core.mjs', 'dio.mjs', 'dio_files.mjs', 'dio_texts.mjs', 'diorama.html', 'diorama.wasm', 'index.d.mts', 'index.mjs', 'licenses', 'node.mjs', 'package.json']);
  const about = JSON.parse(readFileSync(join(installed, 'package.json')));
  assert.equal(about.version, version);
  assert.equal(about.dependencies, undefined);
  for (const target of Object.values(about.exports).flatMap((to) => (typeof to === 'string' ? to : Object.values(to)))) assert.ok(existsSync(join(installed, target)), target);
  assert.ok(statSync(archive).size < 5 << 20);
});

test('every entry point of the package loads', () => {
  const uses = "const d = await load(); console.log(d.version, typeof DioramaError, typeof sceneOf);";
  const expected = `${version} function function\n`;
  assert.equal(node(`import { load, DioramaError, sceneOf } from 'diorama-maps';\n${uses}`).stdout, expected);
  assert.equal(node(`(async () => { const { load, DioramaError, sceneOf } = await import('diorama-maps'); ${uses} })();`, 'old.cjs').stdout, expected);
  const bytes = "import { readFile } from 'node:fs/promises';\nimport { createRequire } from 'node:module';\nconst module = await WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve('diorama-maps/diorama.wasm')));";
  assert.equal(node(`import { compile, load } from 'diorama-maps';\n${bytes}\nconsole.log((await load(module)).version, (await compile()) instanceof WebAssembly.Module);`).stdout, `${version} true\n`);
  assert.equal(node(`import { Diorama } from 'diorama-maps/core.mjs';\n${bytes}\nconsole.log((await Diorama.load(module)).version);`).stdout, `${version}\n`);
});

test('the browser entry loads the module next to it by URL', () => {
  const { stdout, stderr } = node(`
    import { readFile } from 'node:fs/promises';
    const asked = [];
    globalThis.fetch = async (url) => { asked.push(String(url)); return new Response(await readFile(url), { headers: { 'content-type': 'text/plain' } }); };
    const { compile, load } = await import('./node_modules/diorama-maps/index.mjs');
    console.log((await load()).version, (await load(await compile())).version, asked.length, asked[0].endsWith('/node_modules/diorama-maps/diorama.wasm'));`);
  assert.equal(stdout, `${version} ${version} 2 true\n`, stderr);
});

test('the package types accept valid programs only', (t) => {
  const tsc = ['tests/web', 'apps/web/viewer'].map((where) => tree(`${where}/node_modules/.bin/tsc`)).find(existsSync);
  if (!tsc) return t.skip('there is no TypeScript');
  const check = (code) => {
    writeFileSync(join(program, 'typed.mts'), code);
    return run(tsc, ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext', '--moduleResolution', 'nodenext', '--skipLibCheck', 'false', 'typed.mts']);
  };
  const good = check(`import { load, type Finding, type SceneData } from 'diorama-maps';
    import { Diorama } from 'diorama-maps/core.mjs';
    const diorama: Diorama = await load();
    const file = diorama.open(new Uint8Array(4), 'x.kmp', { strict: true });
    const found: Finding[] = file.check(), data: SceneData = file.scene({ lit: 'yes' }).data();
    const positions: Float32Array = data.meshes[0].primitives[0].positions;
    console.log(found, positions, file.error?.id);`);
  assert.equal(good.status, 0, good.stdout);
  const bad = check("import { load } from 'diorama-maps';\nconst d = await load();\nd.open('x');\nconst n: number = d.version;\nd.open(new Uint8Array(1)).chek();\n");
  assert.equal(bad.stdout.match(/error TS/g)?.length, 3, bad.stdout);
});

test('every program in the guide documents its output', () => {
  assert.equal(pages.flatMap(({ text }) => text.match(/```js\n/g)).length, examples.length);
});

const printed = new Map(pages.map(({ name, text }) => [name, text]));
for (const [i, { page, code, expected }] of examples.entries())
  test(`example ${i + 1} in ${page.name} prints the documented output`, () => {
    const { stdout, stderr } = node(code);
    assert.equal(stderr, '');
    if (process.env.DIORAMA_UPDATE) printed.set(page.name, printed.get(page.name).replace(`${code}\`\`\`\n\n\`\`\`text\n${expected}\`\`\``, () => `${code}\`\`\`\n\n\`\`\`text\n${stdout}\`\`\``));
    else assert.equal(stdout, expected);
  });
after(() => {
  for (const { name, text } of pages) if (printed.get(name) !== text) writeFileSync(tree(name), printed.get(name));
});

test('the examples write their files', () => {
  assert.equal(readFileSync(join(program, 'race.glb')).toString('latin1', 0, 4), 'glTF');
  assert.ok(existsSync(join(program, 'video_memory.png')));
});
