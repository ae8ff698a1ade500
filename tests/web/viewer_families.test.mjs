// For each family and container: drop a file, click in the picture, change a value, undo, redo, save. The saved file equals that of `dio
// set`. DIO is the path of the program, DIORAMA_VIEWER that of the page; DIORAMA_DROP lists more files, separated by colons.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { test } from 'node:test';
import { by, courseArchive, forTests, program, serving } from './viewer_page.mjs';

const { folder, open } = forTests();

/** The dropped files; `file` is the one shown. */
const cases = [
  { name: 'a course', files: ['kmp/race.kmp'] },
  { name: 'collision', files: ['kcl/hills.kcl'] },
  { name: 'a model of the Wii', files: ['brres/hill.brres'] },
  { name: 'a course archive', files: ['course.szs'] },
  { name: 'a model of the DS', files: ['nsbmd/teapot.nsbmd'] },
  { name: 'a land', files: ['land-data/town.bin'] },
  { name: 'a battle map', files: ['fft-mesh/valley.fft-mesh'] },
  { name: 'a scene pack', files: ['splashpack/scene_v24.splashpack'] },
  { name: 'a cartridge', files: ['games/village.nds'] },
  { name: 'a disc', files: ['games/small_tactics.bin'] },
  ...(process.env.DIORAMA_DROP ?? '').split(':').filter(Boolean).map((path) => ({ name: path, files: [relative(folder, path)] })),
];

/** Runs the program in a folder with the dropped files under the names used by the page. */
const same = join(folder, 'dropped');
const dio = (...words) => spawnSync(program, words, { encoding: 'utf8', cwd: same, maxBuffer: 1 << 28 });
/** Paths of numeric values at or below a value, nearest first. */
function numbersOf(file, path) {
  const { status, stdout } = dio('get', file, path, '--json');
  if (status) return [];
  const out = [], walk = (value, at) => {
    if (typeof value === 'number') out.push({ path: at, value });
    else if (Array.isArray(value)) value.forEach((v, i) => walk(v, `${at}[${i}]`));
    else if (value && typeof value === 'object') for (const [name, v] of Object.entries(value)) walk(v, at ? `${at}.${name}` : name);
  };
  walk(JSON.parse(stdout).value, path);
  return out;
}

/** Clicks outwards from the middle of the picture until an element with editable values is selected: {file, leaf, wanted}. */
async function clicked(page) {
  const box = await page.locator(by('canvas')).boundingBox(), at = () => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
  for (let ring = 0; ring < 60; ++ring) {
    const turn = ring * 2.4, far = 0.42 * Math.sqrt(ring / 60);
    await page.mouse.click(box.x + box.width * (0.5 + far * Math.cos(turn)), box.y + box.height * (0.5 + far * Math.sin(turn)));
    await page.waitForTimeout(150);
    const { file, path } = await at();
    if (!path) continue;
    // At the value itself or its parent: vertices of some models are bytes.
    const around = [path, path.replace(/[.[][^.[]*$/, ''), path.replace(/[.[][^.[]*[.[][^.[]*$/, '')].filter(Boolean);
    for (const { path: leaf, value } of around.flatMap((part) => numbersOf(file, part).slice(0, 12))) {
      const wanted = value === 1 ? 2 : value - 1;
      if (dio('set', file, `${leaf}=${wanted}`, '-n').status === 0) return { file, leaf, wanted };
    }
  }
  assert.fail('nothing that was clicked has a number that can be set');
}
/** Clicks, changes a value, undoes and redoes it; returns the equivalent `dio` arguments. */
async function change(v) {
  const { page } = v;
  await v.pictureIsThere();
  const { file, leaf, wanted } = await clicked(page);
  await v.select(file, leaf);
  await page.waitForSelector(`${by('structure')} [data-path="${leaf}"][aria-selected="true"]`);
  await page.locator(by('structure')).focus();
  await page.keyboard.press('F2');
  await page.locator(by('value-field')).fill(String(wanted));
  await page.locator(by('value-field')).press('Enter');
  await v.changesAre(1);
  await page.keyboard.press('Control+z');
  await v.changesAre(0);
  await page.keyboard.press('Control+y');
  await v.changesAre(1);
  await v.pictureIsThere();
  return ['set', file, `${leaf}=${wanted}`];
}
/** The bytes of a dropped file after the same edit by the program. */
function made(words, root) {
  const done = dio(...words, '-i', '-q');
  assert.equal(done.status, 0, done.stderr);
  return readFileSync(join(same, root));
}
function bring(files) {
  courseArchive(folder);
  mkdirSync(same, { recursive: true });
  for (const file of files) copyFileSync(join(folder, file), join(same, basename(file)));
}

for (const { name, files } of cases) {
  const root = basename(files[0]);
  test(`${name}: a value clicked in the picture, changed, undone, redone and saved equals dio set`, async () => {
    bring(files);
    const v = await open(files), words = await change(v), saved = await v.saved();
    assert.equal(saved.name, root);
    assert.ok(saved.bytes.equals(made(words, root)), `${words}: the page saved other bytes than dio set`);
    await v.page.waitForFunction((s) => !document.querySelector(s), by('edited'));
    await v.done();
  });
  test(`${name}: the same change is saved to a served file in place`, async () => {
    bring(files);
    const served = join(folder, 'served');
    mkdirSync(served, { recursive: true });
    copyFileSync(join(folder, files[0]), join(served, root));
    await serving(served, [root], async (address) => {
      const v = await open([], { address }), words = await change(v);
      await v.page.keyboard.press('Control+s');
      await v.page.waitForFunction((s) => !document.querySelector(s), by('edited'));
      assert.ok(readFileSync(join(served, root)).equals(made(words, root)), `${words}: the server wrote other bytes than dio set`);
      await v.done();
    }, '--edit');
  });
}

/** Unpacks a cartridge into a folder, as game modders do. */
function unpackGame(into) {
  mkdirSync(into, { recursive: true });
  const done = spawnSync(program, ['unpack', join(folder, 'games/village.nds'), '-o', join(into, 'village'), '-q', '-f'], { encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
}
/** The file on disk that contains a file of the game: its archive or the file itself. */
function onDisk(file) {
  let at = file;
  while (!existsSync(join(same, at))) at = at.slice(0, at.lastIndexOf('/'));
  return at;
}
test('a game folder: a value clicked in the picture, changed, undone, redone and saved equals dio set', async () => {
  unpackGame(same);
  const v = await open(join(same, 'village')), words = await change(v), saved = await v.saved(), file = onDisk(words[1]);
  assert.equal(saved.name, basename(file));
  assert.ok(saved.bytes.equals(made(words, file)), `${words}: the page saved other bytes than dio set`);
  await v.done();
});
test('a game folder: the same change is saved to a served file in place', async () => {
  const served = join(folder, 'served_game');
  unpackGame(same);
  unpackGame(served);
  await serving(served, ['village'], async (address) => {
    const v = await open([], { address }), words = await change(v), file = onDisk(words[1]);
    await v.page.keyboard.press('Control+s');
    await v.page.waitForFunction((s) => !document.querySelector(s), by('edited'));
    assert.ok(readFileSync(join(served, file)).equals(made(words, file)), `${words}: the server wrote other bytes than dio set`);
    await v.done();
  }, '--edit');
});
