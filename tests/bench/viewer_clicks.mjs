// viewer_clicks.mjs: from a click on the picture of the viewer until the bytes of what was clicked are in the bytes pane, marked, in
// headless Chromium on software GL. Nobody waits for the picture to become smooth. Beside it, the same run's floor: from a click until a
// page's own code is called and the next frame begins.
//
//     node tests/bench/viewer_clicks.mjs [--clicks N] FILES...      one page for each group of files joined by commas
//
// Prints milliseconds: median, nine of ten, worst. DIORAMA_VIEWER is the page (build/viewer/diorama.html).
import { launched } from '../web/page.mjs';
import { by, viewerUrl } from '../web/viewer_page.mjs';

const args = process.argv.slice(2), clicks = args[0] === '--clicks' ? Number(args.splice(0, 2)[1]) : 100;
if (!args.length) {
  console.error('usage: node tests/bench/viewer_clicks.mjs [--clicks N] FILES...');
  process.exit(2);
}
const spread = (times) => {
  const all = times.toSorted((a, b) => a - b), at = (part) => all[Math.min(all.length - 1, Math.floor(all.length * part))];
  return all.length ? `median ${at(0.5).toFixed(1)}, nine of ten ${at(0.9).toFixed(1)}, worst ${all.at(-1).toFixed(1)}` : 'none';
};

const browser = await launched();
try {
  for (const group of args) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, reducedMotion: 'reduce' });
    page.setDefaultTimeout(120_000);
    await page.goto(viewerUrl);
    await page.waitForFunction('window.__ready');
    await page.setInputFiles(by('file-input'), group.split(','));
    await page.waitForFunction('window.__picture?.scene3 && window.__picture.drawn > 0');
    await page.waitForSelector(`${by('bytes')} .hex-cell span`);
    await page.evaluate(() => {
      window.__clicks = [];
      let now = null;
      const pane = document.querySelector('[data-test="pane-bytes"]');
      const seen = () => {
        const first = pane.querySelector('.hex-cell .selected');
        return first ? `${first.parentElement.parentElement.dataset.offset} ${first.previousElementSibling?.textContent} ${first.textContent}` : '';
      };
      addEventListener('pointerup', (e) => {
        const clicked = (now = { at: e.timeStamp, called: performance.now() - e.timeStamp, before: seen() });
        window.__clicks.push(clicked);
        requestAnimationFrame(() => { clicked.frame = performance.now() - clicked.at; });
      }, true);
      new MutationObserver(() => {
        if (!now || now.marked !== undefined) return;
        const after = seen();
        if (after && after !== now.before) now.marked = performance.now() - now.at;
      }).observe(pane, { subtree: true, childList: true, attributes: true, characterData: true });
    });
    const start = performance.now();
    let asked = 0, random = 1;
    for (let tries = 0; asked < clicks && tries < clicks * 20; ++tries) {
      const spot = await page.evaluate((seed) => {
        const v = window.__picture, r = v.canvas.getBoundingClientRect();
        for (let i = 0; i < 400; ++i) {
          seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
          const x = r.left + ((seed >>> 8) & 0xfff) / 4096 * r.width;
          seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
          const y = r.top + ((seed >>> 8) & 0xfff) / 4096 * r.height;
          if (document.elementFromPoint(x, y) === v.canvas && v.pickAt(x, y)) return { x, y, seed };
        }
        return null;
      }, random);
      if (!spot) break;
      random = spot.seed;
      const known = await page.evaluate('window.__clicks.length');
      // A hand rests on what it is going to click for a moment.
      await page.mouse.move(spot.x, spot.y);
      await page.waitForTimeout(150);
      await page.mouse.click(spot.x, spot.y);
      await page.waitForFunction((n) => window.__clicks.length > n, known);
      // Until it is marked, or it turns out that the same value was clicked again.
      await page.waitForFunction(() => window.__clicks.at(-1).marked !== undefined, null, { timeout: 300, polling: 10 }).catch(() => {});
      ++asked;
    }
    const all = await page.evaluate('window.__clicks'), marked = all.filter((c) => c.marked !== undefined);
    console.log(`${group.slice(0, 100)}: ${marked.length} of ${all.length} clicks marked other bytes, in ${((performance.now() - start) / 1000).toFixed(0)} s`);
    console.log(`  click to marked bytes  ${spread(marked.map((c) => c.marked))}`);
    console.log(`  click to own code      ${spread(all.map((c) => c.called))}`);
    console.log(`  click to next frame    ${spread(all.filter((c) => c.frame).map((c) => c.frame))}`);
    await page.close();
  }
} finally {
  await browser.close();
}
