// make_package.mjs: the folder that `npm pack` turns into a package, of the module that was built.
//
//     node apps/web/npm/make_package.mjs MODULE FOLDER
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [, , module, folder] = process.argv;
const tree = (name) => fileURLToPath(new URL(`../../../${name}`, import.meta.url));
const [, version] = readFileSync(tree('CMakeLists.txt'), 'utf8').match(/project\(diorama VERSION ([\d.]+)/);

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
for (const name of ['core.mjs', 'core.d.mts', 'npm/index.mjs', 'npm/index.d.mts', 'npm/node.mjs', 'npm/README.md'])
  copyFileSync(tree(`apps/web/${name}`), join(folder, name.replace('npm/', '')));
copyFileSync(tree('LICENSE'), join(folder, 'LICENSE'));
copyFileSync(module, join(folder, 'diorama.wasm'));
const about = JSON.parse(readFileSync(tree('apps/web/npm/package.json'), 'utf8'));
writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...about, version }, null, 2)}\n`);
