// The program `dio` of the npm package: its output equals that of the native program. DIORAMA_WASM is the path of the module, DIO that of
// the native program.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';

import { installPackage } from './npm_package.mjs';
import { samplesIn } from './samples.mjs';

const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));
let program, page, run;
before(() => {
  ({ program, page, run } = installPackage(folder));
});

const native = (...args) => run(process.env.DIO, args);
const packed = (...args) => run('node_modules/.bin/dio', args);
const bytesOf = (name) => readFileSync(join(program, name));
const samples = (...formats) => samplesIn(join(program, 'samples')).filter(({ format }) => formats.includes(format)).map(({ format, name }) => `samples/${format}/${name}`);
const formats = () => readdirSync(join(program, 'samples')).filter((format) => format !== 'games').sort();
/** Compares the text and the exit code of both programs. */
function assertSame(...args) {
  const theirs = native(...args), ours = packed(...args);
  assert.equal(ours.stdout, theirs.stdout, args.join(' '));
  assert.equal(ours.status, theirs.status, `${args.join(' ')}\n${ours.stderr}`);
}
/** Compares the files that both programs write, and returns the bytes. */
function assertSameFile(extension, ...args) {
  const [theirs, ours] = ['native', 'packed'].map((name) => `${name}${extension}`);
  for (const name of [theirs, ours]) rmSync(join(program, name), { force: true });
  const expected = native(...args, '-o', theirs), found = packed(...args, '-o', ours);
  assert.equal(found.status, expected.status, `${args.join(' ')}\n${found.stderr}`);
  assert.ok(bytesOf(ours).equals(bytesOf(theirs)), args.join(' '));
  return bytesOf(ours);
}
const refused = (status, message, ...args) => {
  const result = packed(...args);
  assert.equal(result.status, status, result.stderr);
  assert.match(result.stderr, message);
  assert.doesNotMatch(result.stderr, /\n\s+at /);
};

test('info of all samples equals that of the native program', () => {
  const files = samples(...formats());
  assertSame('info', ...files);
  assertSame('info', '--json', ...files);
});

test('check of all samples equals that of the native program', () => {
  // The native program uses animations together with models, also those in archives.
  const animations = ['nsbca', 'nsbma', 'nsbta', 'nsbtp', 'nsbva'];
  const others = formats().filter((format) => !['u8', 'yaz0', ...animations].includes(format));
  for (const options of [[], ['--json'], ['--compact', '--all'], ['--fail-on', 'never', '-q']])
    for (const group of [animations, others]) assertSame('check', ...options, ...samples(...group));
  for (const file of samples('kmp', 'splashpack', 'u8', 'yaz0')) assertSame('check', file);
});

test('check looks into the archive of a course', () => {
  mkdirSync(join(program, 'course'));
  writeFileSync(join(program, 'course/course.kmp'), bytesOf('samples/kmp/race.kmp'));
  writeFileSync(join(program, 'course/course.kcl'), bytesOf(samples('kcl')[0]));
  assert.equal(native('pack', 'course', '-o', 'course.szs').status, 0);
  for (const file of ['course.szs', 'course.szs/course.kmp', 'samples/nds/cartridge.nds/data/shelf.narc/0']) assertSame('check', file);
  assertSame('check', '--json', 'course.szs', 'samples/kmp/race.kmp');
});

test('check uses files in the same folder', () => {
  const name = readdirSync(join(program, 'samples/together')).find((one) => one.endsWith('.splashpack'));
  assertSame('check', `samples/together/${name}`);
  mkdirSync(join(program, 'alone'));
  writeFileSync(join(program, 'alone', name), bytesOf(`samples/together/${name}`));
  assertSame('check', `alone/${name}`);
});

test('convert to glTF and JSON equals that of the native program', () => {
  for (const file of ['samples/kmp/race.kmp', 'samples/nsbmd/windmill.nsbmd', 'samples/splashpack/scene_v21.splashpack'])
    for (const extension of ['.glb', '.gltf', '.json']) assertSameFile(extension, 'convert', file);
  assertSameFile('.glb', 'convert', 'samples/nsbca/windmill.nsbca', 'samples/nsbmd/windmill.nsbmd');
  assertSameFile('.glb', 'convert', 'samples/games/small_tactics.bin/MAP/MAP001.9');
});

test('convert from JSON and from scenes equals that of the native program', () => {
  native('convert', 'samples/kmp/race.kmp', '-o', 'race.json');
  assert.deepEqual(assertSameFile('.kmp', 'convert', 'race.json'), bytesOf('samples/kmp/race.kmp'));
  native('convert', 'samples/splashpack/scene_v21.splashpack', '-o', 'scene.glb');
  assertSameFile('.splashpack', 'convert', 'scene.glb', '--target-layout', 'v21', '--depth', '8');
  assert.ok(bytesOf('packed.vram').equals(bytesOf('native.vram')));
  native('convert', 'samples/kmp/race.kmp', '-o', 'race.gltf');
  const scene = JSON.parse(bytesOf('race.gltf'));
  scene.nodes.find(({ name }) => name.startsWith('itembox')).translation[1] += 250;
  writeFileSync(join(program, 'race.gltf'), JSON.stringify(scene));
  assertSameFile('.kmp', 'convert', 'race.gltf', '--onto', 'samples/kmp/race.kmp');
  mkdirSync(join(program, 'pictures'));
  native('textures', 'samples/brres/bending.brres', '-o', 'pictures/');
  const picture = readdirSync(join(program, 'pictures')).find((one) => one.endsWith('.png'));
  writeFileSync(join(program, 'box.mtl'), `newmtl road\nmap_Kd pictures\\${picture}\n`);
  writeFileSync(join(program, 'box.obj'), 'mtllib box.mtl\nv 0 0 0\nv 9 0 0\nv 9 0 -9\nv 0 0 -9\nvt 0 0\nvt 1 1\nusemtl road\nf 1/1 2/2 3/1 4/2\n');
  const made = assertSameFile('.brres', 'convert', 'box.obj');
  assert.ok(made.includes(picture.slice(0, -4)));
});

