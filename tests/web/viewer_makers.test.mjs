// Workflows of authors of courses, DS maps and battle maps; each test covers an obstacle found in practice. DIO is the path of the program,
// DIORAMA_VIEWER that of the page.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { launched } from './page.mjs';
import { by, courseArchive, drop, forTests, program, viewerUrl } from './viewer_page.mjs';

const { folder, open } = forTests();

/** The file as edited by the program. */
function edited(file, ...words) {
  copyFileSync(join(folder, file), join(folder, basename(file)));
  const done = spawnSync(program, words, { cwd: folder, encoding: 'utf8' });
  assert.equal(done.status, 0, done.stderr);
  return readFileSync(join(folder, basename(file)));
}
const hash = (page) => page.evaluate(() => Object.fromEntries(new URLSearchParams(location.hash.slice(1))));
const addressIs = (page, name, value) => page.waitForFunction(([n, v]) => (new URLSearchParams(location.hash.slice(1)).get(n) ?? undefined) === v, [name, value]);
const boxIsThere = (page) => page.waitForFunction('window.__picture.markedBoxes.length');
/** The page pixel of the centre of a node. */
const pixelOfNode = (page, path) => page.evaluate((wanted) => {
  const view = window.__picture, { nodes } = view.scene3.data, node = nodes.findIndex((n) => n.extras?.path === wanted);
  const [x0, y0, z0, x1, y1, z1] = view.picker.boxOf(new Set([node])), r = view.canvas.getBoundingClientRect();
  const at = view.project(new (view.rig.camera.position.constructor)((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2));
  return { x: r.left + at.x, y: r.top + at.y };
}, path);
/** Waits until the handles are at the selection. */
const isHeld = (page, path) => page.waitForFunction((p) => window.__picture.scene3.data.nodes[window.__picture.gizmo.node]?.extras.path === p, path);
async function type(page, text) {
  await page.keyboard.press('Control+k');
  await page.waitForSelector(by('palette'));
  await page.keyboard.type(text);
}

test('course: selection keys work in the picture, and clicks still work after deletions', async () => {
  courseArchive(folder);
  const v = await open(['course.szs']), { page } = v, file = 'course.szs/course.kmp';
  await v.pictureIsThere();
  const last = await page.evaluate(() => window.__picture.scene3.data.nodes.filter((n) => /^GOBJ\.entries\[\d+\]$/.test(n.extras?.path ?? '')).length - 1);
  await v.select(file, `GOBJ.entries[${last}]`);
  await isHeld(page, `GOBJ.entries[${last}]`);
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('f');
  await v.pictureIsThere();
  const at = await pixelOfNode(page, `GOBJ.entries[${last}]`);
  await page.mouse.click(at.x, at.y);
  await page.keyboard.press('Control+d');
  await v.changesAre(1);
  for (let i = 2; i < 5; ++i) {
    const path = `GOBJ.entries[${last - i + 3}]`;
    await v.select(file, path);
    await isHeld(page, path);
    await page.keyboard.press('Delete');
    await v.changesAre(i);
    await v.pictureIsThere();
    await page.mouse.move(at.x + i, at.y);
    await page.mouse.click(at.x, at.y + i);
    await page.waitForTimeout(500);  // for an error that comes late
  }
  await v.done();
});

test('course: the selection keeps its box when moved by keys', async () => {
  courseArchive(folder);
  const v = await open(['course.szs']), { page } = v, file = 'course.szs/course.kmp', path = 'GOBJ.entries[0]';
  await v.pictureIsThere();
  const scene = () => page.evaluate(() => window.__picture.scene3.data.nodes.find((n) => n.extras?.path === 'GOBJ.entries[0]').translation[0]), before = await scene();
  await v.select(file, path);
  await isHeld(page, path);
  await boxIsThere(page);
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Control+ArrowRight');
  await v.changesAre(1);
  await v.pictureIsThere();
  await isHeld(page, path);
  await boxIsThere(page);
  assert.ok((await scene()) > before);
  await v.done();
});

test('course: objects drop to the ground, and checkpoint ends move by their middle handle', async () => {
  courseArchive(folder);
  const v = await open(['course.szs']), { page } = v, file = 'course.szs/course.kmp';
  await v.pictureIsThere();
  // The first object above the collision or the model.
  const height = (path) => page.evaluate((p) => {
    const { data, world } = window.__picture.scene3, node = data.nodes.findIndex((n) => n.extras?.path === p);
    return world[16 * node + 13];
  }, path);
  let made = 0, isDropped = false;
  for (const i of [0, 1, 2, 3]) {
    const path = `GOBJ.entries[${i}]`;
    await v.select(file, path);
    await isHeld(page, path);
    await page.locator(by('canvas')).focus();
    await page.keyboard.press('Shift+PageUp');
    await v.changesAre(++made);
    await v.pictureIsThere();
    await isHeld(page, path);
    const above = await height(path);
    await page.locator(by('canvas')).focus();
    await page.keyboard.press('End');
    await page.waitForTimeout(500);
    if (await page.evaluate((s) => document.querySelector(s)?.textContent, by('sheet-changes')) !== `Changes${made}`) {
      await v.changesAre(++made);
      await v.pictureIsThere();
      isDropped = (await height(path)) < above;
      break;
    }
  }
  assert.ok(isDropped);
  await v.select(file, 'CKPT.entries[1].left');
  await page.evaluate(() => window.__picture.fitAll(false, { mode: 'top' }));
  await v.pictureIsThere();
  await page.waitForFunction(() => window.__picture.gizmo.endPath === 'CKPT.entries[1].left');
  const at = await page.evaluate(() => {
    const view = window.__picture, r = view.canvas.getBoundingClientRect(), place = view.project(new (view.rig.camera.position.constructor)(...view.gizmo.pose.translation));
    return { x: r.left + place.x, y: r.top + place.y };
  });
  await page.mouse.move(at.x - 3, at.y);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + 20, at.y + 12, { steps: 4 });
  await page.mouse.up();
  await v.changesAre(++made);
  const lines = await page.evaluate(() => [...document.querySelectorAll('.change')].map((e) => e.textContent));
  await page.locator(by('sheet-changes')).click();
  await page.locator('.changes details, details').last().evaluate((e) => { e.open = true; });
  const told = await page.evaluate(() => [...document.querySelectorAll('.change')].map((e) => e.textContent).join('\n'));
  assert.match(told, /CKPT\.entries\[1\]\.left\.x/, String(lines));
  assert.match(told, /CKPT\.entries\[1\]\.left\.z/);
  await v.done();
});

