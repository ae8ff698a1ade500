// Editing in the viewer, as someone does it: the page from a disk, in Chromium. What is saved is compared with what the program makes
// of the same file. DIO is the path of the program, DIORAMA_VIEWER that of the page; DIORAMA_GESTURES how many random gestures a family
// gets.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { by, drop, forTests, patience, program, viewerUrl } from './viewer_page.mjs';

const { folder, browser } = forTests();
const gestures = Number(process.env.DIORAMA_GESTURES ?? 60), seed = Number(process.env.DIORAMA_SEED ?? 1);

/** What the program makes of a sample. */
function edited(file, ...words) {
  const out = join(folder, 'edited.bin'), run = spawnSync(program, ['edit', join(folder, file), ...words, '-o', out, '-f', '-q'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return readFileSync(out);
}

async function open(...paths) {
  const page = await browser().newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark', reducedMotion: 'reduce' });
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
    /** Selects a value of a file, and waits until its row is there. */
    async select(path, file = first) {
      await page.evaluate(([f, p]) => {
        history.pushState(null, '', `#file=${encodeURIComponent(f)}&path=${encodeURIComponent(p)}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, [file, path]);
      await page.waitForSelector(`${by('structure')} [data-path="${path}"][aria-selected="true"]`);
      await page.locator(by('structure')).focus();
    },
    selectedIs: (path) => page.waitForSelector(`${by('structure')} [data-path="${path}"][aria-selected="true"]`),
    editsAre: (n) => page.waitForFunction(([wanted, selector]) => document.querySelector(selector)?.textContent === wanted, [`Changes${n || ''}`, by('sheet-changes')]),
    /** The bytes that "Save" gives. */
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

test('a value is typed: wrong ones are told while they are typed, right ones are in the file that is saved', async () => {
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
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'set', 'GOBJ.entries[0].presence=7'));
  await page.waitForSelector(by('edited'));
  // The bytes follow, and so does the row.
  await page.waitForFunction((s) => document.querySelector(`${s} [data-path="GOBJ.entries[0].presence"] .value`)?.textContent.startsWith('7'), by('structure'));
  await page.keyboard.press('Control+z');
  await v.editsAre(0);
  assert.deepEqual(await v.saved(), readFileSync(join(folder, 'kmp/race.kmp')));
  assert.equal(await page.locator(by('edited')).count(), 0);
  await page.keyboard.press('Control+Shift+z');
  await v.editsAre(1);
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'set', 'GOBJ.entries[0].presence=7'));
  // Escape leaves it as it is.
  await v.select('GOBJ.entries[0].presence');
  await page.keyboard.press('Enter');
  await page.locator(by('value-field')).fill('9');
  await page.locator(by('value-field')).press('Escape');
  await page.waitForFunction((s) => document.querySelector(`${s} [data-path="GOBJ.entries[0].presence"] .value`)?.textContent.startsWith('7'), by('structure'));
  await v.done();
});

test('elements are duplicated, moved, added, deleted and pasted, and the selection goes with them', async () => {
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
  // Dragged in the list.
  await v.select('GOBJ.entries[0]');
  const row = (i) => page.locator(`${by('structure')} [data-path="GOBJ.entries[${i}]"]`);
  await row(0).dragTo(row(2), { targetPosition: { x: 60, y: 18 } });
  await v.editsAre(1);
  await v.selectedIs('GOBJ.entries[2]');
  assert.deepEqual(await v.saved(), edited('kmp/race.kmp', 'move', 'GOBJ[0]', 'after=2'));
  await v.done();
});

test('an element is pasted into another file', async () => {
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

test('what is still referred to is asked about', async () => {
  const v = await open('kmp/race.kmp'), { page } = v;
  await v.select('POTI.entries[0]');
  await page.waitForSelector(`${by('refs')} .crumb`);
  await page.keyboard.press('Delete');
  await page.waitForSelector(by('refused'));
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
  // The first camera of the opening would go with it, and something has to be the first: that is said, and nothing happens.
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
  // The list of changes: each is a link, and all of them go at once.
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
  test(`things are moved in the picture: ${file}`, async () => {
    const v = await open(file), { page } = v;
    await page.waitForFunction('window.__picture?.scene3');
    await v.select(element);
    await page.waitForSelector(by('handles'));
    // With the keys: a step to the east.
    const before = await page.evaluate(() => window.__picture.gizmo.pose.translation);
    await page.locator(by('canvas')).focus();
    await page.keyboard.press('Alt+ArrowRight');
    await v.editsAre(1);
    await page.waitForFunction((x) => window.__picture.gizmo.pose.translation[0] > x, before[0]);
    const after = await page.evaluate(() => window.__picture.gizmo.pose.translation);
    assert.deepEqual(await v.saved(), edited(file, ...words, `translation=${after.map((x) => Math.fround(x)).join(',')}`));
    await page.keyboard.press('Control+z');
    await v.editsAre(0);
    assert.deepEqual(await v.saved(), readFileSync(join(folder, file)));

    // With the pointer: the handle along x is pulled; the element, and nothing else, is elsewhere.
    await page.waitForFunction((x) => window.__picture.gizmo.pose.translation[0] === x, before[0]);
    await page.keyboard.press('f');
    await page.waitForFunction('window.__picture.isFinished');
    const handle = await page.evaluate(() => {
      const view = window.__picture, { canvas } = view, r = canvas.getBoundingClientRect(), at = view.gizmo.root.children[0].children[0].getWorldPosition(new view.rig.camera.position.constructor());
      const seen = view.project(at);
      // Looks for the handle along x around the middle.
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
    await v.done();
  });

test('what a file cannot say is refused, and the thing stays where it was', async () => {
  const v = await open('kmp/race.kmp'), { page } = v;
  await page.waitForFunction('window.__picture?.scene3');
  await v.select('ENPT.entries[1]');
  await page.waitForSelector(by('handles'));
  await page.locator(by('handle-scale')).click();
  await page.evaluate(() => window.__picture.gizmo.onPlaced({ translation: [0, 0, 0], rotation: [0, 0, 0, 1], scale: [2, 2, 2] }, 'scale'));
  await page.waitForSelector(by('refused'));
  assert.match(await page.locator(by('refused')).textContent(), /scaled/);
  await page.keyboard.press('Escape');
  assert.deepEqual(await v.saved(), readFileSync(join(folder, 'kmp/race.kmp')));
  await v.done();
});

test('a file in an archive is edited, and the archive has it', async () => {
  const v = await open('games/small_game.nds'), { page } = v;
  const member = 'fielddata/land_data/land_data.narc', path = `small_game.nds/${member}/0`;
  await v.select('props[0].position.y', path);
  await page.keyboard.press('F2');
  await page.locator(by('value-field')).fill('33');
  await page.locator(by('value-field')).press('Enter');
  await v.editsAre(1);
  // What is saved now is the member; of the whole image, what the program makes of it.
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

// The same numbers on every machine.
function random(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

for (const file of ['kmp/race.kmp', 'land-data/town.bin', 'fft-mesh/valley.fft-mesh', 'nsbmd/windmill.nsbmd', 'splashpack/scene_v21.splashpack'])
  test(`random gestures are undone to the same bytes: ${file}`, async () => {
    const v = await open(file), { page } = v, next = random(seed), below = (n) => Math.floor(next() * n);
    await page.locator(by('structure')).focus();
    // An edit that is refused says why, and is left. The number of those that can be undone.
    const settled = async () => {
      for (;;) {
        await page.waitForFunction(([bar, dialog]) => document.querySelector(bar)?.getAttribute('aria-busy') === 'false' || document.querySelector(dialog), [by('edit-bar'), by('refused')]);
        if (!(await page.locator(by('refused')).count())) return Number((await page.locator(`${by('sheet-changes')} .badge`).count()) && (await page.locator(`${by('sheet-changes')} .badge`).textContent()));
        await page.locator(`${by('refused')} .buttons button`).last().click();
        await page.waitForFunction((dialog) => !document.querySelector(dialog), by('refused'));
      }
    };
    // What can be done with an element, and there is one to begin with.
    let most = 0;
    for (let i = 0; i < gestures; ++i) {
      // A row in sight is chosen, opened, or something is done with it.
      const at = next();
      const chosen = await page.evaluate(([box, part]) => {
        const rows = [...document.querySelectorAll(`${box} [data-path]`)], row = rows[Math.floor(part * rows.length)];
        row?.click();
        return row?.dataset.path;
      }, [by('structure'), at]);
      if (!chosen) continue;
      await page.locator(by('structure')).focus();
      const keys = ['ArrowRight', 'ArrowRight', 'ArrowRight', 'Control+d', 'Control+d', 'Control+d', 'Delete', 'Alt+ArrowUp', 'Alt+ArrowDown', 'F2', 'F2', 'F2', 'Insert', 'Control+c', 'Control+v', 'Control+z', 'Control+Shift+z'];
      const key = keys[below(keys.length)];
      await page.keyboard.press(key);
      if (key === 'F2' && (await page.locator(by('value-field')).count())) {
        const field = page.locator(by('value-field'));
        await field.fill(String(below(200)));
        await field.press('Enter');
        await settled();
        if (await field.count()) await field.press('Escape');
      }
      most = Math.max(most, await settled());
    }
    assert.ok(most > 1, `${most} edits`);
    console.log(`${file}: ${gestures} gestures, up to ${most} edits to undo`);
    await page.locator(by('structure')).focus();
    for (let left = await settled(); left > 0; left = await settled()) await page.keyboard.press('Control+z');
    assert.deepEqual(await v.saved(), readFileSync(join(folder, file)));
    await v.done();
  });
