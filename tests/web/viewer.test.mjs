// The viewer page opened from disk in Chromium. DIO is the path of the program, DIORAMA_VIEWER that of the page; default:
// build/viewer/diorama.html.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { asked, by, countAsked, drop, forTests, patience, program, viewer, viewerUrl } from './viewer_page.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const desktop = { width: 1280, height: 720 }, phone = { width: 390, height: 844 };
const { folder, browser } = forTests();

const sample = (path) => join(folder, path);

/** The page with its requests and errors. */
async function open({ size = desktop, hash = '', page: url = viewerUrl, scheme = 'light' } = {}) {
  const page = await browser().newPage({ viewport: size, colorScheme: scheme, reducedMotion: 'reduce' });
  const requests = [], errors = [];
  page.on('request', (r) => { if (!/^(data|blob):/.test(r.url())) requests.push(r.url()); });
  page.on('pageerror', (e) => errors.push(String(e.stack)));
  page.setDefaultTimeout(patience);
  await page.goto(url + hash);
  await page.waitForFunction('window.__ready');
  await page.evaluate('window.__ready');
  return {
    page, errors, requests,
    take: (...paths) => page.setInputFiles(by('file-input'), paths.map(sample)),
    address: () => page.evaluate(() => Object.fromEntries(location.hash.slice(1).split('&').map((w) => w.split('=').map(decodeURIComponent)))),
    addressIs: (name, value) => page.waitForFunction(([n, v]) => location.hash.slice(1).split('&').some((w) => w === `${n}=${encodeURIComponent(v).replace(/%2F/gi, '/')}`), [name, value]),
    /** Closes the page after checking that it made no external requests and no errors occurred. */
    async done() {
      assert.deepEqual(errors, []);
      assert.deepEqual(requests.filter((r) => !r.startsWith('file:')), []);
      assert.equal(requests.length, 1, `requests: ${requests}`);
      await page.close();
    },
  };
}
test('the page is at most 2.75 MB', () => {
  assert.ok(statSync(viewer).size <= 2.75e6, `${statSync(viewer).size} bytes`);
});

test('dropped files of every family open', async () => {
  const v = await open();
  const files = [
    ['kmp/race.kmp', 'Mario Kart Wii course'], ['nsbmd/windmill.nsbmd', 'Nitro models'], ['land-data/town.bin', 'Platinum maps'],
    ['fft-mesh/valley.fft-mesh', 'Final Fantasy Tactics map'], ['splashpack/scene_v21.splashpack', 'scene pack'], ['narc/named.narc', 'NARC archive'],
  ];
  for (const [path, title] of files) {
    await drop(v.page, [sample(path)]);
    const name = path.slice(path.lastIndexOf('/') + 1);
    await v.addressIs('file', name);
    await v.page.waitForFunction((t) => document.querySelector('[data-test="title"]')?.textContent.includes(t), title);
    await v.page.waitForSelector(`${by('structure')} [data-path]`);
    await v.page.waitForSelector(`${by('bytes')} .hex-row .hex-cell span`);
  }
  assert.equal(await v.page.locator(`${by('files')} [role=treeitem][aria-level="1"]`).count(), files.length);
  await v.done();
});