test('course: a click on the model stays in the course, Alt+click selects in the model', async () => {
  courseArchive(folder);
  const v = await open(['course.szs']), { page } = v;
  await v.pictureIsThere();
  const at = await page.evaluate(() => {
    const view = window.__picture, { nodes } = view.scene3.data, r = view.canvas.getBoundingClientRect(), ofModel = (i) => i >= 0 && (nodes[i].extras?.kind === 'model file' || ofModel(nodes[i].parent));
    for (let y = 40; y < r.height - 40; y += 12)
      for (let x = 40; x < r.width - 40; x += 12) {
        const hit = view.pickAt(r.left + x, r.top + y);
        if (hit && ofModel(hit.piece.node)) return { x: r.left + x, y: r.top + y };
      }
    return null;
  });
  assert.ok(at, 'the model is not seen');
  await page.mouse.click(at.x, at.y);
  await page.waitForTimeout(500);
  assert.equal((await hash(page)).file, 'course.szs/course.kmp');
  await page.keyboard.down('Alt');
  await page.mouse.click(at.x, at.y);
  await page.keyboard.up('Alt');
  await page.waitForFunction(() => location.hash.includes('course_model.brres'));
  await v.done();
});

test('course: selecting an element shows its hidden layer; F and L work outside the picture', async () => {
  const v = await open(['together/race.kmp']), { page } = v;
  await v.pictureIsThere();
  const routes = () => page.evaluate(() => window.__picture.scene3.shownLayers[window.__picture.scene3.layering.layers.findIndex((l) => l.title === 'Routes')]);
  assert.equal(await routes(), 0);
  await v.select('race.kmp', 'POTI.entries[0]');
  await page.waitForFunction(() => window.__picture.scene3.shownLayers[window.__picture.scene3.layering.layers.findIndex((l) => l.title === 'Routes')] === 2);
  const camera = () => page.evaluate(() => window.__picture.rig.toString()), before = await camera();
  await page.locator(by('structure')).focus();
  await page.keyboard.press('f');
  await page.waitForFunction((b) => window.__picture.rig.toString() !== b, before);
  await page.keyboard.press('l');
  await page.waitForSelector(by('layer-Routes'));
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+F');
  await page.waitForSelector('.grid.alone');
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !document.querySelector('.grid.alone'));
  await v.done();
});

