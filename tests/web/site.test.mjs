// The documentation site opened from disk in Chromium. DIORAMA_SITE is its folder; default: build/site.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { launched, patience } from './page.mjs';

const site = process.env.DIORAMA_SITE ?? fileURLToPath(new URL('../../build/site', import.meta.url));
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const desktop = { width: 1280, height: 800 }, phone = { width: 390, height: 844 };
let browser;
before(async () => {
  assert.ok(existsSync(join(site, 'index.html')), `${site}: no such site; build it with: ./dev docs`);
  browser = await launched();
});
after(() => browser?.close());

/** A page with its external requests and errors. */
async function open(address, { size = desktop, scheme = 'light' } = {}) {
  const page = await browser.newPage({ viewport: size, colorScheme: scheme, reducedMotion: 'reduce' });
  const errors = [], outside = [];
  page.on('pageerror', (e) => errors.push(String(e.stack)));
  page.on('request', (r) => { if (!/^(file|data|blob):/.test(r.url())) outside.push(r.url()); });
  page.setDefaultTimeout(patience);
  await page.goto(pathToFileURL(join(site, address)).href);
  return { page, async done() {
    assert.deepEqual([errors, outside], [[], []]);
    await page.close();
  } };
}

test('the search works with the keyboard alone', async () => {
  const { page, done } = await open('guide/platinum.html');
  await page.keyboard.press('/');
  await page.keyboard.type('kmp.ckpt-lap');
  await page.waitForSelector('#results a[aria-selected="true"]');
  assert.match(await page.textContent('#results a[aria-selected="true"] b'), /^kmp\.ckpt-lap$/);
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('#result-1[aria-selected="true"]');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await page.waitForURL(/diagnostics\/kmp\.ckpt-lap\.html/);
  await page.keyboard.press('/');
  await page.keyboard.type('zxqvw');
  await page.waitForSelector('#results p');
  await page.keyboard.press('Escape');
  assert.equal(await page.isVisible('#results'), false);
  await done();
});

for (const [query, wanted] of [['mirror a course', /cookbook\.html#mirror-a-course$/], ['dio_open', /api\/c\.html#dio_open$/], ['GOBJ.entries[].route', /formats\/kmp\.html#field\.GOBJ\.entries\.route$/]])
  test(`searching for "${query}" opens the right section`, async () => {
    const { page, done } = await open('index.html');
    await page.fill('#search', query);
    await page.waitForSelector('#results a');
    await page.keyboard.press('Enter');
    await page.waitForURL(wanted);
    const id = decodeURIComponent(new URL(page.url()).hash.slice(1));
    assert.ok(await page.evaluate((i) => document.getElementById(i).getBoundingClientRect().top >= 50, id), 'it is not below the header');
    await done();
  });

const looked = ['index.html', 'guide/cookbook.html', 'guide/command-line.html', 'formats/kmp.html', 'diagnostics/index.html', 'diagnostics/kmp.hdr-len.html', 'api/c.html', 'api/cpp-operations.html'];
test('pages fit a phone screen and their menu opens', async () => {
  for (const address of looked) {
    const { page, done } = await open(address, { size: phone });
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= phone.width, `${address} is ${wide} wide`);
    await page.click('#menu');
    assert.ok(await page.isVisible('.side a'), address);
    await done();
  }
});

test('axe finds no serious accessibility problem', async () => {
  const found = [];
  for (const scheme of ['light', 'dark'])
    for (const address of looked) {
      const { page, done } = await open(address, { scheme });
      assert.equal(await page.getAttribute('html', 'data-theme'), scheme);
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      for (const v of violations) if (['serious', 'critical'].includes(v.impact)) found.push(`${scheme} ${address} ${v.id}: ${v.nodes.slice(0, 3).map((n) => n.html.slice(0, 100)).join(' | ')}`);
      await done();
    }
  assert.deepEqual(found, []);
});

test('copying a code block copies only the commands', async () => {
  const { page, done } = await open('guide/cookbook.html');
  await page.evaluate(() => { navigator.clipboard.writeText = async (text) => { window.__copied = text; }; });
  const block = page.locator('#find-out-what-is-wrong-with-a-file-and-how-to-fix-it ~ pre').first();
  await block.hover();
  await block.locator('.copy').click();
  assert.equal(await page.evaluate('window.__copied'), 'dio check samples/kmp/double_section.kmp\ndio explain kmp.sec-double');
  await done();
});

test('a live view opens on a click', { skip: !existsSync(join(site, 'views')) && 'the viewer is not built' }, async () => {
  const { page, done } = await open('guide/courses.html');
  assert.equal(await page.locator('iframe').count(), 0);
  await page.click('.live button');
  const frame = page.frameLocator('.live iframe');
  await frame.locator('[data-test="structure"] [data-path]').first().waitFor();
  assert.match(await frame.locator('[data-test="title"]').textContent(), /Mario Kart Wii course/);
  await done();
});
