// The page of `dio render --tiles` opened from disk in a browser: it shows the tiles and can be moved by wheel, pointer, touch and keys.
// DIO is the path of the program.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';

import { launched, patience } from './page.mjs';

const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
after(() => rmSync(folder, { recursive: true }));
const dio = (...args) => {
  const { status, stderr } = spawnSync(process.env.DIO, args, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
};
dio('formats', '--samples', folder);
const game = join(folder, 'games/small_game.nds');

/** Opens a page from disk and passes it to `work` with its reported errors. */
async function withPageOnDisk(file, work) {
  const browser = await launched(['--disable-gpu']);
  try {
    const context = await browser.newContext({ viewport: { width: 640, height: 400 }, hasTouch: true });
    const page = await context.newPage(), errors = [], loaded = new Set();
    page.setDefaultTimeout(patience);
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => errors.push(message.text()));
    page.on('requestfailed', (request) => errors.push(`${request.url()} failed`));
    page.on('request', (request) => loaded.add(request.url()));
    await page.goto(pathToFileURL(file).href);
    await work(page, errors, loaded);
  } finally {
    await browser.close();
  }
}
/** Waits until all requested tiles are loaded and drawn. A canvas with pictures from disk cannot be read, so screenshots are compared. */
const isDrawn = async (page) => {
  await page.waitForFunction(() => pictures.size > 0 && [...pictures.values()].every((p) => p.complete) && !queued, null, { polling: 50 });
  await page.waitForTimeout(100);
};
const shot = async (page) => (await page.screenshot()).toString('base64');

test('a tile page opens from disk and can be moved', async () => {
  const out = join(folder, 'town');
  dio('render', '-q', game, '--part', 'header/1', '--tiles=64', '--scale', '16', '-o', out);
  const about = JSON.parse(readFileSync(join(out, 'tiles.json'), 'utf8'));
  assert.deepEqual([about.width, about.height, about.maxzoom, about.map.pixels_per_tile], [512, 512, 3, 16]);
  await withPageOnDisk(join(out, 'index.html'), async (page, errors, loaded) => {
    await isDrawn(page);
    const seen = new Set([await shot(page)]);
    const changes = async (what, does) => {
      await does();
      await isDrawn(page);
      let now = await shot(page);
      for (const end = Date.now() + patience; seen.has(now) && Date.now() < end; now = await shot(page)) await page.waitForTimeout(50);
      assert.ok(!seen.has(now), `${what} changes nothing`);
      seen.add(now);
    };
    await page.mouse.move(320, 200);
    await changes('the wheel', () => page.mouse.wheel(0, -400));
    await changes('dragging', async () => {
      await page.mouse.down();
      await page.mouse.move(380, 260, { steps: 4 });
      await page.mouse.up();
    });
    await changes('an arrow key', () => page.keyboard.press('ArrowLeft'));
    await changes('the plus key', () => page.keyboard.press('+'));
    await changes('the button', () => page.click('#out'));
    await changes('two fingers', () => page.evaluate(() => {
      const c = document.querySelector('canvas');
      c.setPointerCapture = () => {};
      const send = (type, pointerId, clientX, clientY) => c.dispatchEvent(new PointerEvent(type, { pointerId, clientX, clientY, pointerType: 'touch' }));
      send('pointerdown', 11, 300, 200), send('pointerdown', 12, 340, 200);
      send('pointermove', 11, 250, 200), send('pointermove', 12, 420, 200);
      send('pointerup', 11, 250, 200), send('pointerup', 12, 420, 200);
    }));
    await changes('hiding names', () => page.keyboard.press('n'));
    // The upper left corner of the map is tile 0, 0 of the game, in the town.
    await page.keyboard.press('0');
    await page.mouse.move(320 - 200 + 2, 2);
    assert.equal(await page.textContent('#tip'), '0, 0 TOWN');
    await page.mouse.move(320 + 200 - 2, 398);
    assert.equal(await page.textContent('#tip'), '31, 31 TOWN');
    assert.deepEqual(errors, []);
    const others = [...loaded].filter((url) => !url.startsWith(pathToFileURL(out).href));
    assert.deepEqual(others, []);
    assert.ok([...loaded].some((url) => url.includes('/3/')), 'the deepest level was not loaded');
  });
});

test('the tile page shows the same picture as dio render', async () => {
  const out = join(folder, 'valley'), whole = join(folder, 'valley.png');
  const map = [join(folder, 'games/small_tactics.bin'), '--part', 'map/1', '--scale', '28'];
  dio('render', '-q', ...map, '--tiles=64', '-o', out);
  dio('render', '-q', ...map, '-o', whole);
  await withPageOnDisk(join(out, 'index.html'), async (page, errors) => {
    await isDrawn(page);
    // One map pixel per screen pixel, with the map corner at the page centre.
    await page.evaluate(() => { s = 1, x = innerWidth / 2, y = innerHeight / 2, names = false, redraw(); });
    await isDrawn(page);
    await page.addStyleTag({ content: 'nav, output { display: none !important }' });
    const clip = { x: 0, y: 0, width: 224, height: 224 };
    const seen = await page.screenshot({ clip });
    await page.setContent(`<body style="margin:0"><img src="data:image/png;base64,${readFileSync(whole).toString('base64')}">`);
    await page.waitForFunction(() => document.images[0].complete);
    const expected = await page.screenshot({ clip });
    assert.ok(seen.equals(expected), 'the page shows something else');
    assert.deepEqual(errors, []);
  });
});