test('course: a section accepts new elements, and search results can be edited at once', async () => {
  const v = await open(['together/race.kmp']), { page } = v;
  await v.pictureIsThere();
  await v.select('race.kmp', 'JGPT');
  await page.waitForSelector(`${by('structure')} [data-path="JGPT"][aria-selected="true"]`);
  await page.locator(by('edit-add')).click();
  await v.changesAre(1);
  await page.locator(by('find-value')).fill('GOBJ.entries[0].presence');
  const row = page.locator(`${by('found')} [role="option"]`).first();
  await row.dblclick();
  await page.locator(by('value-field')).fill('7');
  await page.locator(by('value-field')).press('Enter');
  await v.changesAre(2);
  const own = 'JGPT.entries[3]', place = await page.evaluate((p) => window.__picture.scene3.data.nodes.find((n) => n.extras?.path === p).translation.join(), own);
  assert.deepEqual((await v.saved()).bytes, edited('together/race.kmp', 'edit', 'race.kmp', 'add', 'JGPT', 'place', own, `translation=${place}`, 'set', 'GOBJ.entries[0].presence=7', '-i', '-q'));
  await page.waitForFunction((s) => !document.querySelector(s), by('edited'));
  await v.done();
});

test('DS maps: the palette lists a map before commands and selects its header', async () => {
  const v = await open(['games/village.nds']), { page } = v;
  await v.pictureIsThere();
  let downloads = 0;
  page.on('download', () => ++downloads);
  await type(page, 'village');
  await page.waitForFunction((s) => document.querySelector(s)?.textContent.startsWith('VILLAGE'), `${by('palette')} li`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /part=header/.test(decodeURIComponent(location.hash)));
  assert.match((await hash(page)).path, /\[\d+\]$/);
  assert.equal(downloads, 0);
  // A part without its own picture is shown as its file.
  await type(page, 'prop/0');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !location.hash.includes('part='));
  await v.pictureIsThere();
  await v.done();
});

test('DS maps: events move by tiles, references open other maps, overlays stay selected', async () => {
  const v = await open(['games/village.nds']), { page } = v;
  await v.pictureIsThere();
  await type(page, 'village');
  await page.waitForFunction((s) => document.querySelector(s)?.textContent.startsWith('VILLAGE'), `${by('palette')} li`);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => /part=header/.test(decodeURIComponent(location.hash)));
  await v.pictureIsThere();
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('l');
  await page.locator(by('overlay-warps')).check();
  const warps = () => page.evaluate(() => window.__picture?.scene3?.data.nodes.filter((n) => n.extras?.path?.startsWith('warp_events[')).map(({ extras }) => extras) ?? []);
  await page.waitForFunction(() => window.__picture?.scene3?.data.nodes.some((n) => n.extras?.path?.startsWith('warp_events[')));
  await v.pictureIsThere();
  const [{ file: member, path }] = await warps(), file = `village.nds/${member}`, { part } = await hash(page);
  await v.select(file, path, part);
  await isHeld(page, path);
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Control+ArrowRight');
  await v.changesAre(1);
  await v.pictureIsThere();
  copyFileSync(join(folder, 'games/village.nds'), join(folder, 'village.nds'));
  const at = Number(spawnSync(program, ['get', file, `${path}.x`], { cwd: folder, encoding: 'utf8' }).stdout.trim().split(/\s+/).at(-1));
  assert.deepEqual((await v.saved()).bytes, edited('games/village.nds', 'set', file, `${path}.x=${at + 1}`, '-i', '-q'));
  // Follow the warp to its destination.
  await v.select(file, path, part);
  await page.locator(`${by('refs')} button`, { hasText: 'header/' }).first().click();
  await page.waitForFunction((before) => new URLSearchParams(location.hash.slice(1)).get('part') !== before, part);
  await v.pictureIsThere();
  assert.ok(await page.locator(`${by('layer-Warps')}, ${by('overlay-warps')}`).first().isChecked());
  await v.done();
});