test('structure, bytes and address share one selection', async () => {
  const v = await open(), { page } = v;
  await v.take('kmp/race.kmp');
  const row = (path) => page.locator(`${by('structure')} [data-path="${path}"]`);
  await row('KTPT').dblclick();
  await row('KTPT.entries').waitFor();
  await row('KTPT.entries').dblclick();
  await row('KTPT.entries[0]').click();
  await v.addressIs('path', 'KTPT.entries[0]');
  // Waits until exactly these bytes are marked.
  const marks = (expected) => page.waitForFunction((wanted) => {
    const out = [];
    for (const row of document.querySelectorAll('[data-test="bytes"] .hex-row')) {
      let at = Number(row.dataset.offset);
      for (const run of row.querySelector('.hex-cell').children) {
        const n = run.textContent.trim().split(/\s+/).length;
        if (run.classList.contains('selected')) for (let i = 0; i < n; ++i) out.push(at + i);
        at += n;
      }
    }
    return String(out) === wanted;
  }, String(expected));
  const trace = JSON.parse(spawnSync(program, ['hex', '--json', sample('kmp/race.kmp')], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout);
  const own = trace.spans.filter((s) => s.path.startsWith('KTPT.entries[0].'));
  const expected = own.flatMap((s) => Array.from({ length: s.size }, (_, i) => s.offset + i)).sort((a, b) => a - b);
  assert.ok(expected.length > 20);
  await marks(expected);
  // A click on a byte also selects its field in the tree: the first four bytes are the magic, then comes the length.
  const cell = page.locator(`${by('bytes')} .hex-row[data-offset="0"] .hex-cell`);
  await page.locator(by('bytes')).evaluate((e) => { e.scrollTop = 0; });
  await cell.click({ position: { x: 12 * 7.2 + 4, y: 10 } });
  await v.addressIs('path', 'length');
  await page.waitForSelector(`${by('structure')} [data-path="length"][aria-selected="true"]`);
  await marks([4, 5, 6, 7]);
  await page.waitForFunction(() => /not read by the game/.test(document.querySelector('[data-test="detail"]')?.textContent));
  // Back and forward.
  await page.goBack();
  await page.waitForSelector(`${by('structure')} [data-path="KTPT.entries[0]"][aria-selected="true"]`);
  await page.goForward();
  await page.waitForSelector(`${by('structure')} [data-path="length"][aria-selected="true"]`);
  await v.done();
});

test('a link opens the linked value', async () => {
  const v = await open({ hash: '#file=race.kmp&path=ENPT.entries%5B3%5D.position' }), { page } = v;
  // A link to a built-in sample opens the sample.
  await page.waitForSelector(`${by('structure')} [data-path="ENPT.entries[3].position"][aria-selected="true"]`);
  await page.waitForSelector(`${by('bytes')} .selected`);
  assert.equal((await v.address()).path, 'ENPT.entries[3].position');
  await v.done();
});

test('archives open in place and their members can be read', async () => {
  const v = await open(), { page } = v;
  await v.take('games/small_game.nds');
  // Only visible rows exist: scrolls until the row appears.
  const choose = async (path) => {
    const key = `small_game.nds/${path}`;
    await page.waitForFunction((key) => {
      const list = document.querySelector('[data-test="files"]');
      if ([...list.querySelectorAll('[data-key]')].some((e) => e.dataset.key === key)) return true;
      list.scrollTop = list.scrollTop + list.clientHeight >= list.scrollHeight - 1 ? 0 : list.scrollTop + list.clientHeight / 2;
      return false;
    }, key);
    await page.click(`${by('files')} [data-key="${key}"]`);
  };
  for (const step of ['fielddata', 'fielddata/land_data', 'fielddata/land_data/land_data.narc']) await choose(step);
  await page.waitForFunction(() => document.querySelector('[data-test="title"]').textContent.includes('NARC archive'));
  await choose('fielddata/land_data/land_data.narc/0');
  await v.addressIs('file', 'small_game.nds/fielddata/land_data/land_data.narc/0');
  await page.waitForFunction(() => document.querySelector('[data-test="title"]').textContent.includes('Platinum maps'));
  await page.fill(by('find-file'), 'zone_event');
  await page.locator(`${by('files')} [role=treeitem]`).first().waitFor();
  await page.waitForFunction(() => [...document.querySelectorAll('[data-test="files"] [role=treeitem]')].every((e) => /zone_event/.test(e.textContent)));
  await page.click(`${by('files')} [role=treeitem]`);
  await v.addressIs('file', 'small_game.nds/fielddata/eventdata/zone_event.narc');
  await v.done();
});

test('a game lists its worlds and shows them with their files', async () => {
  const v = await open(), { page } = v;
  await countAsked(page);
  await v.take('games/small_game.nds');
  await v.addressIs('part', 'matrix/0');
  await page.waitForSelector(`${by('pane-picture')} canvas`);
  await v.addressIs('file', 'small_game.nds/fielddata/mapmatrix/map_matrix.narc/0');
  await page.locator(`${by('files')} [role=treeitem]`, { hasText: 'TOWN' }).click();
  await v.addressIs('part', 'header/1');
  await page.fill(by('find-file'), 'm_wood');
  await page.locator(`${by('files')} [role=treeitem]`, { hasText: 'm_wood' }).click();
  await v.addressIs('part', 'land/2');
  await v.addressIs('file', 'small_game.nds/fielddata/land_data/land_data.narc/2');
  await page.waitForFunction(() => document.querySelector('[data-test="title"]').textContent.includes('m_wood'));
  // Back to the town and its world.
  await page.goBack();
  await v.addressIs('part', 'header/1');
  await page.click(by('check-game'));
  await page.waitForSelector(':text("in all files")');
  assert.equal(await asked(page, 'game'), 1, 'several panes need what a game consists of; it takes long');
  await v.done();
});

test('map files dropped together open as a game', async () => {
  const v = await open(), { page } = v;
  const disc = mkdtempSync(join(folder, 'map-'));
  const extracted = spawnSync(program, ['unpack', sample('games/small_tactics.bin'), '-o', join(disc, 'out')], { encoding: 'utf8' });
  assert.equal(extracted.status, 0, extracted.stderr);
  const names = readdirSync(join(disc, 'out', 'MAP')).filter((name) => name.startsWith('MAP001')).map((name) => join(disc, 'out', 'MAP', name));
  assert.ok(names.length > 4);
  await page.setInputFiles(by('file-input'), names);
  await page.waitForFunction(() => /part=map\/\d/.test(location.hash));
  await page.waitForSelector(`${by('pane-picture')} canvas`);
  await page.waitForFunction(() => /Final Fantasy Tactics/.test(document.querySelector('[data-test="title"]').textContent));
  await v.done();
});

test('served files are read in parts', async () => {
  const html = readFileSync(viewer, 'utf8'), at = html.lastIndexOf('</body>'), bytes = readFileSync(sample('games/small_game.nds'));
  const serve = JSON.stringify({ token: 'a b', files: [{ name: 'served.nds', size: bytes.length }] }), asked = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    asked.push(url.pathname);
    if (url.pathname === '/') return response.setHeader('content-type', 'text/html').end(`${html.slice(0, at)}<script type="application/json" id="diorama-serve">${serve}</script>${html.slice(at)}`);
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
    if (url.pathname !== '/files/0' || url.searchParams.get('token') !== 'a b' || !range) return response.writeHead(404).end();
    response.writeHead(206).end(bytes.subarray(Number(range[1]), Number(range[2]) + 1));
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  try {
    const v = await open({ page: `http://127.0.0.1:${server.address().port}/` });
    await v.addressIs('part', 'matrix/0');
    await v.page.waitForSelector(`${by('pane-picture')} canvas`);
    assert.deepEqual(v.errors, []);
    assert.deepEqual([...new Set(asked)].sort(), ['/', '/files/0']);
    await v.page.close();
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('clicking a byte without its own row selects the enclosing row', async () => {
  const v = await open(), { page } = v;
  await v.take('kmp/race.kmp');
  await page.fill(by('goto'), '0x4d');
  await page.press(by('goto'), 'Enter');
  await page.locator(`${by('bytes')} .hex-row[data-offset="64"] .hex-cell span`, { hasText: '4b' }).first().click();
  await v.addressIs('path', 'KTPT.magic');
  await page.waitForSelector(`${by('structure')} [data-path="KTPT"][aria-selected="true"]`);
  await page.waitForFunction(() => /KTPT/.test(document.querySelector('[data-test="detail"] dd.value')?.textContent ?? ''));
  await v.done();
});

test('a slow request can be stopped and repeated', async () => {
  const v = await open(), { page } = v;
  // Scene requests never reach the worker, whichever worker is asked.
  await page.evaluate(() => {
    const { postMessage, terminate } = Worker.prototype;
    window.__isSlow = true, window.__ended = 0;
    Worker.prototype.postMessage = function (message, ...rest) {
      if (window.__isSlow && message.method === 'scene') this.isHeld = true;
      else postMessage.call(this, message, ...rest);
    };
    Worker.prototype.terminate = function () {
      if (this.isHeld) ++window.__ended;
      terminate.call(this);
    };
  });
  await v.take('kmp/race.kmp');
  await page.click(`${by('busy')}:has-text("Building the picture") button`);
  await page.waitForFunction(() => /Stopped before the picture was complete/.test(document.querySelector('[data-test="pane-picture"]').textContent));
  assert.equal(await page.evaluate('window.__ended'), 1, 'the worker goes on');
  await page.waitForSelector(`${by('structure')} [data-path="KTPT"]`);  // the other panes have what they need
  await page.evaluate(() => { window.__isSlow = false; });
  await page.click('text=Build the picture again');
  await page.waitForFunction('window.__picture?.scene3?.triangles > 0');
  await v.done();
});

test('clicking a finding selects its value and explains the rule', async () => {
  const v = await open(), { page } = v;
  await v.take('kmp/truncated.kmp');
  const { findings } = JSON.parse(spawnSync(program, ['check', '--json', sample('kmp/truncated.kmp')], { encoding: 'utf8' }).stdout);
  await page.locator(by('finding')).first().waitFor();
  const ids = await page.locator(by('finding')).evaluateAll((list) => list.map((e) => e.dataset.id));
  assert.deepEqual(ids.toSorted(), findings.map((f) => f.id).sort());
  await page.locator(`${by('finding')}[data-id="kmp.hdr-len"] .finding-main`).click();
  await v.addressIs('path', 'length');
  await page.waitForSelector(`${by('bytes')} .selected`);
  await page.locator(`${by('finding')}[data-id="kmp.hdr-len"] .why`).click();
  await page.waitForFunction(() => (document.querySelector('.rule')?.textContent.length ?? 0) > 40);
  await v.done();
});

test('an unreadable file shows the reason', async () => {
  const v = await open(), { page } = v;
  writeFileSync(sample('strange.bin'), 'nothing that any format begins with');
  const half = readFileSync(sample('splashpack/scene_v21.splashpack')).subarray(0, 5000);
  writeFileSync(sample('half.splashpack'), half);
  await v.take('half.splashpack');
  await page.waitForSelector(by('file-error'));
  await page.waitForFunction(() => document.querySelector('[data-test="file-error"]').textContent.length > 60);
  await v.take('strange.bin');
  await v.addressIs('file', 'strange.bin');
  await page.waitForFunction(() => /unknown format/i.test(document.querySelector('[data-test="file-error"]')?.textContent ?? ''));
  await page.waitForSelector(`${by('bytes')} .hex-row .hex-cell span`);
  await v.done();
});

test('an error in any family selects the faulty value in the tree', async () => {
  const v = await open(), { page } = v;
  /** A sample with different bytes at an offset. */
  const broken = (from, name, offset, bytes) => {
    const all = readFileSync(sample(from));
    Buffer.from(bytes).copy(all, offset);
    writeFileSync(sample(name), all);
  };
  broken('kmp/race.kmp', 'offset.kmp', 44, [0, 0, 0x26, 0xa0]);
  broken('nsbmd/windmill.nsbmd', 'offset.nsbmd', 80, [0x60, 0xea, 0, 0]);
  broken('land-data/town.bin', 'count.bin', 8, [0x90, 0x5f, 1, 0]);
  broken('fft-mesh/valley.fft-mesh', 'offset.fft-mesh', 64, [0, 0, 0x90, 0]);
  broken('splashpack/scene_v21.splashpack', 'count.splashpack', 6, [0x70, 0x17]);
  for (const [name, path, unread] of [
    ['offset.kmp', 'sections[7].offset'], ['offset.nsbmd', 'models[0].materials_offset'], ['count.bin', 'model'], ['offset.fft-mesh', 'slots[16]', 'primary'], ['count.splashpack', 'object_count', 'objects'],
  ]) {
    await v.take(name);
    await v.addressIs('file', name);
    if (unread) await page.waitForFunction((p) => document.querySelector(`[data-test="structure"] [data-path="${p}"] .unread`)?.textContent === 'not read', unread);
    if (name === 'offset.kmp') await page.locator('.finding-main').first().click();
    else await page.click(by('show-place'));
    await v.addressIs('path', path);
    await page.waitForSelector(`${by('bytes')} .selected, ${by('bytes')} .mark`);
    await page.waitForFunction((p) => document.querySelector('[data-test="detail"] .crumbs')?.textContent.includes(p.split('.').at(-1)), path);
    if (name === 'count.splashpack') continue;  // counts follow from their lists, and have no rows
    await page.waitForFunction((p) => {
      const list = document.querySelector('[data-test="structure"]'), row = list.querySelector('[aria-selected="true"]'), [a, b] = [row, list].map((e) => e?.getBoundingClientRect());
      return row?.dataset.path === p && a.top >= b.top - 1 && a.bottom <= b.bottom + 1;
    }, path);
  }
  await v.done();
});

test('models find their animations, which can be switched off', async () => {
  const v = await open(), { page } = v;
  await v.take('nsbmd/windmill.nsbmd', 'nsbca/windmill.nsbca', 'nsbta/banners.nsbta', 'kmp/race.kmp');
  await page.click(`${by('files')} [data-key="windmill.nsbmd"]`);
  const box = (name) => page.locator(`${by('pairing')} label`, { hasText: name }).locator('input');
  await box('windmill.nsbca').waitFor();
  assert.equal(await box('windmill.nsbca').isChecked(), true);
  assert.equal(await box('banners.nsbta').isChecked(), false);
  assert.equal(await box('race.kmp').count(), 0);
  await box('windmill.nsbca').uncheck();
  await page.waitForFunction(() => document.querySelectorAll('[data-test="pairing"] input:checked').length === 0);
  await box('banners.nsbta').check();
  await page.waitForFunction(() => document.querySelectorAll('[data-test="pairing"] input:checked').length === 1);
  await v.done();
});

test('the budget sheet shows the usage and video memory of a pack', async () => {
  const v = await open(), { page } = v;
  await v.take('together/scene_v21.splashpack', 'together/scene_v21.vram', 'together/scene_v21.spu');
  await page.click(by('sheet-budget'));
  await page.waitForSelector(`${by('budget')} svg rect`);
  assert.ok((await page.locator(`${by('budget')} [role=meter]`).count()) >= 4);
  await page.click(by('sheet-summary'));
  await page.waitForFunction(() => /scene type/.test(document.querySelector('[data-test="summary"]')?.textContent ?? ''));
  await v.done();
});

test('textures without a scene appear as a gallery', async () => {
  const v = await open(), { page } = v;
  await v.take('nsbtx/swatches.nsbtx');
  await page.waitForSelector(`${by('gallery')} img`);
  await page.waitForFunction(() => [...document.querySelectorAll('[data-test="gallery"] img')].every((i) => i.naturalWidth > 0));
  await v.done();
});

test('everything can be reached with the keyboard', async () => {
  const v = await open(), { page } = v, key = (k) => page.keyboard.press(k);
  await v.take('kmp/race.kmp');
  await page.waitForSelector(`${by('structure')} [data-path="length"]`);
  await key('Alt+3');
  await page.waitForFunction(() => document.activeElement?.dataset.test === 'structure');
  await key('Home');
  await v.addressIs('path', 'length');
  for (let i = 0; i < 4; ++i) await key('ArrowDown');
  await v.addressIs('path', 'KTPT');
  await key('ArrowRight');
  await page.waitForSelector(`${by('structure')} [data-path="KTPT"][aria-expanded="true"]`);
  await key('ArrowRight');
  await page.waitForFunction(() => /path=KTPT\.\w+/.test(location.hash));
  await key('ArrowLeft');
  await v.addressIs('path', 'KTPT');
  await key('ArrowLeft');
  await page.waitForSelector(`${by('structure')} [data-path="KTPT"][aria-expanded="false"]`);
  // Search: typing without waiting for results.
  await key('/');
  await page.keyboard.type('gobj entries[1] position');
  await key('ArrowDown');
  await v.addressIs('path', 'GOBJ.entries[1].position.x');
  await key('ArrowDown');
  await v.addressIs('path', 'GOBJ.entries[1].position.y');
  await page.waitForFunction(() => /position\.y/.test(document.querySelector('[data-test="detail"]')?.textContent ?? ''));
  await key('Escape');  // back to the tree, at the row that was found
  await page.waitForSelector(`${by('structure')} [aria-selected="true"]`);
  await page.waitForFunction(() => document.activeElement?.dataset.test === 'structure');
  // Bytes.
  await key('g');
  await page.keyboard.type('0x4');
  await key('Enter');
  await v.addressIs('path', 'length');
  await key('Alt+4');
  await key('ArrowDown');
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes('path=sections['));
  // Commands, help, panes, borders.
  await key('Control+k');
  await page.waitForSelector(by('palette'));
  await page.keyboard.type('theme dark');
  await key('Enter');
  await page.waitForFunction(() => document.documentElement.dataset.theme === 'dark');
  await key('Control+k');
  await page.waitForSelector(by('palette'));
  await page.keyboard.type('go to structure');
  await key('Enter');
  await page.waitForFunction(() => document.activeElement?.dataset.test === 'structure');
  await key('?');
  await page.waitForSelector(by('help'));
  // The guide lists the same keys.
  const listed = await page.evaluate(() => [...document.querySelectorAll('.help-keys section')].flatMap((s) => [...s.querySelectorAll('dt')].map((keys) => [s.querySelector('h3').textContent, keys.textContent.replace(/[\s,]/g, ''), keys.nextElementSibling.textContent])));
  let where = '';
  const rows = readFileSync(new URL('../../docs/guide/viewer.md', import.meta.url), 'utf8').split('## Keys')[1].matchAll(/^\|(.*) \| (.*) \| (.*) \|$/gm);
  const written = [...rows].slice(1).map(([, pane, keys, what]) => [(where = pane.trim() || where), keys.replace(/[\s,]/g, ''), what]);
  assert.deepEqual(written, listed);
  await key('Escape');
  await page.waitForSelector(by('help'), { state: 'detached' });
  const border = page.locator('[role=separator]').first(), width = Number(await border.getAttribute('aria-valuenow'));
  await border.focus();
  await key('ArrowRight');
  await page.waitForFunction((w) => Number(document.querySelector('[role=separator]').getAttribute('aria-valuenow')) === w + 16, width);
  const seen = new Set();
  for (let i = 0; i < 200 && seen.size < 6; ++i) {  // five panes, and what is in none
    await key('Tab');
    seen.add(await page.evaluate(() => document.activeElement?.closest('.pane')?.id ?? ''));
  }
  for (const pane of ['pane-files', 'pane-structure', 'pane-bytes', 'pane-findings']) assert.ok(seen.has(pane), `Tab never reaches ${pane}`);
  await v.done();
});

/** A NARC with that many empty members. */
function largeArchive(count) {
  const bytes = Buffer.alloc(16 + 12 + 8 * count + 16 + 8);
  bytes.write('NARC');
  bytes.writeUInt16LE(0xfffe, 4);
  bytes.writeUInt16LE(0x100, 6);
  bytes.writeUInt32LE(bytes.length, 8);
  bytes.writeUInt16LE(16, 12);
  bytes.writeUInt16LE(3, 14);
  bytes.write('BTAF', 16);
  bytes.writeUInt32LE(12 + 8 * count, 20);
  bytes.writeUInt16LE(count, 24);
  const names = 28 + 8 * count;
  bytes.write('BTNF', names);
  bytes.writeUInt32LE(16, names + 4);
  bytes.writeUInt32LE(4, names + 8);
  bytes.writeUInt16LE(1, names + 14);
  bytes.write('GMIF', names + 16);
  bytes.writeUInt32LE(8, names + 20);
  return bytes;
}

test('a tree with more than 40,000 rows scrolls and follows the keys', async () => {
  const v = await open(), { page } = v;
  writeFileSync(sample('large.narc'), largeArchive(45000));
  await v.take('large.narc');
  const tree = page.locator(by('structure'));
  await page.locator(`${by('structure')} [data-path="files"] .twist`).click();
  await page.waitForFunction(() => Number(document.querySelector('[data-test="structure"]').getAttribute('aria-rowcount')) > 40000);
  const count = Number(await tree.getAttribute('aria-rowcount'));
  await tree.focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.querySelector('[data-test="structure"] .row[data-path="names"]'));
  for (let i = 0; i < 3; ++i) await page.keyboard.press('PageUp');
  await page.waitForFunction(() => /path=files\[449\d\d\]/.test(decodeURIComponent(location.hash)));
  assert.ok((await page.locator(`${by('structure')} .row`).count()) < 120, `only the rows in sight exist, of ${count}`);
  await v.done();
});

test('a phone shows one pane at a time', async () => {
  const v = await open({ size: phone }), { page } = v;
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.click(by('sample-course'));
  for (const name of ['files', 'picture', 'structure', 'bytes', 'findings']) {
    await page.click(by(`tab-${name}`));
    await page.waitForSelector(by(`pane-${name}`), { state: 'visible' });
    assert.equal(await page.locator('.pane:visible').count(), 1);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  }
  await page.click(by('tab-bytes'));
  await page.waitForSelector(`${by('bytes')} .hex-row .hex-cell span`);
  assert.ok(await page.locator(by('bytes')).evaluate((e) => e.scrollWidth <= e.clientWidth + 1), 'a row of bytes fits the width');
  await v.done();
});

test('on a phone, clicking a finding opens the pane with its value', async () => {
  const v = await open({ size: phone }), { page } = v;
  await page.click(by('sample-broken'));
  await page.click(by('tab-findings'));
  await page.locator(`${by('finding')}[data-id="kmp.hdr-len"] .finding-main`).click();
  await page.waitForSelector(by('pane-structure'), { state: 'visible' });
  await page.waitForFunction(() => /length/.test(document.querySelector('[data-test="detail"] .crumbs')?.textContent ?? ''));
  await v.done();
});

test('axe finds no serious accessibility problem', async () => {
  for (const [size, scheme] of [[desktop, 'light'], [desktop, 'dark'], [phone, 'dark']]) {
    const v = await open({ size, scheme }), { page } = v;
    const check = async (where) => {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ['violations'] }));
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => `${where}: ${id} at ${nodes.slice(0, 3).map((n) => `${n.target} ${n.any?.[0]?.message ?? ''}`).join('; ')}`), []);
    };
    await check('first page');
    await page.click(by('sample-broken'));
    await page.waitForSelector(by('finding'), { state: 'attached' });
    if (size === phone) await page.click(by('tab-structure'));
    await page.locator(`${by('structure')} [data-path="length"]`).click();
    await page.waitForFunction(() => document.querySelector('[data-test="detail"]'));
    await check('a file');
    if (size !== phone) {
      await v.take('games/small_game.nds');
      await page.click(`${by('files')} [role=treeitem]:has-text("TOWN")`);
      await page.waitForSelector(by('weather'));
      await page.click(by('layers'));
      await page.click(by('overlay-tiles'));
      await page.waitForSelector('.swatches');
      await check('a map');
    }
    writeFileSync(sample('half.splashpack'), readFileSync(sample('splashpack/scene_v21.splashpack')).subarray(0, 5000));
    await v.take('half.splashpack');
    await page.waitForSelector(by('show-place'), { state: 'attached' });
    await check('a file that cannot be read');
    await v.done();
  }
});

test('files embedded in the page open at the start', async () => {
  const { gzipSync } = await import('node:zlib');
  const html = readFileSync(viewer, 'utf8'), at = html.lastIndexOf('</body>');
  const files = [{ name: 'a course.kmp', gzip: gzipSync(readFileSync(sample('kmp/arena.kmp'))).toString('base64') }];
  const page = join(folder, 'page.html');
  writeFileSync(page, `${html.slice(0, at)}<script type="application/json" id="diorama-files">${JSON.stringify({ files })}</script>\n${html.slice(at)}`);
  const v = await open({ page: pathToFileURL(page).href, hash: '#file=a%20course.kmp&path=GOBJ' });
  await v.page.waitForSelector(`${by('structure')} [data-path="GOBJ"][aria-selected="true"]`);
  await v.done();
});
