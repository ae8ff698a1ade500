// npm_package.mjs: makes the npm package and installs it without a network. DIORAMA_WASM is the path of the module, DIORAMA_VIEWER that of
// the viewer page; default: the page in the build tree, or an empty page if that is not built.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const tree = (name) => fileURLToPath(new URL(`../../${name}`, import.meta.url));
export const version = readFileSync(tree('CMakeLists.txt'), 'utf8').match(/project\(diorama VERSION ([\d.]+)/)[1];

function pageIn(folder) {
  const built = process.env.DIORAMA_VIEWER ?? tree('build/viewer/diorama.html');
  if (existsSync(built)) return built;
  writeFileSync(join(folder, 'empty.html'), '<!doctype html><html><body></body></html>\n');
  return join(folder, 'empty.html');
}

/** Installs the package in FOLDER/program: {program, page, archive, run, done}. */
export function installPackage(folder) {
  const program = join(folder, 'program'), page = pageIn(folder), archive = join(folder, `diorama-maps-${version}.tgz`);
  const run = (command, args, cwd = program) => {
    const environment = { ...process.env, npm_config_cache: join(folder, 'cache'), npm_config_update_notifier: 'false' };
    return spawnSync(command, args, { cwd, encoding: 'utf8', env: environment, maxBuffer: 1 << 28 });
  };
  const done = (...command) => {
    const { status, stdout, stderr } = run(...command);
    assert.equal(status, 0, `${command.flat().join(' ')}\n${stdout}${stderr}`);
    return stdout;
  };
  mkdirSync(program);
  done(process.execPath, [tree('apps/web/npm/make_package.mjs'), resolve(process.env.DIORAMA_WASM), page, join(folder, 'package')]);
  done('npm', ['pack', '--silent', join(folder, 'package')], folder);
  writeFileSync(join(program, 'package.json'), '{"name": "program", "private": true}');
  done('npm', ['install', '--offline', '--no-audit', '--no-fund', archive]);
  done(process.env.DIO, ['formats', '--samples', 'samples']);
  return { program, page, archive, run, done };
}