test('battle maps: walls follow raised tiles on request, and no-op edits make no change', async () => {
  const file = 'fft-mesh/valley.fft-mesh', v = await open([file]), { page } = v;
  await v.pictureIsThere();
  await page.evaluate(() => window.__picture.fitAll(false, { mode: 'top' }));
  await v.pictureIsThere();
  const [x, y] = await page.evaluate(() => {
    const view = window.__picture, g = view.scene3.data.extras.tile_grid, r = view.canvas.getBoundingClientRect();
    const at = view.project(new (view.rig.camera.position.constructor)(g.corner[0] + (2 - g.first[0] + 0.5) * g.tile, 0, g.corner[1] + (g.first[1] - 2 + 0.5) * g.tile));
    return [r.left + at.x, r.top + at.y];
  });
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('p');
  const what = page.locator(by('brush-what'));
  await what.waitFor();
  assert.ok(!(await what.locator('option').allTextContents()).includes('Walls'));
  await what.selectOption({ label: 'Raise tiles' });
  await page.locator(by('brush-value')).fill('2');
  await page.locator(by('brush-walls')).check();
  await page.mouse.click(x, y);
  await v.changesAre(1);
  assert.deepEqual((await v.saved()).bytes, edited(file, 'edit', 'valley.fft-mesh', 'raise-tiles', 'x=2', 'z=2', 'by=2', 'floor=follow', 'walls=follow', '-i', '-q'));
  await what.selectOption({ label: 'Height' });
  const told = JSON.parse(spawnSync(program, ['explain', 'valley.fft-mesh#tile@2,2', '--json'], { cwd: folder, encoding: 'utf8' }).stdout).answer;
  await page.locator(by('brush-value')).fill(String(told.height));
  await page.mouse.click(x, y);
  await page.waitForFunction(() => [...document.querySelectorAll('[role="status"]')].some((e) => e.textContent.includes('Nothing changed')));
  await v.changesAre(1);
  await v.done();
});

test('battle maps: a click marks the whole polygon, and edits update hidden polygons', async () => {
  const file = 'valley.fft-mesh', v = await open(['fft-mesh/valley.fft-mesh']), { page } = v;
  await v.pictureIsThere();
  const quad = await page.evaluate(() => {
    const view = window.__picture, r = view.canvas.getBoundingClientRect();
    for (let y = 60; y < r.height - 60; y += 8)
      for (let x = 60; x < r.width - 60; x += 8) {
        const hit = view.pickAt(r.left + x, r.top + y);
        if (hit?.piece.primitive.shape === 'triangles' && hit.source !== undefined) return { x: r.left + x, y: r.top + y };
      }
    return null;
  });
  await page.mouse.click(quad.x, quad.y);
  await page.waitForFunction(() => /quads/.test(decodeURIComponent(location.hash)));
  await page.waitForFunction(() => window.__picture.markedElements === 2);
  const path = /^.*?quads\[\d+\]/.exec((await hash(page)).path)[0];
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('l');
  const before = Number(await page.locator(by('hidden-count')).textContent().catch(() => '0'));
  await v.select(file, `${path}.render.hidden_from`);
  await page.waitForSelector(`${by('structure')} [data-path="${path}.render.hidden_from"][aria-selected="true"]`);
  await page.locator(by('structure')).focus();
  await page.keyboard.press('F2');
  await page.locator(by('value-field')).fill('4095');
  await page.locator(by('value-field')).press('Enter');
  await v.changesAre(1);
  await page.waitForFunction(([s, n]) => Number(document.querySelector(s)?.textContent) === n, [by('hidden-count'), before + 1]);
  await v.done();
});

test('search results follow edits and close with the file', async () => {
  const v = await open(['kmp/race.kmp', 'kmp/arena.kmp']), { page } = v, path = 'GOBJ.entries[0].presence';
  await v.pictureIsThere();
  await v.select('race.kmp', path);
  await page.locator(by('find-value')).fill(path);
  const value = (text) => page.waitForFunction(([s, t]) => document.querySelector(`${s} [role="option"] .value`)?.textContent.startsWith(t), [by('found'), text]);
  await value('63');
  await page.locator(`${by('found')} [role="option"]`).first().dblclick();
  await page.locator(by('value-field')).fill('7');
  await page.locator(by('value-field')).press('Enter');
  await v.changesAre(1);
  await page.locator(by('find-value')).fill(path);
  await value('7');
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Control+z');
  await value('63');
  await v.select('arena.kmp', '');
  await page.waitForFunction((s) => document.querySelector(s)?.value === '', by('find-value'));
  await v.done();
});

