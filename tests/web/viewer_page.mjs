// viewer_page.mjs: opens the viewer page from disk in Chromium. DIO is the path of the program, DIORAMA_VIEWER that of the page; default:
// those in the build tree.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { launched, patience } from './page.mjs';

export const viewer = process.env.DIORAMA_VIEWER ?? fileURLToPath(new URL('../../build/viewer/diorama.html', import.meta.url));
export const viewerUrl = pathToFileURL(viewer).href;
export const program = process.env.DIO ?? fileURLToPath(new URL('../../build/release/dio', import.meta.url));

export { patience };

/** For a test file: {folder, browser()}: a folder with the samples and a browser, both removed after the tests. Its pages show the byte
 * pane, as for regular users; `fresh` pages show the initial state. */
export function forTests() {
  const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
  let browser;
  before(async () => {
    assert.ok(existsSync(viewer), `${viewer}: no such page; build it with: ./dev viewer`);
    assert.equal(spawnSync(program, ['formats', '--samples', folder]).status, 0);
    browser = await launched();
  });
  after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
  });
  const newPage = async ({ fresh, ...how } = {}) => {
    const page = await browser.newPage(how);
    if (!fresh) await page.addInitScript(() => localStorage.setItem('diorama.bytes', 'true'));
    return page;
  };
  /** A page with samples dropped on it or a folder opened, and helpers for tests. `address`: of a page that brings its own files. */
  async function open(paths, { address, ...how } = {}) {
    const page = await newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark', reducedMotion: 'reduce', ...how });
    const errors = [];
    page.on('pageerror', (e) => errors.push(String(e.stack)));
    page.on('dialog', (d) => void d.accept());
    page.setDefaultTimeout(patience);
    await page.goto(address ?? viewerUrl);
    await page.waitForFunction(() => window.__ready);  // served pages evaluate no texts
    await countAsked(page);
    if (!paths.length) await page.waitForSelector(by('title'));
    else if (typeof paths === 'string') await page.setInputFiles(by('folder-input'), paths);
    else await drop(page, paths.map((name) => join(folder, name)));
    const out = {
      page,
      titleIs: (text) => page.waitForFunction(([s, t]) => document.querySelector(s)?.textContent.startsWith(t), [by('title'), text]),
      pictureIsThere: () => page.waitForFunction(() => window.__picture?.scene3 && window.__picture.isFinished),
      select: (file, path, part) => page.evaluate(([f, p, part]) => {
        history.pushState(null, '', `#file=${encodeURIComponent(f)}&path=${encodeURIComponent(p)}${part ? `&part=${part}` : ''}`);
        dispatchEvent(new PopStateEvent('popstate'));
      }, [file, path, part]),
      changesAre: (n) => page.waitForFunction(([text, s]) => document.querySelector(s)?.textContent === text, [`Changes${n || ''}`, by('sheet-changes')]),
      saved: async () => {
        const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Control+s')]);
        return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
      },
      done: async () => {
        assert.deepEqual(errors, []);
        await page.close({ runBeforeUnload: false });
      },
    };
    return out;
  }
  return { folder, browser: () => ({ newPage }), open };
}

/** Serves files with `dio view` while `work` runs with the page address. */
export async function serving(folder, files, work, ...options) {
  const server = spawn(program, ['view', ...files, '--serve', '--page', viewer, ...options], { cwd: folder });
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

/** The selector of elements with this data-test name. */
export const by = (name) => `[data-test="${name}"]`;

/** Drops files on the page like a pointer. */
export const drop = (page, paths) => page.evaluate((files) => {
  const data = new DataTransfer();
  for (const { name, text } of files) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}, paths.map((path) => ({ name: basename(path), text: readFileSync(path).toString('base64') })));

/** Counts the page's worker requests from now on, by method name: asked(page, 'scene'). */
export const countAsked = (page) => page.evaluate(() => {
  const { postMessage } = Worker.prototype;
  window.__asked = {};
  Worker.prototype.postMessage = function (message, ...rest) {
    window.__asked[message.method] = (window.__asked[message.method] ?? 0) + 1;
    postMessage.call(this, message, ...rest);
  };
});
export const asked = (page, method) => page.evaluate((m) => window.__asked[m] ?? 0, method);

/** A typical course archive: Yaz0, U8, the course, its model and collision, an item box. */
export function courseArchive(folder) {
  const root = join(folder, 'course_files');
  mkdirSync(root, { recursive: true });
  for (const [from, to] of [['together/race.kmp', 'course.kmp'], ['together/race.kcl', 'course.kcl'], ['brres/hill.brres', 'course_model.brres'], ['brres/bending.brres', 'itembox.brres']])
    copyFileSync(join(folder, from), join(root, to));
  writeFileSync(join(root, 'notes.txt'), 'nothing that any format begins with');
  assert.equal(spawnSync(program, ['pack', root, '-o', join(folder, 'course.szs'), '-f', '-q']).status, 0);
}
