// `dio view` and the page of the viewer together, in Chromium: a page with files in it, and one that is served. DIO is the path of
// the program, DIORAMA_VIEWER that of the page; else build/viewer/diorama.html.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { forTests, patience, program, viewer } from './viewer_page.mjs';

const { folder, browser } = forTests();

/** The page until it shows all of these texts; what it asked for. Nothing may go wrong, nor be against its policy. */
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

async function served(files, work) {
  const server = spawn(program, ['view', ...files, '--serve', '--page', viewer], { cwd: folder });
  try {
    const address = await new Promise((resolve, reject) => {
      server.stdout.once('data', (text) => resolve(String(text).trim()));
      server.once('exit', () => reject(new Error('no server')));
    });
    await work(address);
    server.kill('SIGINT');
    assert.equal(await new Promise((resolve) => server.once('exit', resolve)), 0);
  } finally {
    server.kill('SIGKILL');
  }
}

test('a page with files in it opens them from a disk and asks for nothing', async () => {
  const page = join(folder, 'pack.html');
  const made = spawnSync(program, ['view', 'together/scene_v21.splashpack', '-o', page, '--page', viewer], { cwd: folder, encoding: 'utf8' });
  assert.equal(made.status, 0, made.stderr);
  const requests = await shows(pathToFileURL(page).href, ['scene_v21.splashpack', 'scene_v21.vram', 'scene_v21.spu', 'nav_region_count']);
  assert.equal(requests.length, 1);
});

test('a served page reads its files from where it comes from, and from nowhere else', async () => {
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