test('a file dropped before the page is ready opens', async () => {
  const browser = await launched(), page = await browser.newPage();
  try {
    await page.goto(viewerUrl, { waitUntil: 'domcontentloaded' });
    await drop(page, [join(folder, 'kmp/race.kmp')]);
    await page.waitForFunction((s) => document.querySelector(s)?.textContent.startsWith('race.kmp'), by('title'));
  } finally {
    await browser.close();
  }
});

test('course: objects selected by a rectangle are moved, duplicated and deleted together', async () => {
  const v = await open(['kmp/race.kmp']), { page } = v, before = readFileSync(join(folder, 'kmp/race.kmp'));
  await v.pictureIsThere();
  const paths = ['GOBJ.entries[0]', 'GOBJ.entries[1]'], canvas = page.locator(by('canvas')), r = await canvas.boundingBox();
  const held = (n) => page.waitForFunction((count) => window.__picture.gizmo.held.length === count && window.__picture.markedBoxes.length === count, n);
  const heldPaths = () => page.evaluate(() => window.__picture.gizmo.held.map((i) => window.__picture.scene3.data.nodes[i].extras.path).sort());
  const translations = () => page.evaluate((all) => all.map((p) => window.__picture.scene3.data.nodes.find((n) => n.extras?.path === p).translation), paths);
  await page.evaluate(() => window.__picture.fitAll(false, { mode: 'top' }));
  await v.pictureIsThere();
  // A rectangle around the whole picture selects all visible movable elements.
  await page.keyboard.down('Control');
  await page.mouse.move(r.x + 5, r.y + 60);
  await page.mouse.down();
  await page.mouse.move(r.x + r.width - 5, r.y + r.height - 5, { steps: 4 });
  await page.mouse.up();
  await page.keyboard.up('Control');
  await page.waitForFunction(() => window.__picture.gizmo.held.length > 10);
  assert.match(await page.textContent(by('edit-what')), /^\d+ elements$/);
  // Ctrl+click adds and removes an element.
  await v.select('race.kmp', paths[0]);
  await held(1);
  await canvas.focus();
  await page.keyboard.press('f');
  await v.pictureIsThere();
  const at = await pixelOfNode(page, paths[0]);
  await v.select('race.kmp', paths[1]);
  await page.waitForFunction((path) => window.__picture.scene3.data.nodes[window.__picture.gizmo.node]?.extras.path === path, paths[1]);
  await canvas.click({ position: { x: at.x - r.x, y: at.y - r.y }, modifiers: ['Control'] });
  await held(2);
  await page.click(`[data-path="${paths[1]}"] .name`, { modifiers: ['Control'] });
  await held(1);
  await page.click(`[data-path="${paths[1]}"] .name`, { modifiers: ['Control'] });
  await held(2);
  assert.deepEqual(await heldPaths(), paths);
  const old = await translations();
  await canvas.focus();
  await page.keyboard.press('Control+ArrowRight');
  await v.changesAre(1);
  await v.pictureIsThere();
  await held(2);
  const now = await translations(), by_ = now[0][0] - old[0][0];
  assert.ok(by_ > 0);
  for (const i of [0, 1]) assert.ok(Math.abs(now[i][0] - old[i][0] - by_) < 0.1 && now[i][1] === old[i][1] && now[i][2] === old[i][2], `${old[i]} -> ${now[i]}`);
  const set = edited('kmp/race.kmp', 'set', 'race.kmp', ...paths.map((p, i) => `${p}.position.x=${now[i][0]}`), '-i');
  assert.deepEqual((await v.saved()).bytes, set);
  // Copies of both are selected and deleted together.
  await canvas.focus();
  await page.keyboard.press('Control+d');
  await v.changesAre(2);
  await v.pictureIsThere();
  await held(2);
  assert.deepEqual(await heldPaths(), ['GOBJ.entries[1]', 'GOBJ.entries[3]']);
  await page.keyboard.press('Delete');
  await v.changesAre(3);
  await v.pictureIsThere();
  assert.deepEqual((await v.saved()).bytes, set);
  for (const n of [2, 1, 0]) {
    await page.keyboard.press('Control+z');
    await v.changesAre(n);
  }
  assert.deepEqual((await v.saved()).bytes, before);
  await v.done();
});

