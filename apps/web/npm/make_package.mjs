// make_package.mjs: makes the folder that `npm pack` turns into a package, from the built module and the built viewer page.
//
//     node apps/web/npm/make_package.mjs MODULE PAGE FOLDER
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , module, page, folder] = process.argv;
const tree = (name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const [, version] = readFileSync(tree('CMakeLists.txt'), 'utf8').match(/project\(diorama VERSION ([\d.]+)/);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const own = ['README.md', 'dio.mjs', 'dio_files.mjs', 'dio_texts.mjs', 'index.d.mts', 'index.mjs', 'node.mjs'].map((name) => `npm/${name}`);
for (const name of ['core.mjs', 'core.d.mts', ...own])
  copyFileSync(tree(`apps/web/${name}`), join(folder, name.replace('npm/', '')));
for (const name of ['LICENSE', 'THIRD_PARTY.md', 'licenses']) cpSync(tree(name), join(folder, name), { recursive: true });
copyFileSync(module, join(folder, 'diorama.wasm'));
copyFileSync(page, join(folder, 'diorama.html'));
const about = JSON.parse(readFileSync(tree('apps/web/npm/package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...about, version }, null, 2)}\n`);
