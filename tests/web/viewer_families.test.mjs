// Each family, and what it comes in: dropped, seen, something clicked in the picture, changed, undone, made again, saved. What is saved
// is what `dio set` makes of the same file. DIO is the path of the program, DIORAMA_VIEWER that of the page; DIORAMA_DROP has the paths of
// more files, separated by colons.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { test } from 'node:test';
import { by, courseArchive, forTests, program } from './viewer_page.mjs';

const { folder, open } = forTests();

/** What is dropped; with `file`, what is shown of it. */
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

/** The program, where the dropped files lie under the names that the page gives them. */
const same = join(folder, 'dropped');
const dio = (...words) => spawnSync(program, words, { encoding: 'utf8', cwd: same, maxBuffer: 1 << 28 });
/** Paths of numbers at or below a value, the nearest first. */
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

for (const { name, files } of cases)
  test(`${name}: clicked in the picture, changed, undone, made again and saved as dio set does it`, async () => {
    courseArchive(folder);
    mkdirSync(same, { recursive: true });
    for (const file of files) copyFileSync(join(folder, file), join(same, basename(file)));
    const v = await open(files), { page } = v;
    await v.pictureIsThere();
    const box = await page.locator(by('canvas')).boundingBox(), at = () => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
    let edit = null;
    // From the middle outwards, until something is there whose values can be set.
    for (let ring = 0; ring < 60 && !edit; ++ring) {
      const turn = ring * 2.4, far = 0.42 * Math.sqrt(ring / 60);
      await page.mouse.click(box.x + box.width * (0.5 + far * Math.cos(turn)), box.y + box.height * (0.5 + far * Math.sin(turn)));
      await page.waitForTimeout(150);
      const { file, path } = await at();
      if (!path) continue;
      // At the value itself, or at what it is in: vertices of some models are bytes.
      const around = [path, path.replace(/[.[][^.[]*$/, ''), path.replace(/[.[][^.[]*[.[][^.[]*$/, '')].filter(Boolean);
      for (const { path: leaf, value } of around.flatMap((part) => numbersOf(file, part).slice(0, 12))) {
        const wanted = value === 1 ? 2 : value - 1;
        if (dio('set', file, `${leaf}=${wanted}`, '-n').status === 0) {
          edit = { file, leaf, wanted };
          break;
        }
      }
    }
    assert.ok(edit, 'nothing that was clicked has a number that can be set');
    const { file, leaf, wanted } = edit, root = basename(files[0]);
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
    const saved = await v.saved(), done = dio('set', file, `${leaf}=${wanted}`, '-i', '-q');
    assert.equal(saved.name, root);
    assert.equal(done.status, 0, done.stderr);
    assert.ok(saved.bytes.equals(readFileSync(join(same, root))), `${file} ${leaf}=${wanted}: the page saved other bytes than dio set`);
    await v.done();
  });