test('course: a simulated race without findings shows a message', async () => {
  const v = await open(['kmp/race.kmp']), { page } = v;
  await v.pictureIsThere();
  await page.click(by('sheet-findings'));
  await page.click(by('simulate'));
  assert.match(await page.textContent(by('played')), /nothing else was found/);
  await v.done();
});

test('named values are suggested, colours have a picker, and commands find values and layers', async () => {
  const v = await open(['kmp/race.kmp', 'fft-mesh/valley.fft-mesh']), { page } = v;
  await v.pictureIsThere();
  await v.select('race.kmp', 'GOBJ.entries[0].id');
  await page.waitForSelector('.row.selected[data-path="GOBJ.entries[0].id"]');
  await page.locator(by('structure')).focus();
  await page.keyboard.press('F2');
  await page.waitForSelector(by('value-words'), { state: 'attached' });
  const words = await page.$$eval(`${by('value-words')} option`, (all) => all.map((o) => o.value));
  assert.ok(words.includes('woodbox') && words.includes('itembox'));
  await page.fill(by('value-field'), 'woodbox');
  await page.keyboard.press('Enter');
  await v.changesAre(1);
  assert.deepEqual((await v.saved()).bytes, edited('kmp/race.kmp', 'set', 'race.kmp', 'GOBJ.entries[0].id=woodbox', '-i'));
  // Find a layer and a value by name.
  const isShown = () => page.evaluate(() => { const s = window.__picture.scene3; return s.shownLayers[s.layering.layers.findIndex((l) => l.title === 'Areas')] > 0; });
  const before = await isShown();
  await type(page, 'layer areas');
  await page.keyboard.press('Enter');
  await page.waitForFunction((was) => { const s = window.__picture.scene3; return s.shownLayers[s.layering.layers.findIndex((l) => l.title === 'Areas')] > 0 !== was; }, before);
  await type(page, 'GOBJ.entries[2].position.x');
  await page.keyboard.press('Enter');  // also before the values are found
  await addressIs(page, 'path', 'GOBJ.entries[2].position.x');
  // The ambient light of a battle map and its three lights.
  await v.select('valley.fft-mesh', 'lights');
  await page.waitForFunction((s) => document.querySelectorAll(`${s} input`).length === 3, by('colors'));
  await v.select('valley.fft-mesh', 'lights.ambient');
  await page.waitForFunction((s) => document.querySelectorAll(`${s} input`).length === 1, by('colors'));
  assert.equal(await page.inputValue(`${by('colors')} input`), '#343640');
  await page.fill(`${by('colors')} input`, '#0a1420');
  await v.changesAre(1);
  assert.deepEqual((await v.saved()).bytes, edited('fft-mesh/valley.fft-mesh', 'set', 'valley.fft-mesh', 'lights.ambient.red=10', 'lights.ambient.green=20', 'lights.ambient.blue=32', '-i'));
  await v.done();
});

test('DS maps: the brush offers all behaviours, and its legend selects one', async () => {
  const v = await open(['land-data/meadow.bin']), { page } = v;
  await v.pictureIsThere();
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('p');
  await page.waitForSelector(by('brush-legend'));
  await page.waitForFunction(() => document.querySelectorAll('#brush-values option').length > 50);
  const values = await page.$$eval('#brush-values option', (all) => all.map((o) => o.value));
  assert.ok(values.includes('waterfall') && !values.includes('collision'));
  await page.click(`${by('brush-legend')} button:has-text("tall grass")`);
  assert.equal(await page.inputValue(by('brush-value')), 'tall grass');
  await v.done();
});