test('a map in a folder has the files that its list names', () => {
  native('unpack', 'samples/games/small_tactics.bin', '-o', 'disc/');
  assertSame('info', 'disc/MAP/MAP001.GNS', 'disc/MAP/MAP001.9');
  assertSame('info', '--json', 'disc/MAP/MAP001.GNS');
  assertSameFile('.png', 'render', 'disc/MAP/MAP001.GNS', '--size', '64x64');
  assertSameFile('.glb', 'convert', 'disc/MAP/MAP001.9');
});

test('pictures equal those of the native program', () => {
  for (const file of ['samples/kmp/race.kmp', 'samples/nsbmd/windmill.nsbmd']) assertSameFile('.png', 'render', file, '--size', '64x48', '--camera', 'top');
  assertSameFile('.svg', 'render', 'samples/kmp/race.kmp');
  assertSameFile('.gif', 'render', 'samples/nsbmd/windmill.nsbmd', 'samples/nsbca/windmill.nsbca', '--size', '32x32');
});

test('a page contains the same files as that of the native program', () => {
  const args = ['view', 'samples/together/scene_v21.splashpack', 'samples/kmp/race.kmp'];
  assert.equal(native(...args, '--page', page, '-o', 'native.html').status, 0);
  assert.equal(packed(...args, '-o', 'packed.html').status, 0);
  const parts = ['native.html', 'packed.html'].map((name) => {
    const html = bytesOf(name).toString(), [whole, json] = html.match(/<script type="application\/json" id="diorama-files">(.*)<\/script>\n/);
    return { rest: html.replace(whole, ''), files: JSON.parse(json).files.map(({ name: file, gzip }) => [file, gunzipSync(Buffer.from(gzip, 'base64'))]) };
  });
  assert.deepEqual(parts[1], parts[0]);
  assert.ok(parts[1].files.some(([name]) => name === 'scene_v21.vram'));
});

test('formats and versions are those of the native program', () => {
  assert.equal(packed('--version').stdout, native('--version').stdout);
  const ids = (text) => text.split('\n').map((line) => line.split(' ')[0]);
  assert.deepEqual(ids(packed('formats').stdout), ids(native('formats').stdout));
});

test('npx runs the installed program', () => {
  assert.equal(run('npx', ['--no-install', 'dio', '--version']).stdout, native('--version').stdout);
});

test('errors are one message and leave no output', () => {
  writeFileSync(join(program, 'cut.kmp'), bytesOf('samples/kmp/race.kmp').subarray(0, 40));
  writeFileSync(join(program, 'kept.glb'), 'kept');
  refused(5, /^error: missing\.kmp: no such file/, 'info', 'missing.kmp');
  refused(5, /^error: kept\.glb: the file already exists/, 'convert', 'samples/kmp/race.kmp', '-o', 'kept.glb');
  refused(5, /the output is the input itself/, 'convert', 'samples/kmp/race.kmp', '--canonical', '-f', '-o', 'samples/kmp/race.kmp');
  refused(5, /no such folder/, 'convert', 'samples/kmp/race.kmp', '-o', 'nowhere/race.glb');
  refused(3, /^error: cut\.kmp: 0x28 /, 'convert', 'cut.kmp', '-o', 'cut.glb');
  refused(1, /scene\.none/, 'convert', 'samples/bmg/' + readdirSync(join(program, 'samples/bmg'))[0], '-o', 'text.glb');
  refused(2, /unknown output type/, 'convert', 'samples/kmp/race.kmp', '-o', 'race.foo');
  refused(2, /unknown option --frob/, 'info', '--frob');
  refused(2, /unknown format "foo" for --as/, 'info', 'samples/kmp/race.kmp', '--as', 'foo');
  refused(2, /^dio render: .*size/, 'render', 'samples/kmp/race.kmp', '--size', '0x0', '-o', 'small.png');
  refused(2, /unknown verb "frob"/, 'frob');
  refused(2, /the argument FILE is missing/, 'check');
  assert.equal(bytesOf('kept.glb').toString(), 'kept');
  for (const name of ['cut.glb', 'text.glb', 'race.foo', 'small.png']) assert.ok(!existsSync(join(program, name)), name);
  assert.deepEqual(readdirSync(program).filter((name) => name.endsWith('.tmp')), []);
});

test('-f replaces a file, and -o - writes to standard output', () => {
  writeFileSync(join(program, 'old.json'), 'old');
  assert.equal(packed('convert', 'samples/kmp/race.kmp', '-f', '-o', 'old.json').status, 0);
  assert.equal(packed('convert', 'samples/kmp/race.kmp', '--to', 'json', '-o', '-').stdout, bytesOf('old.json').toString());
});
