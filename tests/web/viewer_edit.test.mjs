// Editing in the viewer page opened from disk in Chromium. Saved files are compared with those of the program. DIO is the path of the
// program, DIORAMA_VIEWER that of the page; DIORAMA_GESTURES is the number of random gestures per family.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { by, drop, forTests, patience, program, viewerUrl } from './viewer_page.mjs';

const { folder, browser } = forTests();
const gestures = Number(process.env.DIORAMA_GESTURES ?? 60), seed = Number(process.env.DIORAMA_SEED ?? 1);

/** A sample as edited by the program. */
function edited(file, ...words) {
  const out = join(folder, 'edited.bin'), run = spawnSync(program, ['edit', join(folder, file), ...words, '-o', out, '-f', '-q'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return readFileSync(out);
}

async function open(...paths) {
  return openIn({ viewport: { width: 1280, height: 800 } }, ...paths);
}
async function openIn(how, ...paths) {
  const page = await browser().newPage({ ...how, colorScheme: 'dark', reducedMotion: 'reduce' });
  const errors = [];
  page.on('pageerror', (e) => errors.push(String(e.stack)));
  page.on('dialog', (d) => void d.accept());
  page.setDefaultTimeout(patience);
  await page.goto(viewerUrl);
  await page.waitForFunction('window.__ready');
  await drop(page, paths.map((p) => join(folder, p)));
  const first = paths.at(-1).split('/').pop();
  await page.waitForSelector(`${by('structure')} [data-path]`);
  const out = {
    page, first,
    /** Selects a value in a file and waits for its row. */
    async select(path, file = first) {
      await page.evaluate(([f, p]) => {
        history.pushState(null, '', `#file=${encodeURIComponent(f)}&path=${encodeURIComponent(p)}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, [file, path]);
      await page.waitForSelector(`${by('structure')} [data-path="${path}"][aria-selected="true"]`);
      await page.locator(by('structure')).focus();
    },
    selectedIs: (path) => page.waitForSelector(`${by('structure')} [data-path="${path}"][aria-selected="true"]`),
    /** Waits for the number of changes, unless the page rejects the edit or reports that nothing changes. */
    async editsAre(n) {
      const wanted = `Changes${n || ''}`;
      const said = await page.waitForFunction(([text, selector, refused]) => document.querySelector(selector)?.textContent === text || document.querySelector(refused)?.textContent,
        [wanted, by('sheet-changes'), by('refused')]);
      assert.equal(await said.jsonValue(), true);
    },
    /** The bytes saved by "Save". */
    async saved() {
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
      return readFileSync(await download.path());
    },
    async done() {
      assert.deepEqual(errors, []);
      await page.close({ runBeforeUnload: false });
    },
  };
  return out;
}

test('a typed value is checked while typing and saved if valid', async () => {
  const v = await open('kmp/race.kmp'), { page } = v;
  await v.select('GOBJ.entries[0].presence');
  await page.keyboard.press('F2');
  const field = page.locator(by('value-field'));
  await field.fill('100000');
  await page.waitForSelector('.value-hint.error');
  await field.press('Enter');
  assert.ok(await field.isVisible(), 'a wrong value is not taken');
  await field.fill('7');
  await page.waitForFunction(() => !document.querySelector('.value-hint.error'));
  await field.press('Enter');
  await v.editsAre(1);
  await page.waitForSelector(by('edited'));
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'set', 'GOBJ.entries[0].presence=7'));
  await page.waitForFunction((s) => !document.querySelector(s), by('edited'));
  // The bytes and the row are updated.
  await page.waitForFunction((s) => document.querySelector(`${s} [data-path="GOBJ.entries[0].presence"] .value`)?.textContent.startsWith('7'), by('structure'));
  await page.keyboard.press('Control+z');
  await v.editsAre(0);
  await page.waitForSelector(by('edited'));  // than the file that was saved
  assert.deepEqual(await v.saved(), readFileSync(join(folder, 'kmp/race.kmp')));
  await page.waitForFunction((s) => !document.querySelector(s), by('edited'));
  await page.keyboard.press('Control+Shift+z');
  await v.editsAre(1);
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'set', 'GOBJ.entries[0].presence=7'));
  // Escape cancels the edit.
  await v.select('GOBJ.entries[0].presence');
  await page.keyboard.press('Enter');
  await page.locator(by('value-field')).fill('9');
  await page.locator(by('value-field')).press('Escape');
  await page.waitForFunction((s) => document.querySelector(`${s} [data-path="GOBJ.entries[0].presence"] .value`)?.textContent.startsWith('7'), by('structure'));
  await v.done();
});

test('duplicating, moving, adding, deleting and pasting elements updates the selection', async () => {
  const v = await open('kmp/race.kmp'), { page } = v;
  await v.select('GOBJ.entries[1]');
  await page.keyboard.press('Control+d');
  await v.selectedIs('GOBJ.entries[2]');
  await page.keyboard.press('Alt+ArrowDown');
  await v.selectedIs('GOBJ.entries[3]');
  await page.locator(by('edit-up')).click();
  await v.selectedIs('GOBJ.entries[2]');
  await v.editsAre(3);
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'duplicate', 'GOBJ[1]', 'move', 'GOBJ[2]', 'after=3', 'move', 'GOBJ[3]', 'before=2'));
  await v.select('GOBJ.entries[0]');
  await page.keyboard.press('Insert');
  await v.selectedIs('GOBJ.entries[1]');
  await page.keyboard.press('Delete');
  await v.editsAre(5);
  await v.selectedIs('GOBJ.entries[1]');
  for (let i = 0; i < 5; ++i) {
    await page.keyboard.press('Control+z');
    await v.editsAre(4 - i);
  }
  assert.deepEqual(await v.saved(), readFileSync(join(folder, 'kmp/race.kmp')));
  // Dragging in the list.
  await v.select('GOBJ.entries[0]');
  const row = (i) => page.locator(`${by('structure')} [data-path="GOBJ.entries[${i}]"]`);
  await row(0).dragTo(row(2), { targetPosition: { x: 60, y: 18 } });
  await v.editsAre(1);
  await v.selectedIs('GOBJ.entries[2]');
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'move', 'GOBJ[0]', 'after=2'));
  await v.done();
});

test('an element can be pasted into another file', async () => {
  const v = await open('kmp/race.kmp', 'kmp/arena.kmp'), { page } = v;
  await v.select('GOBJ.entries[0]', 'race.kmp');
  await page.keyboard.press('Control+c');
  await page.waitForFunction((s) => !document.querySelector(s).disabled, by('edit-paste'));
  await v.select('GOBJ', 'arena.kmp').catch(() => v.select('KTPT', 'arena.kmp'));
  await page.keyboard.press('Control+v');
  await v.editsAre(1);
  const values = (file) => JSON.parse(spawnSync(program, ['decode', file], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout).document;
  const out = join(folder, 'pasted.kmp');
  writeFileSync(out, await v.saved());
  const { route: _, ...pasted } = values(out).GOBJ.entries.at(-1), { route: __, ...original } = values(join(folder, 'kmp/race.kmp')).GOBJ.entries[0];
  assert.deepEqual(pasted, original);
  await v.done();
});

test('deleting a referenced element asks first', async () => {
  const v = await open('kmp/race.kmp'), { page } = v;
  await v.select('POTI.entries[0]');
  await page.waitForSelector(`${by('refs')} .crumb`);
  // The dialog must be open as soon as it is in the page, even if the next frame is late; otherwise Escape would not close it.
  await page.evaluate((s) => {
    new MutationObserver((_, all) => {
      const now = document.querySelector(s);
      if (now) { window.__openAtOnce = now.closest('dialog').open; all.disconnect(); }
    }).observe(document.body, { childList: true, subtree: true });
  }, by('refused'));
  await page.keyboard.press('Delete');
  await page.waitForSelector(by('refused'));
  assert.equal(await page.evaluate(() => window.__openAtOnce), true);
  await page.keyboard.press('Escape');
  await page.waitForFunction((s) => !document.querySelector(s), by('refused'));
  assert.deepEqual(await v.saved(), readFileSync(join(folder, 'kmp/race.kmp')));
  await page.locator(by('structure')).focus();
  await page.keyboard.press('Delete');
  await page.locator(by('unlink')).click();
  await v.editsAre(1);
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'remove', 'POTI[0]', '--unlink'));
  await page.keyboard.press('Control+z');
  await v.editsAre(0);
  await v.selectedIs('POTI.entries[0]');
  // The first opening camera would also be deleted, but one is required: the page reports that and nothing changes.
  await page.locator(by('structure')).focus();
  await page.keyboard.press('Delete');
  await page.locator(by('cascade')).click();
  await page.waitForFunction((dialog) => /cannot be cleared/.test(document.querySelector(dialog)?.textContent), by('refused'));
  await page.keyboard.press('Escape');
  await v.select('POTI.entries[1]');
  await page.keyboard.press('Delete');
  await page.locator(by('cascade')).click();
  await v.editsAre(1);
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'remove', 'POTI[1]', '--cascade'));
  // The list of changes: each is a link, and all can be undone at once.
  await page.locator(by('sheet-changes')).click();
  await page.locator(`${by('changes')} .change`).first().waitFor();
  await page.getByRole('button', { name: 'Undo everything' }).click();
  await v.editsAre(0);
  assert.deepEqual(await v.saved(), readFileSync(join(folder, 'kmp/race.kmp')));
  await v.done();
});

for (const { file, element, words } of [
  { file: 'kmp/race.kmp', element: 'GOBJ.entries[0]', words: ['place', 'GOBJ[0]'] },
  { file: 'land-data/town.bin', element: 'props[0]', words: ['place', 'props[0]'] },
])
  test(`objects can be moved in the picture: ${file}`, async () => {
    const v = await open(file), { page } = v;
    await page.waitForFunction('window.__picture?.scene3');
    await v.select(element);
    await page.waitForSelector(by('handles'));
    // With keys: one step to the east.
    const before = await page.evaluate(() => window.__picture.gizmo.pose.translation);
    await page.locator(by('canvas')).focus();
    await page.keyboard.press('Control+ArrowRight');
    await v.editsAre(1);
    await page.waitForFunction((x) => window.__picture.gizmo.pose.translation[0] > x, before[0]);
    const after = await page.evaluate(() => window.__picture.gizmo.pose.translation);
    assert.deepEqual(await v.saved(), edited(file, ...words, `translation=${after.map((x) => Math.fround(x)).join(',')}`));
    await page.keyboard.press('Control+z');
    await v.editsAre(0);
    assert.deepEqual(await v.saved(), readFileSync(join(folder, file)));

    // With the pointer: dragging the x handle moves only this element.
    await page.waitForFunction((x) => window.__picture.gizmo.pose.translation[0] === x, before[0]);
    await page.keyboard.press('f');
    await page.waitForFunction('window.__picture.isFinished');
    const handle = await page.evaluate(() => {
      const view = window.__picture, { canvas } = view, r = canvas.getBoundingClientRect(), at = view.gizmo.root.children[0].children[0].getWorldPosition(new view.rig.camera.position.constructor());
      const seen = view.project(at);
      // Finds the x handle around the middle.
      for (let far = 20; far < 160; far += 3)
        for (let turn = 0; turn < 48; ++turn) {
          const x = r.left + seen.x + far * Math.cos((turn * Math.PI) / 24), y = r.top + seen.y + far * Math.sin((turn * Math.PI) / 24);
          canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, pointerType: 'mouse', bubbles: true }));
          if (view.gizmo.axis === 'X') return { x, y };
        }
      return null;
    });
    assert.ok(handle, 'the handle along x is seen');
    await page.mouse.move(handle.x, handle.y);
    await page.mouse.down();
    await page.mouse.move(handle.x + 30, handle.y + 12, { steps: 5 });
    await page.mouse.move(handle.x + 60, handle.y + 24, { steps: 5 });
    await page.mouse.up();
    await v.editsAre(1);
    await page.waitForFunction((x) => window.__picture.gizmo.pose.translation[0] !== x, before[0]);
    const pulled = await page.evaluate(() => window.__picture.gizmo.pose.translation);
    assert.equal(pulled[1], before[1]);
    assert.deepEqual(await v.saved(), edited(file, ...words, `translation=${pulled.map((x) => Math.fround(x)).join(',')}`));

    // Measuring takes the pointer as soon as the key is pressed; one frame later, a click would hit the handles.
    await page.waitForFunction('window.__picture.gizmo.node >= 0');
    assert.equal(await page.evaluate(() => {
      const { canvas, gizmo } = window.__picture;
      canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'm', bubbles: true }));
      return gizmo.node;
    }), -1);
    await v.done();
  });

/** The page pixel of a scene position, seen from above. */
const pixelOf = (page, place) => page.evaluate(([x, y, z]) => {
  const view = window.__picture, r = view.canvas.getBoundingClientRect(), at = view.project(new (view.rig.camera.position.constructor)(x, y, z));
  return { x: r.left + at.x, y: r.top + at.y };
}, place);
/** Switches to the view from above and waits until it stands still. */
async function fromAbove(page) {
  await page.evaluate(() => window.__picture.fitAll(false, { mode: 'top' }));
  await page.waitForFunction('window.__picture.isFinished');
}
/** Drags the pointer over positions as fast as possible. */
async function pull(page, places, key) {
  if (key) await page.keyboard.down(key);
  for (const [i, place] of places.entries()) {
    const { x, y } = await pixelOf(page, place);
    await page.mouse.move(x, y);
    if (i === 0) await page.mouse.down();
  }
  await page.mouse.up();
  if (key) await page.keyboard.up(key);
}
const picture = (page, name) => process.env.DIORAMA_PICTURES && page.screenshot({ path: join(process.env.DIORAMA_PICTURES, `${name}.png`) });
/** The program's answer for a tile. */
const tileIn = (file, x, z) => JSON.parse(spawnSync(program, ['explain', `${join(folder, file)}#tile@${x},${z}`, '--json'], { encoding: 'utf8' }).stdout).answer;

test('painting land tiles and heights makes one edit per stroke', async () => {
  const file = 'land-data/town.bin', v = await open(file), { page } = v;
  await page.waitForFunction('window.__picture?.scene3');
  await fromAbove(page);
  const middle = ([x, z]) => [x * 16 - 256 + 8, 0, z * 16 - 256 + 8];
  await page.locator(by('paint')).click();
  await page.waitForSelector(by('brush-what'));
  // Behaviours by name: a line, then around a corner with a wide brush.
  await page.locator(by('brush-value')).fill('2');
  await pull(page, [middle([10, 5]), middle([14, 5])]);
  await v.editsAre(1);
  assert.deepEqual(await v.saved(), edited(file, 'set-tiles', 'x=10..14', 'z=5', 'behavior=2'));
  await page.locator(by('brush-size')).selectOption('3');
  await pull(page, [middle([20, 10]), middle([20, 14]), middle([24, 14])]);
  await v.editsAre(2);
  const both = ['set-tiles', 'x=10..14', 'z=5', 'behavior=2', 'set-tiles', 'x=19..21', 'z=9..15', 'behavior=2', 'set-tiles', 'x=22..25', 'z=13..15', 'behavior=2'];
  assert.deepEqual(await v.saved(), edited(file, ...both));
  // Collision has two values; the brush is clipped at the border.
  await page.locator(by('brush-what')).selectOption({ label: 'Collision' });
  assert.deepEqual(await page.locator(`${by('brush-value')} option`).allTextContents(), ['0', '1']);
  await pull(page, [middle([0, 0])]);
  await v.editsAre(3);
  assert.deepEqual(await v.saved(), edited(file, ...both, 'set-tiles', 'x=0..1', 'z=0..1', 'collision=1'));
  await page.waitForFunction('window.__picture.isFinished');
  await picture(page, 'painted_land');
  // A plate is raised only once per stroke.
  const { plates } = tileIn(file, 16, 16);
  await page.locator(by('brush-what')).selectOption({ label: 'Raise plate' });
  await page.locator(by('brush-value')).fill('16');
  await pull(page, [middle([16, 16]), middle([17, 16]), middle([16, 16])]);
  await v.editsAre(4);
  assert.deepEqual(await v.saved(), edited(file, ...both, 'set-tiles', 'x=0..1', 'z=0..1', 'collision=1', 'raise-plate', `plate=${plates[0].plate}`, 'by=16', 'mesh=follow', 'props=follow'));
  // An invalid value is rejected and changes nothing.
  await page.locator(by('brush-what')).selectOption({ label: 'Behavior' });
  await page.locator(by('brush-value')).fill('nothing like this');
  await pull(page, [middle([3, 3])]);
  await page.waitForSelector(by('refused'));
  await page.keyboard.press('Escape');
  // The value picked from a tile.
  writeFileSync(join(folder, 'painted.bin'), await v.saved());
  const { name, behavior } = tileIn('painted.bin', 10, 5);
  assert.equal(behavior, 2);
  await pull(page, [middle([10, 5])], 'Alt');
  await page.waitForFunction(([s, wanted]) => document.querySelector(s).value === wanted, [by('brush-value'), name]);
  await page.keyboard.press('Control+z');
  await v.editsAre(3);
  for (let left = 2; left >= 0; --left) {
    await page.keyboard.press('Control+z');
    await v.editsAre(left);
  }
  assert.deepEqual(await v.saved(), readFileSync(join(folder, file)));
  // Escape ends painting, and the pointer orbits the camera again.
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Escape');
  await page.waitForFunction((s) => !document.querySelector(s), by('brush-bar'));
  await v.done();
});

test('painting the terrain of a battle map moves its floor', async () => {
  const file = 'fft-mesh/valley.fft-mesh', v = await open(file), { page } = v;
  await page.waitForFunction('window.__picture?.scene3');
  await fromAbove(page);
  const grid = await page.evaluate(() => window.__picture.scene3.data.extras.tile_grid);
  const middle = ([x, z]) => [grid.corner[0] + (x - grid.first[0] + 0.5) * grid.tile, 0, grid.corner[1] + (grid.first[1] - z + 0.5) * grid.tile];
  await page.keyboard.press('Alt+2');
  await page.keyboard.press('p');
  await page.locator(by('brush-what')).selectOption({ label: 'Raise tiles' });
  await page.locator(by('brush-value')).fill('2');
  await pull(page, [middle([1, 1]), middle([3, 1])]);
  await v.editsAre(1);
  const raise = ['raise-tiles', 'x=1..3', 'z=1', 'by=2', 'floor=follow'];
  assert.deepEqual(await v.saved(), edited(file, ...raise));
  await page.locator(by('brush-floor')).uncheck();
  await page.locator(by('brush-what')).selectOption({ label: 'Surface' });
  await page.locator(by('brush-value')).fill('grassland');
  await pull(page, [middle([2, 2]), middle([2, 4])]);
  await v.editsAre(2);
  assert.deepEqual(await v.saved(), edited(file, ...raise, 'set-tiles', 'x=2', 'z=2..4', 'surface=grassland'));
  await page.locator(by('brush-level')).selectOption('1');
  await page.locator(by('brush-what')).selectOption({ label: 'Untargetable' });
  await page.locator(by('brush-value')).selectOption('no');
  await pull(page, [middle([0, 0])]);
  await v.editsAre(3);
  assert.deepEqual(await v.saved(), edited(file, ...raise, 'set-tiles', 'x=2', 'z=2..4', 'surface=grassland', 'set-tiles', 'x=0', 'z=0', 'untargetable=no', 'level=1'));
  await page.locator(by('brush-level')).selectOption('0');
  await page.locator(by('brush-what')).selectOption({ label: 'Height' });
  await page.evaluate(() => window.__picture.fitAll(false, { mode: 'orbit', yaw: -0.6, pitch: 0.6 }));
  await page.waitForFunction('window.__picture.isFinished');
  await picture(page, 'painted_terrain');
  for (let left = 2; left >= 0; --left) {
    await page.keyboard.press('Control+z');
    await v.editsAre(left);
  }
  assert.deepEqual(await v.saved(), readFileSync(join(folder, file)));
  await v.done();
});

test('paths can be drawn point by point', async () => {
  const file = 'kmp/race.kmp', v = await open(file), { page } = v;
  await page.waitForFunction('window.__picture?.scene3');
  await fromAbove(page);
  const click = async (place) => {
    const { x, y } = await pixelOf(page, place);
    await page.mouse.click(x, y);
  };
  const pointAt = (path) => page.evaluate((p) => { const s = window.__picture.scene3, i = s.data.nodes.findIndex((n) => n.extras?.path === p); return [...s.world.slice(16 * i + 12, 16 * i + 15)]; }, path);
  const near = (a, b) => Math.hypot(a[0] - b[0], a[2] - b[2]);
  const wide = await page.evaluate(() => window.__picture.rig.radius / 100);
  const valueIn = (from, path) => JSON.parse(spawnSync(program, ['get', from, path, '--json'], { encoding: 'utf8' }).stdout).value, values = (path) => valueIn(out, path);
  const out = join(folder, 'drawn.kmp');
  let made = 0;
  for (const [list, group] of [['ENPT.entries', 'ENPH'], ['ITPT.entries', 'ITPH'], ['POTI.entries[0].points', '']]) {
    await v.select(`${list}[1]`);
    const from = await pointAt(`${list}[1]`), wanted = [[from[0] + 6 * wide, from[1], from[2] + 3 * wide], [from[0] + 9 * wide, from[1], from[2] - 4 * wide]];
    await page.locator(by('draw')).click();
    const before = await v.saved(), words = [];
    for (const [i, place] of wanted.entries()) {
      await click(place);
      await v.editsAre(++made);
      await v.selectedIs(`${list}[${2 + i}]`);
      writeFileSync(out, await v.saved());
      const at = values(`${list}[${2 + i}].position`), is = [at.x, at.y, at.z];
      assert.ok(near(is, place) < wide, `${is} ${place}`);
      assert.equal(is[1], from[1]);  // at the height of the last point
      words.push('duplicate', `${list}[${1 + i}]`, 'set', `${list}[${2 + i}].position=${is.join(',')}`);
    }
    writeFileSync(join(folder, 'before.kmp'), before);
    assert.deepEqual(await v.saved(), edited('before.kmp', ...words));
    if (group) assert.equal(values(`${group}.entries[0].count`), valueIn(join(folder, 'before.kmp'), `${group}.entries[0].count`) + 2);
    await page.keyboard.press('Escape');
    await page.waitForFunction((s) => document.querySelector(s)?.getAttribute('aria-pressed') !== 'true', by('draw'));
  }
  // A checkpoint has two ends; the first Escape drops the first end, the second one ends drawing.
  await v.select('CKPT.entries[1]');
  const from = await pointAt('CKPT.entries[1]');
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('u');
  const before = await v.saved();
  await click([from[0] - 9 * wide, from[1], from[2]]);
  await page.keyboard.press('Escape');
  const left = [from[0] - 5 * wide, from[1], from[2] + 2 * wide], right = [from[0] + 5 * wide, from[1], from[2] + 3 * wide];
  await click(left);
  await page.waitForFunction(() => /right end/.test(document.querySelector('[aria-live]').textContent));
  await page.evaluate(() => document.querySelector('[aria-live]').textContent);
  const { x, y } = await pixelOf(page, right);
  await page.mouse.move(x, y);
  await picture(page, 'drawn_path');
  await click(right);
  await v.editsAre(++made);
  await v.selectedIs('CKPT.entries[2]');
  writeFileSync(out, await v.saved());
  const check = values('CKPT.entries[2]');
  assert.ok(near([check.left.x, 0, check.left.z], left) < wide && near([check.right.x, 0, check.right.z], right) < wide);
  assert.equal(check.type, -1);
  writeFileSync(join(folder, 'before.kmp'), before);
  assert.deepEqual(await v.saved(), edited('before.kmp', 'duplicate', 'CKPT.entries[1]', 'set', `CKPT.entries[2].left=${check.left.x},${check.left.z}`, `CKPT.entries[2].right=${check.right.x},${check.right.z}`, 'CKPT.entries[2].type=-1'));
  await page.keyboard.press('Escape');
  await page.locator(by('draw')).waitFor();
  assert.equal(await page.locator(by('draw')).getAttribute('aria-pressed'), 'false');
  for (; made > 0; ) {
    await page.keyboard.press('Control+z');
    await v.editsAre(--made);
  }
  assert.deepEqual(await v.saved(), readFileSync(join(folder, file)));
  await v.done();
});

test('moving and painting in a world edits the land in the cartridge', async () => {
  const v = await open('games/small_game.nds'), { page } = v, land = 'fielddata/land_data/land_data.narc';
  const show = (path, file) => page.evaluate(([f, p]) => {
    history.pushState(null, '', `#file=small_game.nds/${f}&path=${encodeURIComponent(p)}&part=matrix/0`);
    dispatchEvent(new PopStateEvent('popstate'));
  }, [file, path]);
  /** The whole saved image. */
  const whole = async (file, path) => {
    await page.evaluate(() => { history.pushState(null, '', '#file=small_game.nds'); dispatchEvent(new PopStateEvent('popstate')); });
    await page.waitForFunction(() => document.querySelector('[data-test="title"]')?.textContent.trim().startsWith('small_game.nds') && !document.querySelector('[data-test="title"]').textContent.includes('narc'));
    const saved = await v.saved();
    await show(path, file);
    await page.waitForSelector(by('handles'));
    return saved;
  };
  const wanted = join(folder, 'wanted.nds');
  writeFileSync(wanted, readFileSync(join(folder, 'games/small_game.nds')));
  const make = (file, ...words) => {
    const run = spawnSync(program, ['edit', `${wanted}/${file}`, ...words, '-i', '-q'], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    return readFileSync(wanted);
  };
  await show('props[1]', `${land}/0`);
  await page.waitForSelector(by('handles'));
  const before = await page.evaluate(() => window.__picture.gizmo.pose.translation);
  assert.deepEqual(before, [200, 0, 200]);  // in the land, not in the world
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Control+ArrowRight');
  await v.editsAre(1);
  await page.waitForFunction((x) => window.__picture.gizmo.node >= 0 && window.__picture.gizmo.pose.translation[0] > x, before[0]);
  const after = await page.evaluate(() => window.__picture.gizmo.pose.translation);
  assert.deepEqual(await whole(`${land}/0`, 'props[1]'), make(`${land}/0`, 'place', 'props[1]', `translation=${after.map((x) => Math.fround(x)).join(',')}`));
  await picture(page, 'moved_in_world');

  // Painting on a neighbouring land edits that land, with its own tile numbers.
  await fromAbove(page);
  await page.locator(by('paint')).click();
  await page.waitForSelector(by('brush-what'));
  const road = await page.evaluate(() => {
    const { data, world } = window.__picture.scene3, i = data.nodes.findIndex((n) => n.extras?.kind === 'platinum.land' && n.extras.land === 1);
    return [...world.slice(16 * i + 12, 16 * i + 15)];
  });
  const middle = ([x, z]) => [road[0] + x * 16 - 256 + 8, 0, road[2] + z * 16 - 256 + 8];
  await page.locator(by('brush-what')).selectOption({ label: 'Behavior' });
  await page.locator(by('brush-value')).fill('16');
  await pull(page, [middle([4, 20]), middle([4, 23])]);
  await page.waitForFunction((s) => document.querySelector(s)?.textContent.includes('narc/1'), by('title'));
  await v.editsAre(2);
  await page.waitForFunction('window.__picture.isFinished');
  await picture(page, 'painted_in_world');
  await page.locator(by('canvas')).focus();
  await page.keyboard.press('Escape');
  assert.deepEqual(await whole(`${land}/1`, 'props[0]'), make(`${land}/1`, 'set-tiles', 'x=4', 'z=20..23', 'behavior=16'));
  // The cartridge has one history for all edits, whichever file is selected.
  await page.keyboard.press('Control+z');
  await v.editsAre(1);
  await page.keyboard.press('Control+z');
  await v.editsAre(0);
  assert.deepEqual(await whole(`${land}/0`, 'props[1]'), readFileSync(join(folder, 'games/small_game.nds')));
  await v.done();
});

test('a transform the format cannot store is rejected and undone', async () => {
  const v = await open('kmp/race.kmp'), { page } = v;
  await page.waitForFunction('window.__picture?.scene3');
  await v.select('ENPT.entries[1]');
  await page.waitForSelector(by('handles'));
  await page.locator(by('handle-scale')).click();
  await page.evaluate(() => window.__picture.gizmo.onPlaced([{ translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [2, 2, 2] }], 'scale'));
  await page.waitForSelector(by('refused'));
  assert.match(await page.locator(by('refused')).textContent(), /scaled/);
  await page.keyboard.press('Escape');
  assert.deepEqual(await v.saved(), readFileSync(join(folder, 'kmp/race.kmp')));
  await v.done();
});

test('editing a file in an archive updates the archive', async () => {
  const v = await open('games/small_game.nds'), { page } = v;
  const member = 'fielddata/land_data/land_data.narc', path = `small_game.nds/${member}/0`;
  await v.select('props[0].position.y', path);
  await page.keyboard.press('F2');
  await page.locator(by('value-field')).fill('33');
  await page.locator(by('value-field')).press('Enter');
  await v.editsAre(1);
  // Saving now writes the member; the whole image equals that of the program.
  await page.evaluate(() => { history.pushState(null, '', '#file=small_game.nds'); dispatchEvent(new PopStateEvent('popstate')); });
  await page.waitForFunction(() => document.querySelector('[data-test="title"]')?.textContent.trim().startsWith('small_game.nds'));
  const out = join(folder, 'edited.nds'), run = spawnSync(program, ['edit', join(folder, `games/small_game.nds/${member}/0`), 'set', 'props[0].position.y=33', '-o', out, '-f'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  const whole = await v.saved();
  const file = join(folder, 'whole.nds');
  writeFileSync(file, whole);
  const got = spawnSync(program, ['get', `${file}/${member}/0`, 'props[0].position.y'], { encoding: 'utf8' });
  assert.match(got.stdout, /^33/, got.stderr);
  await v.done();
});

/** Runs in the page, where ten thousand gestures take minutes: sends the events that keyboard and pointer would send (the tests above use
 * real ones). The random sequence depends only on the seed; every gesture waits for earlier edits. */
async function randomGestures({ gestures, seed, first, of, part, paths, patience }) {
  let state = seed | 0;
  const next = () => {  // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (n) => Math.floor(next() * n), chance = (p) => next() < p, any = (list) => list[below(list.length)];
  const find = (name) => document.querySelector(`[data-test="${name}"]`), sleep = (ms = 0) => new Promise((done) => setTimeout(done, ms));
  const until = async (is, what) => {
    for (const end = performance.now() + patience; !is(); await sleep(2)) if (performance.now() > end) throw new Error(`${what}: waited too long`);
  };
  const counts = {}, count = (what) => { counts[what] = (counts[what] ?? 0) + 1; };
  let most = 0;
  const settled = async () => {
    await sleep();
    // The dialog of a second refusal may follow the first without a moment between them.
    for (const end = performance.now() + patience;;) {
      await until(() => find('refused') || (find('edit-bar')?.getAttribute('aria-busy') ?? 'false') === 'false', 'edits');
      if (!find('refused')) break;
      if (performance.now() > end) throw new Error('a dialog: waited too long');
      count('refused');
      [...find('refused').querySelectorAll('.buttons button')].at(-1).click();
      await sleep(5);
    }
    most = Math.max(most, Number(find('sheet-changes')?.querySelector('.badge')?.textContent ?? 0));
  };
  const press = async (element, keys) => {
    const all = keys.split('+'), key = all.pop();
    element.focus();
    element.dispatchEvent(new KeyboardEvent('keydown', { key, code: key.length === 1 ? `Key${key.toUpperCase()}` : key, ctrlKey: all.includes('Control'), altKey: all.includes('Alt'), shiftKey: all.includes('Shift'), bubbles: true, cancelable: true }));
    await settled();
  };
  const go = async (address) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
    await sleep();
  };
  const fill = (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event(field.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }));
  };
  const canvas = find('canvas');
  if (canvas) canvas.setPointerCapture = () => {};  // there is no such pointer
  const point = (type, [x, y], buttons = 1) => canvas.dispatchEvent(new PointerEvent(type, { clientX: x, clientY: y, button: 0, buttons, pointerId: 1, pointerType: 'mouse', isPrimary: true, bubbles: true, cancelable: true }));
  const somewhere = () => {
    const r = canvas.getBoundingClientRect();
    return [r.left + r.width * (0.1 + 0.8 * next()), r.top + r.height * (0.1 + 0.8 * next())];
  };
  const isShown = async () => {
    await until(() => window.__picture?.scene3 && !document.querySelector('.picture-box[hidden]'), 'a picture');
    await sleep(5);
  };
  const inPicture = async () => {
    const wanted = below(3);
    if (!canvas || document.querySelector('.picture-box[hidden]')) return false;
    if (wanted === 0 && find('handles')) {
      await press(canvas, any(['Control+ArrowLeft', 'Control+ArrowRight', 'Control+ArrowUp', 'Control+Shift+ArrowDown', 'PageUp']));
      count('moved');
    } else if (wanted === 1 && find('draw')) {
      find('draw').click();
      await sleep();
      for (let n = 1 + below(3); n > 0; --n) {
        const at = somewhere();
        point('pointerdown', at), point('pointerup', at, 0);
        await sleep(), await settled();
        count('drawn');
      }
      if (find('draw')?.getAttribute('aria-pressed') === 'true') find('draw').click();
    } else if (wanted === 2 && find('paint')) {
      find('paint').click();
      await until(() => find('brush-what'), 'the brush');
      fill(find('brush-what'), below(find('brush-what').options.length));
      await sleep();
      const value = find('brush-value');
      if (value.tagName === 'SELECT') fill(value, any([...value.options]).value);
      else if (chance(0.8)) fill(value, String(below(8) - 2));
      if (find('brush-size') && chance(0.5)) fill(find('brush-size'), any(['1', '3', '5']));
      await sleep();
      let at = somewhere();
      point('pointerdown', at);
      for (let n = below(3); n > 0; --n) point('pointermove', (at = somewhere()));
      point('pointerup', at, 0);
      await sleep(), await settled();
      if (find('paint')?.getAttribute('aria-pressed') === 'true') find('paint').click();
      count('painted');
    } else return false;
    await sleep();
    return true;
  };
  const keys = ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Control+d', 'Control+d', 'Control+d', 'Delete', 'Alt+ArrowUp', 'Alt+ArrowDown', 'F2', 'F2', 'F2', 'Insert', 'Control+c', 'Control+v', 'Control+z', 'Control+z', 'Control+Shift+z'];
  const address = (file, path = '') => `#file=${first}${file}&path=${encodeURIComponent(path)}${part ? `&part=${part}` : ''}`;
  for (let i = 0; i < gestures; ++i) {
    const file = of.length > 1 && (i === 0 || chance(0.05)) ? any(of) : null;
    if (file !== null || chance(0.15)) {
      await go(address(file ?? decodeURIComponent(/file=([^&]*)/.exec(location.hash)?.[1] ?? first).slice(first.length), any(paths)));
      await until(() => find('structure')?.querySelector('[data-path]'), 'the structure');
      if (window.__picture) await isShown();
    }
    if (chance(0.3) && (await inPicture())) continue;
    // Selects or opens a visible row, or runs a command on it.
    const box = find('structure'), rows = [...(box?.querySelectorAll('[data-path]') ?? [])];
    if (!rows.length) continue;
    any(rows).click();
    await sleep();
    const key = any(keys);
    await press(box, key);
    count(key.replace('Control', 'Ctrl'));
    if (key === 'F2' && find('value-field')) {
      fill(find('value-field'), String(below(200)));
      await sleep();
      for (const end of ['Enter', 'Escape']) if (find('value-field')) await press(find('value-field'), end);
    }
  }
  return { most, counts };
}
/** Runs in the page: undoes the edits of each file and shows the whole first file. */
async function undoEverything({ first, of, part, patience }) {
  const find = (name) => document.querySelector(`[data-test="${name}"]`), sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  const until = async (is, what) => {
    for (const end = performance.now() + patience; !is(); await sleep(2)) if (performance.now() > end) throw new Error(`${what}: waited too long`);
  };
  const go = async (address, name) => {
    history.pushState(null, '', address);
    dispatchEvent(new PopStateEvent('popstate'));
    await until(() => find('title').querySelector('.crumb') && [...find('title').querySelectorAll('.crumb, .crumb-text, strong')].map((e) => e.textContent).join('/') === name, name);
  };
  for (const file of of) {
    if (part) await go(`#file=${first}${file}&part=${part}`, `${first}${file}`);
    await until(() => find('edit-bar')?.getAttribute('aria-busy') === 'false', 'edits');
    while (find('undo') && !find('undo').disabled) {
      const { textContent: before } = find('sheet-changes');
      find('undo').click();
      await until(() => find('sheet-changes').textContent !== before && find('edit-bar')?.getAttribute('aria-busy') === 'false', 'undo');
    }
  }
  if (part) await go(`#file=${first}`, first);
}

// `paths`: values selected from time to time, starting with these. `of`: the edited files, if the file is an archive: its members and the
// part of the game shown in the picture.
const course = ['ENPT.entries[2]', 'ITPT.entries[1]', 'CKPT.entries[3]', 'GOBJ.entries[0]', 'POTI.entries[0].points[1]', 'AREA.entries[0]', 'CAME.entries[1]', 'JGPT.entries[0]', 'ENPH.entries[0]'];
for (const { file, paths, of = [''], part } of [
  { file: 'kmp/race.kmp', paths: course }, { file: 'kmp/arena.kmp', paths: course },
  { file: 'land-data/town.bin', paths: ['props[1]', 'attributes[3][4]', 'bdhc.plates[0]'] },
  { file: 'fft-mesh/valley.fft-mesh', paths: ['terrain.levels[0][9]', 'primary.textured_quads[3]', 'palettes.rows[0][1]'] },
  { file: 'nsbmd/windmill.nsbmd', paths: ['models[0].nodes[1]', 'models[0].materials[0]', 'models[0].shapes[0]'] },
  { file: 'splashpack/scene_v21.splashpack', paths: ['objects[1]', 'colliders[0]', 'trigger_boxes[0]'] },
  { file: 'games/small_game.nds', paths: ['props[0]', 'bdhc.plates[0]'], of: [0, 1, 2].map((n) => `/fielddata/land_data/land_data.narc/${n}`), part: 'matrix/0' },
])
  test(`undoing random gestures restores the same bytes: ${file}`, async () => {
    // Fewer pixels draw faster.
    const v = await openIn({ viewport: { width: 960, height: 560 }, deviceScaleFactor: 0.25 }, file), { page } = v;
    const at = { first: v.first, of, part, paths, patience };
    const counts = {};
    let most = 0;
    // The page reports after every few gestures, so that a failure can be located.
    for (let done = 0; done < gestures; done += 50) {
      const told = await page.evaluate(randomGestures, { ...at, gestures: Math.min(50, gestures - done), seed: seed * 1_000_003 + done });
      most = Math.max(most, told.most);
      for (const [what, n] of Object.entries(told.counts)) counts[what] = (counts[what] ?? 0) + n;
    }
    assert.ok(most > 0, `${most} edits`);
    console.log(`${file}: ${gestures} gestures, up to ${most} edits to undo: ${Object.entries(counts).map(([what, n]) => `${what} ${n}`).join(', ')}`);
    await page.evaluate(undoEverything, at);
    assert.deepEqual(await v.saved(), readFileSync(join(folder, file)));
    await v.done();
  });