test('course: new elements appear at the centre of the view', async () => {
  const v = await open(['kmp/race.kmp']), { page } = v;
  await v.pictureIsThere();
  await page.evaluate(() => window.__picture.fitAll(false, { mode: 'top' }));
  await v.pictureIsThere();
  const middle = await page.evaluate(() => window.__picture.middle());
  for (const [i, [path, own]] of [['JGPT', 'JGPT.entries[3]'], ['GOBJ.entries[2]', 'GOBJ.entries[3]']].entries()) {
    await v.select('race.kmp', path);
    await page.waitForFunction(([s, p]) => document.querySelector(s)?.textContent === p, [by('edit-what'), path]);
    await page.click(by('edit-add'));
    await v.changesAre(i + 1);
    await v.pictureIsThere();
    await isHeld(page, own);
    const at = await page.evaluate((p) => window.__picture.scene3.data.nodes.find((n) => n.extras?.path === p).translation, own);
    assert.ok([0, 2].every((k) => Math.abs(at[k] - middle[k]) < 1), `${at} is not ${middle}`);
  }
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+z');
  await v.changesAre(0);
  assert.deepEqual((await v.saved()).bytes, readFileSync(join(folder, 'kmp/race.kmp')));
  await v.pictureIsThere();
  // A list without positions accepts elements as before.
  await v.select('race.kmp', 'STGI.entries[0]');
  await page.waitForFunction((s) => document.querySelector(s)?.textContent === 'STGI.entries[0]', by('edit-what'));
  await page.click(by('edit-add'));
  await v.changesAre(1);
  await v.done();
});

test('course: Escape clears the selection, view keys add up, rings work from above', async () => {
  const v = await open(['kmp/race.kmp']), { page } = v, path = 'JGPT.entries[0]';
  await v.pictureIsThere();
  const yaw = () => page.evaluate(() => window.__picture.rig.place.yaw), from = await yaw();
  await page.locator(by('canvas')).focus();
  for (let i = 0; i < 4; ++i) await page.keyboard.press('6');
  await page.waitForFunction((wanted) => Math.abs(window.__picture.rig.place.yaw - wanted) < 1e-3, from + (4 * Math.PI) / 12);
  await v.select('race.kmp', path);
  await isHeld(page, path);
  await page.keyboard.press('f');
  await page.evaluate(() => window.__picture.rig.go({ mode: 'top', pitch: Math.PI / 2 }, false));
  await v.pictureIsThere();
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('r');
  // The ring of the vertical axis, whose front half is visible, is dragged by a quarter turn.
  const centre = await page.evaluate(() => {
    const view = window.__picture, r = view.canvas.getBoundingClientRect(), place = view.project(new (view.rig.camera.position.constructor)(...view.gizmo.pose.translation));
    return { x: r.left + place.x, y: r.top + place.y };
  });
  const at = (radius, turns) => [centre.x + radius * Math.cos(turns * 2 * Math.PI), centre.y + radius * Math.sin(turns * 2 * Math.PI)];
  let radius = 0;
  for (let r = 20; r < 160 && !radius; ++r) {
    await page.mouse.move(...at(r, 1 / 8));
    if ((await page.evaluate(() => window.__picture.gizmo.axis)) === 'Y') radius = r + 2;
  }
  assert.ok(radius, 'there is no ring');
  await page.mouse.move(...at(radius, 1 / 8));
  await page.mouse.down();
  for (let i = 1; i <= 9; ++i) await page.mouse.move(...at(radius, 1 / 8 + i / 36));
  await page.mouse.up();
  await v.changesAre(1);
  await page.click(by('sheet-changes'));
  const turned = await page.textContent('.changes ul');
  const [, before, after] = /rotation\.y: (\S+) -> (\S+)/.exec(turned) ?? [];
  assert.ok(Math.abs(Math.abs(Number(after) - Number(before)) - 90) < 3, turned);
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Escape');
  await page.waitForFunction(() => !window.__picture.gizmo.held.length && !window.__picture.markedBoxes.length);
  await addressIs(page, 'path', undefined);
  await v.done();
});

