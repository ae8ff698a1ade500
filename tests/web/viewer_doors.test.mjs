// Opening and editing real-life input: course archives, unpacked games, unknown files; edits inside archives, undo, save and close. Saved
// files are compared with those of the program. DIO is the path of the program, DIORAMA_VIEWER that of the page.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asked, by, courseArchive, drop, forTests, program, viewerUrl } from './viewer_page.mjs';

const { folder, browser, open } = forTests();
const sample = (name) => join(folder, name);
const run = (...words) => {
  const done = spawnSync(program, words, { encoding: 'utf8', cwd: folder });
  assert.equal(done.status, 0, done.stderr);
  return done.stdout;
};

test('a course archive opens its course with the model and lists its members', async () => {
  courseArchive(folder);
  const v = await open(['course.szs']), { page } = v;
  await v.titleIs('course.szs/course.kmp');
  await v.pictureIsThere();
  const kinds = await page.evaluate(() => [...new Set(window.__picture.scene3.data.nodes.map((n) => n.extras?.kind))]);
  assert.ok(kinds.includes('model file') && kinds.includes('collision file'), kinds.join());
  const names = await page.locator(`${by('files')} .file-name`).allTextContents();
  assert.deepEqual(names, ['course.szs', 'course_model.brres', 'course.kcl', 'course.kmp', 'itembox.brres', 'notes.txt']);
  // The findings equal those of the program for the course in its archive.
  await page.waitForFunction((s) => document.querySelector(s)?.textContent.match(/\d/), by('sheet-findings'));
  const shown = Number((await page.textContent(by('sheet-findings'))).match(/\d+/)[0]), { findings } = JSON.parse(spawnSync(program, ['check', sample('course.szs/course.kmp'), '--json', '--fail-on', 'never']).stdout);
  assert.equal(shown, findings.length);
  await v.done();
});

test('saving an archive packs all member edits, which share one history', async () => {
  courseArchive(folder);
  const v = await open(['course.szs']), { page } = v, edits = [['course.kmp', 'STGI.entries[0].laps=5'], ['course.kcl', 'thickness=200']];
  await v.titleIs('course.szs/course.kmp');
  for (const [i, [member, edit]] of edits.entries()) {
    const [path, value] = edit.split('=');
    await v.select(`course.szs/${member}`, path);
    await page.waitForSelector(`${by('structure')} [data-path="${path}"][aria-selected="true"]`);
    await page.locator(by('structure')).focus();
    await page.keyboard.press('F2');
    await page.locator(by('value-field')).fill(value);
    await page.locator(by('value-field')).press('Enter');
    await v.changesAre(i + 1);
  }
  assert.equal(await asked(page, 'save'), 0);
  assert.equal(await page.locator(by('edited-mark')).count(), 3, 'the archive and both members are marked');
  const saved = await v.saved();
  assert.equal(saved.name, 'course.szs');
  for (const [member, edit] of edits) run('set', `course.szs/${member}`, edit, '-i', '-q');
  writeFileSync(sample('saved.szs'), saved.bytes);
  assert.deepEqual(saved.bytes, readFileSync(sample('course.szs')));
  assert.equal(spawnSync(program, ['verify', '-q', sample('saved.szs')]).status, 0);
  // Undo while a file other than the last edited one is selected.
  await v.select('course.szs/notes.txt', '');
  await v.titleIs('course.szs/notes.txt');
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await v.changesAre(0);
  courseArchive(folder);
  assert.deepEqual((await v.saved()).bytes, readFileSync(sample('course.szs')));
  await v.done();
});

test('editing an archive keeps earlier edits of its members', async () => {
  courseArchive(folder);
  const v = await open(['course.szs']), { page } = v;
  await v.titleIs('course.szs/course.kmp');
  for (const [i, [file, path, value]] of [['course.szs/course.kmp', 'STGI.entries[0].laps', '5'], ['course.szs', 'alignment', '32'], ['course.szs/course.kmp', 'STGI.entries[0].laps', '6']].entries()) {
    await v.select(file, path);
    await page.waitForSelector(`${by('structure')} [data-path="${path}"][aria-selected="true"]`);
    await page.locator(by('structure')).focus();
    await page.keyboard.press('F2');
    await page.locator(by('value-field')).fill(value);
    await page.locator(by('value-field')).press('Enter');
    // Editing the archive itself ends the history of its members, and the page reports that.
    await v.changesAre([1, 2, 1][i]);
    if (i === 1) {
      run('set', 'course.szs/course.kmp', 'STGI.entries[0].laps=5', '-i', '-q'), run('set', 'course.szs', 'alignment=32', '-i', '-q');
      assert.deepEqual((await v.saved()).bytes, readFileSync(sample('course.szs')));
    }
  }
  run('set', 'course.szs/course.kmp', 'STGI.entries[0].laps=6', '-i', '-q');
  assert.deepEqual((await v.saved()).bytes, readFileSync(sample('course.szs')));
  await v.done();
});

