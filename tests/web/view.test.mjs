// `dio view` with the viewer page in Chromium: a page with embedded files, and a served page. DIO is the path of the program,
// DIORAMA_VIEWER that of the page; default: build/viewer/diorama.html.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { by, forTests, patience, program, serving, viewer } from './viewer_page.mjs';

const { folder, browser } = forTests();

/** Waits until the page shows all of these texts and returns its requests. There must be no errors and no policy violations. */
async function shows(url, texts) {
  const page = await browser().newPage({ viewport: { width: 1280, height: 720 } });
  page.setDefaultTimeout(patience);
  const problems = [], requests = [];
  page.on('pageerror', (e) => problems.push(String(e)));
  page.on('console', (m) => { if (m.type() === 'error') problems.push(m.text()); });
  page.on('request', (r) => { if (!/^(data|blob):/.test(r.url())) requests.push({ url: r.url(), range: r.headers().range }); });
  await page.goto(url);
  await page.waitForFunction((all) => all.every((t) => document.body.innerText.includes(t)), texts)
    .catch(async () => assert.fail(`not shown: ${texts} in ${await page.evaluate(() => document.body.innerText)}`));
  assert.deepEqual(problems, []);
  await page.close();
  return requests;
}

const served = (files, work, ...options) => serving(folder, files, work, ...options);