test('course: objects drop onto the course instead of markers, even with hidden layers', async () => {
  courseArchive(folder);
  const v = await open(['course.szs']), { page } = v, file = 'course.szs/course.kmp', path = 'GOBJ.entries[0]';
  await v.pictureIsThere();
  await v.select(file, path);
  await isHeld(page, path);
  const height = () => page.evaluate((p) => window.__picture.scene3.data.nodes.find((n) => n.extras?.path === p).translation[1], path);
  // The picture is up to date when the height has changed.
  const press = async (key, changes) => {
    const before = await height();
    await page.locator(by('canvas')).focus();
    await page.keyboard.press(key);
    await v.changesAre(changes);
    await page.waitForFunction(([p, y]) => window.__picture.scene3.data.nodes.find((n) => n.extras?.path === p)?.translation[1] !== y, [path, before]);
    await v.pictureIsThere();
    await isHeld(page, path);
  };
  const drop = async (n) => {
    await press('Shift+PageUp', n + 1);
    await press('End', n + 2);
    return height();
  };
  const seen = await drop(0);
  await page.evaluate(() => { const s = window.__picture.scene3; s.layering.layers.forEach((l, i) => { if (/Model|Collision/.test(l.title)) s.shownLayers[i] = 0; }); });
  assert.ok(Math.abs((await drop(2)) - seen) < 1e-3);
  await v.done();
});

test('DS maps: whole-game findings stay listed, and warps have a layer', async () => {
  const v = await open(['games/village.nds']), { page } = v;
  await v.pictureIsThere();
  await type(page, 'village');
  await page.keyboard.press('Enter');
  await v.pictureIsThere();
  await page.click(by('check-game'));
  await page.waitForSelector(':text("in all files")');
  const found = () => page.$$eval(by('finding'), (all) => all.length), all = await found();
  assert.ok(all > 2, `${all} findings`);
  await page.click(by('finding'));
  await page.waitForTimeout(1000);
  assert.equal(await found(), all);
  await page.click(by('layers'));
  await page.click(by('overlay-warps'));
  await page.waitForSelector(by('layer-Warps'));
  assert.ok(await page.evaluate(() => { const s = window.__picture.scene3; return s.layering.layers.find((l) => l.title === 'Warps').nodes > 0; }));
  await v.done();
});

test('course: a path moves as a whole, and a click replaces a multiple selection', async () => {
  const v = await open(['kmp/race.kmp']), { page } = v;
  await v.pictureIsThere();
  await v.select('race.kmp', 'ENPH.entries[0]');
  await page.waitForFunction(() => window.__picture.gizmo.held.length > 1);
  const points = () => page.evaluate(() => window.__picture.gizmo.held.map((i) => [window.__picture.scene3.data.nodes[i].extras.path, window.__picture.scene3.data.nodes[i].translation[0]]));
  const before = await points();
  assert.ok(before.every(([path]) => path.startsWith('ENPT.entries[')), before.join());
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Control+ArrowRight');
  await v.changesAre(1);
  await v.pictureIsThere();
  const after = await points(), by_ = after[0][1] - before[0][1];
  assert.ok(by_ > 0 && after.every(([, x], i) => Math.abs(x - before[i][1] - by_) < 0.1), `${before} -> ${after}`);
  const count = (await v.saved()).bytes;
  assert.deepEqual(count, edited('kmp/race.kmp', 'set', 'race.kmp', ...after.map(([path, x]) => `${path}.position.x=${x}`), '-i'));
  // Two elements together, then a third one alone.
  await page.evaluate(() => window.__picture.fitAll(false, { mode: 'top' }));
  await v.pictureIsThere();
  const paths = ['JGPT.entries[0]', 'JGPT.entries[1]', 'JGPT.entries[2]'], canvas = page.locator(by('canvas')), r = await canvas.boundingBox();
  await v.select('race.kmp', paths[0]);
  await isHeld(page, paths[0]);
  const click = async (path, ...modifiers) => {
    const at = await pixelOfNode(page, path);
    await canvas.click({ position: { x: at.x - r.x, y: at.y - r.y }, modifiers });
  };
  await click(paths[1], 'Control');
  await page.waitForFunction(() => window.__picture.gizmo.held.length === 2 && window.__picture.markedBoxes.length === 2);
  await click(paths[2]);
  await isHeld(page, paths[2]);
  await page.waitForFunction(() => window.__picture.gizmo.held.length === 1 && window.__picture.markedBoxes.length === 1);
  const isAround = await page.evaluate((p) => {
    const { scene3, markedBoxes: [box] } = window.__picture, i = scene3.data.nodes.findIndex((n) => n.extras?.path === p);
    return [0, 1, 2].every((k) => scene3.world[16 * i + 12 + k] >= box[k] - 1 && scene3.world[16 * i + 12 + k] <= box[3 + k] + 1);
  }, paths[2]);
  assert.ok(isAround, 'another thing is marked');
  await v.done();
});
