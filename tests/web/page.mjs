// page.mjs: a page in headless Chromium that loads only the given files: no network, no disk.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

/** Milliseconds after which an expected change counts as missing. Only failing tests wait that long; busy machines may take a minute to
 * open a page. */
export const patience = Number(process.env.DIORAMA_PATIENCE ?? 300_000);

const here = dirname(fileURLToPath(import.meta.url));
const origin = 'http://page.invalid'; // never looked up: every request is answered below

/** The import map entries for three.js. */
export const importMap = `<script type="importmap">{"imports": {
  "three": "/three/build/three.module.js", "three/addons/": "/three/examples/jsm/"}}</script>`;

/** Headless Chromium, if installed: a page needs a third of the processor time. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);

/** Debian's Chromium on a machine without a graphics card: SwiftShader draws WebGL, everything else uses the usual path. Flags that force
 * the GPU process make SwiftShader draw the whole page, which takes longer than most pictures. */
export const launched = (args = ['--enable-unsafe-swiftshader']) => chromium.launch({
  timeout: patience, executablePath,
  args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', ...args],
});

/** Opens a page with `html` and passes it to `work`. `files` are {'/model.glb': path}; three.js is under /three/. */
export async function withPage(html, files, work) {
  const browser = await launched();
  try {
    const page = await browser.newPage({ viewport: { width: 1200, height: 720 } });
    page.setDefaultTimeout(patience);
    await page.route('**/*', async route => {
      const path = new URL(route.request().url()).pathname;
      if (path === '/') return route.fulfill({ contentType: 'text/html', body: html });
      const file = files[path] ?? (path.startsWith('/three/') ? join(here, 'node_modules', path) : null);
      if (!file) return route.fulfill({ status: 404, body: '' });
      const contentType = /\.m?js$/.test(file) ? 'text/javascript' : 'application/octet-stream';
      return route.fulfill({ contentType, body: await readFile(file) });
    });
    await page.goto(origin + '/');
    return await work(page);
  } finally {
    await browser.close();
  }
}

/** Returns the `window.__ready` set by the page; throws its `window.__failed`. */
export async function resultOf(page) {
  await page.waitForFunction('window.__ready || window.__failed', null, { timeout: patience });
  const failed = await page.evaluate('window.__failed');
  if (failed) throw new Error(failed);
  return page.evaluate('window.__ready');
}
