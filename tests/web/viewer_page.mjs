// viewer_page.mjs: the page of the viewer in Chromium, from a disk. DIO is the path of the program, DIORAMA_VIEWER that of the page;
// else those of the build tree.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { launched, patience } from './page.mjs';

export const viewer = process.env.DIORAMA_VIEWER ?? fileURLToPath(new URL('../../build/viewer/diorama.html', import.meta.url));
export const viewerUrl = pathToFileURL(viewer).href;
export const program = process.env.DIO ?? fileURLToPath(new URL('../../build/release/dio', import.meta.url));

export { patience };

/** For a file of tests: {folder, browser()}: a folder with the samples, and a browser, both gone when the tests have run. Its pages have
 * the bytes open, as somebody has who works with them; `fresh` ones are as the page is at first. */
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
  return { folder, browser: () => ({ newPage }) };
}

/** The element with a data-test of this name. */
export const by = (name) => `[data-test="${name}"]`;

/** Drops files on the page, as a pointer would. */
export const drop = (page, paths) => page.evaluate((files) => {
  const data = new DataTransfer();
  for (const { name, text } of files) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
  document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
}, paths.map((path) => ({ name: basename(path), text: readFileSync(path).toString('base64') })));

/** Counts what the page asks its workers, from now on, by the names of the methods: asked(page, 'scene'). */
export const countAsked = (page) => page.evaluate(() => {
  const { postMessage } = Worker.prototype;
  window.__asked = {};
  Worker.prototype.postMessage = function (message, ...rest) {
    window.__asked[message.method] = (window.__asked[message.method] ?? 0) + 1;
    postMessage.call(this, message, ...rest);
  };
});
export const asked = (page, method) => page.evaluate((m) => window.__asked[m] ?? 0, method);