test('closing an edited file asks first', async () => {
  const v = await open(['kmp/race.kmp']), { page } = v;
  await v.titleIs('race.kmp');
  await v.select('race.kmp', 'GOBJ.entries[1]');
  await page.waitForSelector(`${by('structure')} [data-path="GOBJ.entries[1]"][aria-selected="true"]`);
  await page.locator(by('structure')).focus();
  await page.keyboard.press('Delete');
  await v.changesAre(1);
  await page.locator(by('files')).focus();
  await page.keyboard.press('Delete');
  await page.waitForSelector(by('closing'));
  await page.keyboard.press('Escape');
  assert.equal(await page.locator(`${by('files')} .row`).count(), 1);
  await page.locator(by('files')).focus();
  await page.keyboard.press('Delete');
  await page.locator(by('close-unsaved')).click();
  await page.waitForFunction((s) => !document.querySelector(`${s} .row`), by('files'));
  await v.done();
});

test('a folder with an unpacked cartridge opens as a game', async () => {
  run('unpack', 'games/village.nds', '-o', 'village', '-f', '-q');
  const v = await open(sample('village')), { page } = v;
  await page.waitForFunction((s) => document.querySelector(s)?.textContent.includes('Worlds'), by('files'));
  await v.pictureIsThere();
  assert.ok(await page.evaluate(() => window.__picture.scene3.triangles > 100));
  await v.done();
});

test('an unknown file is listed without an error', async () => {
  writeFileSync(sample('strange.bin'), 'nothing that any format begins with');
  const v = await open(['strange.bin', 'kmp/race.kmp']), { page } = v;
  await v.titleIs('race.kmp');
  assert.equal(await page.locator(`${by('files')} .problem-row, ${by('files')} .icon-error`).count(), 0);
  await v.select('strange.bin', '');
  await page.waitForSelector(by('file-error'));
  assert.equal(await page.locator('.notice.error').count(), 0);
  await v.done();
});

test('checkpoint handles appear at the checkpoint and move its ends', async () => {
  const v = await open(['kmp/race.kmp']), { page } = v;
  await v.titleIs('race.kmp');
  await v.pictureIsThere();
  const ends = JSON.parse(run('decode', 'kmp/race.kmp', '--lean', '-o', '-')).document.CKPT.entries[5];
  await v.select('race.kmp', 'CKPT.entries[5]');
  await page.waitForSelector(by('handles'));
  const middle = await page.evaluate(() => window.__picture.gizmo.root.children[0].children[0].position.toArray());
  assert.ok(Math.hypot(middle[0] - (ends.left.x + ends.right.x) / 2, middle[2] - (ends.left.z + ends.right.z) / 2) < Math.hypot(ends.left.x - ends.right.x, ends.left.z - ends.right.z), middle.join());
  // One end, selected by its value and moved in the picture; the other end stays.
  await v.select('race.kmp', 'CKPT.entries[5].left.x');
  await page.waitForFunction(() => window.__picture.gizmo.endPath === 'CKPT.entries[5].left');
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Control+ArrowRight');
  await v.changesAre(1);
  writeFileSync(sample('moved.kmp'), (await v.saved()).bytes);
  const after = JSON.parse(run('decode', 'moved.kmp', '--lean', '-o', '-')).document.CKPT.entries[5];
  assert.deepEqual(after.right, ends.right);
  assert.equal(after.left.z, ends.left.z);
  assert.ok(after.left.x > ends.left.x && after.left.x - ends.left.x < 2000, `${ends.left.x} ${after.left.x}`);
  await v.done();
});