test('a page with embedded files opens them without further requests', async () => {
  const page = join(folder, 'pack.html');
  const made = spawnSync(program, ['view', 'together/scene_v21.splashpack', '-o', page, '--page', viewer], { cwd: folder, encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  const requests = await shows(pathToFileURL(page).href, ['scene_v21.splashpack', 'scene_v21.vram', 'scene_v21.spu', 'nav_region_count']);
  assert.equal(requests.length, 1);
});

test('a served page reads files only from its own server', async () => {
  await served(['kmp/race.kmp', 'nsbmd/windmill.nsbmd'], async (address) => {
    const requests = await shows(address, ['race.kmp', 'windmill.nsbmd', 'KTPT']);
    assert.ok(requests.some((r) => /\/files\/0\?token=[0-9a-f]{32}$/.test(r.url)));
    for (const { url } of requests) assert.ok(url.startsWith(new URL(address).origin + '/'), url);
  });
});

test('a large disc is read in parts', async () => {
  const disc = join(folder, 'games/small_tactics.bin');
  truncateSync(disc, 2352 * 85_000);  // 200 MB
  await served(['games/small_tactics.bin'], async (address) => {
    const requests = (await shows(address, ['small_tactics.bin', 'MAP001'])).filter((r) => r.url.includes('/files/'));
    assert.ok(requests.length > 0);
    let bytes = 0;
    for (const { range } of requests) {
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? assert.fail(`no range: ${range}`);
      bytes += to - from + 1;
    }
    assert.ok(bytes < 16e6, `${bytes} bytes were read`);
  });
});

/** The file as edited by the program. */
function edited(file, ...words) {
  const out = join(folder, 'wanted.bin'), run = spawnSync(program, ['edit', join(folder, file), ...words, '-o', out, '-f', '-q'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  return readFileSync(out);
}
const select = (page, file, path = '') => page.evaluate(([f, p]) => {
  history.pushState(null, '', `#file=${encodeURIComponent(f)}&path=${encodeURIComponent(p)}`);
  dispatchEvent(new PopStateEvent('popstate'));
}, [file, path]);
async function type(page, file, path, value) {
  await select(page, file, path);
  await page.waitForSelector(`${by('structure')} [data-path="${path}"][aria-selected="true"]`);
  await page.locator(by('structure')).focus();
  await page.keyboard.press('F2');
  await page.locator(by('value-field')).fill(value);
  await page.locator(by('value-field')).press('Enter');
  await page.waitForSelector(by('edited'));
}
/** The page's announcement: visible for two seconds, but kept for screen readers. */
const toasted = (page, text) => page.waitForFunction((t) => [...document.querySelectorAll('[role="status"]')].some((e) => e.textContent.includes(t)), text);

test('saving a served file writes to disk without overwriting external changes', async () => {
  const file = join(folder, 'mine.kmp'), first = readFileSync(join(folder, 'kmp/race.kmp'));
  copyFileSync(join(folder, 'kmp/race.kmp'), file);
  const wanted = [edited('mine.kmp', 'set', 'GOBJ[0].presence=7'), edited('mine.kmp', 'set', 'GOBJ[0].presence=7', 'set', 'GOBJ[0].presence=9')];
  await served(['mine.kmp'], async (address) => {
    const page = await browser().newPage({ viewport: { width: 1280, height: 720 } }), problems = [];
    page.setDefaultTimeout(patience);
    page.on('pageerror', (e) => problems.push(String(e)));
    page.on('dialog', (d) => void d.accept());
    await page.goto(address);
    await page.waitForSelector(`${by('structure')} [data-path]`);
    await page.keyboard.press('Control+s');
    await toasted(page, 'Nothing to save');
    await type(page, 'mine.kmp', 'GOBJ.entries[0].presence', '7');
    await page.keyboard.press('Control+s');
    await toasted(page, 'Saved mine.kmp');
    assert.deepEqual(readFileSync(file), wanted[0]);
    assert.deepEqual(readFileSync(file + '.bak'), first);
    assert.equal(await page.locator(by('edited')).count(), 0);
    // Save again, with the tag of the first save; then back to the original contents.
    await type(page, 'mine.kmp', 'GOBJ.entries[0].presence', '9');
    await page.locator(by('save-edited')).click();
    await page.waitForFunction((s) => !document.querySelector(s), by('edited'));
    assert.deepEqual(readFileSync(file), wanted[1]);
    for (let i = 0; i < 2; ++i) await page.locator(by('undo')).click();
    await page.waitForSelector(by('edited'));
    await page.waitForFunction((s) => document.querySelector(s)?.textContent === 'Changes', by('sheet-changes'));
    await page.keyboard.press('Control+s');
    await page.waitForFunction((s) => !document.querySelector(s), by('edited'));
    assert.deepEqual(readFileSync(file), first);
    // Another program wrote first: its bytes stay, and so does the edit in the page, which can be downloaded.
    await type(page, 'mine.kmp', 'GOBJ.entries[0].presence', '7');
    writeFileSync(file, readFileSync(join(folder, 'kmp/arena.kmp')));
    await page.keyboard.press('Control+s');
    await page.waitForFunction(() => /was not saved: Another program has changed the file/.test(document.querySelector('[role=alert]')?.textContent));
    assert.deepEqual(readFileSync(file), readFileSync(join(folder, 'kmp/arena.kmp')));
    await page.waitForSelector(by('edited'));
    if (process.env.DIORAMA_PICTURES) await page.screenshot({ path: join(process.env.DIORAMA_PICTURES, 'not_saved.png') });
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+Shift+S')]);
    assert.deepEqual(readFileSync(await download.path()), wanted[0]);
    assert.deepEqual(problems, []);
    await page.close();
  }, '--edit', '--backup');
});

test('saving a file in a served archive updates the archive', async () => {
  const file = join(folder, 'mine.nds'), land = 'mine.nds/fielddata/land_data/land_data.narc/0';
  copyFileSync(join(folder, 'games/small_game.nds'), file);
  const wanted = join(folder, 'wanted.nds');
  copyFileSync(file, wanted);
  const run = spawnSync(program, ['edit', `${wanted}/fielddata/land_data/land_data.narc/0`, 'set', 'props[0].position.y=33', '-i'], { encoding: 'utf8' });
  assert.equal(run.status, 0, run.stderr);
  await served(['mine.nds'], async (address) => {
    const page = await browser().newPage({ viewport: { width: 1280, height: 720 } });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    await page.waitForSelector(`${by('structure')} [data-path]`);
    await type(page, land, 'props[0].position.y', '33');
    await page.keyboard.press('Control+s');
    await toasted(page, 'Saved mine.nds');
    assert.deepEqual(readFileSync(file), readFileSync(wanted));
    assert.equal(await page.locator(by('edited')).count(), 0);
    await page.close({ runBeforeUnload: false });
  }, '--edit');
});

test('without --edit, saving a served file downloads it', async () => {
  const before = readFileSync(join(folder, 'kmp/race.kmp'));
  await served(['kmp/race.kmp'], async (address) => {
    const page = await browser().newPage({ viewport: { width: 1280, height: 720 } });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    await page.waitForSelector(`${by('structure')} [data-path]`);
    await type(page, 'race.kmp', 'GOBJ.entries[0].presence', '7');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
    assert.deepEqual(readFileSync(await download.path()), edited('kmp/race.kmp', 'set', 'GOBJ[0].presence=7'));
    assert.deepEqual(readFileSync(join(folder, 'kmp/race.kmp')), before);
    await page.close({ runBeforeUnload: false });
  });
});

test('moving a prop in a large cartridge saves the cartridge', async () => {
  const file = join(folder, 'large.nds'), wanted = join(folder, 'wanted.nds'), land = 'fielddata/land_data/land_data.narc/0';
  copyFileSync(join(folder, 'games/small_game.nds'), file);
  truncateSync(file, 40 << 20);  // it is read in parts
  copyFileSync(file, wanted);
  await served(['large.nds'], async (address) => {
    const page = await browser().newPage({ viewport: { width: 1280, height: 720 } });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    await page.waitForFunction(() => window.__picture?.scene3);
    const show = () => page.evaluate((f) => {
      history.pushState(null, '', `#file=large.nds/${f}&path=props[1]&part=matrix/0`);
      dispatchEvent(new PopStateEvent('popstate'));
    }, land);
    // Not yet: the whole file must be read first.
    await show();
    await page.waitForSelector(by('handles'));
    await page.locator(by('canvas')).focus();
    await page.keyboard.press('Control+ArrowRight');
    await page.waitForFunction((s) => /read the whole file first/.test(document.querySelector(s)?.textContent), by('refused'));
    await page.keyboard.press('Escape');
    await select(page, 'large.nds');
    await page.getByRole('button', { name: 'Read the whole file' }).click();
    await page.waitForSelector(`${by('structure')} [data-path]`);
    await show();
    await page.waitForSelector(by('handles'));
    const before = await page.evaluate(() => window.__picture.gizmo.pose.translation);
    await page.locator(by('canvas')).focus();
    await page.keyboard.press('Control+ArrowRight');
    await page.waitForSelector(by('edited'));
    // The picture also shows the change.
    await page.waitForFunction((x) => window.__picture.gizmo.node >= 0 && window.__picture.gizmo.pose.translation[0] > x, before[0]);
    await page.waitForFunction((x) => { const { scene3, gizmo } = window.__picture; return gizmo.node >= 0 && scene3.data.nodes[gizmo.node].translation[0] > x; }, before[0]);
    const after = await page.evaluate(() => window.__picture.gizmo.pose.translation);
    await page.keyboard.press('Control+s');
    await toasted(page, 'Saved large.nds');
    const run = spawnSync(program, ['edit', `${wanted}/${land}`, 'place', 'props[1]', `translation=${after.map((x) => Math.fround(x)).join(',')}`, '-i'], { encoding: 'utf8' });
    assert.equal(run.status, 0, run.stderr);
    assert.ok(readFileSync(file).equals(readFileSync(wanted)));
    await page.close({ runBeforeUnload: false });
  }, '--edit');
});

test('a served unpacked game shows its world and saves edited files in place', async () => {
  spawnSync(program, ['unpack', 'games/village.nds', '-o', 'village', '-q', '-f'], { cwd: folder });
  await served(['village'], async (address) => {
    const page = await browser().newPage({ viewport: { width: 1280, height: 720 } });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    await page.waitForFunction(() => window.__picture?.scene3);
    const file = await page.evaluate(() => window.__picture.scene3.data.nodes.map((n) => n.extras).find((e) => /^props\[/.test(e?.path ?? '')).file);
    await page.evaluate((f) => {
      history.pushState(null, '', `#file=${encodeURIComponent(f)}&path=props[0].position.x&part=matrix/0`);
      dispatchEvent(new PopStateEvent('popstate'));
    }, file.startsWith('village/') ? file : `village/${file}`);
    await page.waitForSelector(`${by('structure')} [data-path="props[0].position.x"][aria-selected="true"]`);
    await page.locator(by('structure')).focus();
    await page.keyboard.press('F2');
    await page.locator(by('value-field')).fill('8');
    await page.locator(by('value-field')).press('Enter');
    await page.waitForSelector(by('edited'));
    await page.keyboard.press('Control+s');
    await page.waitForFunction((s) => !document.querySelector(s), by('edited'));
    const name = file.replace(/^village\//, '');
    assert.equal(spawnSync(program, ['get', `village/${name}`, 'props[0].position.x'], { cwd: folder, encoding: 'utf8' }).stdout.trim(), '8.0');
    await page.close();
  }, '--edit');
});