test('a click selects an object, a second click its part; Escape unfocuses a layer', async () => {
  const v = await open(['games/small_game.nds']), { page } = v;
  await v.pictureIsThere();
  const spotsOfProps = () => page.evaluate(() => {
    const v = window.__picture, r = v.canvas.getBoundingClientRect(), { nodes } = v.scene3.data, found = [];
    for (let y = 60; y < r.height - 60; y += 3)
      for (let x = 20; x < r.width - 20; x += 3) {
        const hit = v.pickAt(r.left + x, r.top + y);
        for (let i = hit?.piece.node ?? -1; i >= 0; i = nodes[i].parent) if (/^props\[/.test(nodes[i].extras?.path ?? '')) found.push({ x: r.left + x, y: r.top + y, path: nodes[i].extras.path });
      }
    return found;
  });
  const selected = () => decodeURIComponent(/path=([^&]*)/.exec(page.url())?.[1] ?? '');
  const [first] = await spotsOfProps();
  await page.mouse.click(first.x, first.y);
  await page.waitForSelector(by('handles'));
  assert.equal(selected(), first.path);
  await page.locator(by('canvas')).press('f');
  await page.waitForFunction('window.__picture.isFinished');
  // A spot not covered by the handles.
  for (const { x, y } of (await spotsOfProps()).filter(({ path }, i) => path === first.path && i % 50 === 0)) {
    await page.mouse.click(x, y);
    await page.waitForTimeout(100);
    if (selected() !== first.path) break;
  }
  assert.notEqual(selected(), first.path);
  await v.done();

  const course = await open(['kmp/race.kmp']), { page: p } = course;
  await course.pictureIsThere();
  await course.select('race.kmp', 'GOBJ.entries[0]');
  const full = () => p.evaluate(() => [...window.__picture.scene3.shownLayers].filter((x) => x === 2).length);
  await p.waitForSelector(by('handles'));
  const before = await full();
  if (!(await p.locator(by('layer-Objects')).count())) await p.click(by('layers'));
  await p.locator('.legend li button', { hasText: 'Objects' }).click();
  assert.equal(await full(), 1);
  await p.locator(by('canvas')).focus();
  await p.keyboard.press('Escape');
  assert.equal(await full(), before);
  await course.done();
});

test('the picture fills the window; bytes open on request or without a picture', async () => {
  const v = await open(['kmp/race.kmp'], { fresh: true }), { page } = v;
  await v.pictureIsThere();
  const height = () => page.locator(by('canvas')).evaluate((e) => e.clientHeight / innerHeight);
  assert.equal(await page.locator(by('bytes')).count(), 0);
  assert.ok(await height() > 0.85, String(await height()));
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Shift+F');
  assert.ok(await page.locator(by('canvas')).evaluate((e) => e.clientWidth === innerWidth));
  await page.keyboard.press('Shift+F');
  await page.keyboard.press('Alt+4');
  await page.waitForSelector(`${by('bytes')} .hex-row`);
  await page.locator(by('close-bytes')).click();
  await page.waitForFunction((s) => !document.querySelector(s), by('bytes'));
  await page.reload();
  await page.waitForFunction('window.__ready');
  await page.evaluate(() => localStorage.removeItem('diorama.bytes'));
  await v.done();
  const narc = await open(['narc/shelf.narc'], { fresh: true });
  await narc.page.waitForSelector(`${by('bytes')} .hex-row`);
  await narc.done();
});

test('the byte pane starts at offset 0 for each file', async () => {
  const v = await open(['kmp/race.kmp', 'kcl/hills.kcl']), { page } = v;
  await v.pictureIsThere();
  await v.select('race.kmp', '');
  await v.titleIs('race.kmp');
  await page.waitForSelector(`${by('bytes')} .hex-row[data-offset="0"]`);
  await page.locator(by('bytes')).evaluate((e) => { e.scrollTop = 3000; });
  await page.waitForSelector(`${by('bytes')} .hex-row[data-offset="0"]`, { state: 'detached' });
  await v.select('hills.kcl', '');
  await v.titleIs('hills.kcl');
  await page.waitForSelector(`${by('bytes')} .hex-row[data-offset="0"]`);
  assert.equal(await page.locator(by('bytes')).evaluate((e) => e.scrollTop), 0);
  await v.done();
});
