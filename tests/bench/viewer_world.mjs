// viewer_world.mjs: how soon a game that is dropped on the viewer is seen, how long its frames take once it is there, and how much
// memory it needs, in headless Chromium on software GL.
//
//     node tests/bench/viewer_world.mjs [--maps N] FILE      N: draws every Nth map instead, and says which draw nothing
//
// DIORAMA_VIEWER is the page (build/viewer/diorama.html), DIO the program (build/release/dio).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename } from 'node:path';
import { launched, patience } from '../web/page.mjs';
import { by, program, viewerUrl } from '../web/viewer_page.mjs';

const args = process.argv.slice(2), every = args[0] === '--maps' ? Number(args.splice(0, 2)[1]) : 0;
if (args.length !== 1) {
  console.error('usage: node tests/bench/viewer_world.mjs [--maps N] FILE');
  process.exit(2);
}
const spread = (times) => {
  const all = times.toSorted((a, b) => a - b), at = (part) => all[Math.min(all.length - 1, Math.floor(all.length * part))];
  return `median ${at(0.5).toFixed(0)}, nine of ten ${at(0.9).toFixed(0)}, worst ${all.at(-1).toFixed(0)} ms`;
};

/** Draws maps one after another in a small window: how many, which drew nothing, and what went wrong. */
async function drawMaps(browser) {
  const { maps } = JSON.parse(spawnSync(program, ['maps', args[0], '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout);
  const parts = maps.map(({ header, map }) => (map === undefined ? `header/${header}` : `map/${map}`)).filter((_, i) => i % every === 0), empty = [], failed = [], times = [];
  const page = await browser.newPage({ viewport: { width: 400, height: 400 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(patience);
  page.on('pageerror', (e) => failed.push(`${e.message}`));
  await page.goto(viewerUrl);
  await page.waitForFunction('window.__ready');
  await page.setInputFiles(by('file-input'), args[0]);
  await page.waitForFunction('window.__picture?.scene3');
  const start = performance.now();
  for (const [i, part] of parts.entries()) {
    const { triangles, problem, took } = await page.evaluate(([file, wanted]) => new Promise((done) => {
      const old = window.__picture?.scene3, before = performance.now();
      location.hash = `#file=${file}&part=${wanted}`;
      const look = () => {
        const v = window.__picture, problem = document.querySelector('[data-test="pane-picture"] .empty, .picture-problem')?.textContent;
        if (v?.scene3 && v.scene3 !== old && location.hash.includes(wanted)) {
          const count = v.drawn;
          requestAnimationFrame(() => requestAnimationFrame(() => done({ triangles: v.drawn > count ? v.scene3.triangles : -1, took: performance.now() - before })));
        } else if (problem?.includes(`${wanted}:`)) done({ problem, took: performance.now() - before });
        else setTimeout(look, 5);
      };
      setTimeout(look, 5);
    }), [basename(args[0]), part]);
    times.push(took);
    if (problem) failed.push(`${part}: ${problem}`);
    else if (!triangles) empty.push(part);
    if (i % 50 === 49) console.error(`  ${i + 1} of ${parts.length}: ${empty.length} without triangles, ${failed.length} failed`);
  }
  console.log(`  ${parts.length} maps in ${((performance.now() - start) / 1000).toFixed(0)} s (${spread(times)}): ${parts.length - empty.length - failed.length} drawn, ${failed.length} failed${failed.length ? ` (${failed.join('; ')})` : ''}${empty.length ? `, without triangles: ${empty.join(', ')}` : ''}; load of the machine ${loadavg()[0].toFixed(1)}`);
}

const browser = await launched();
try {
  if (every) {
    await drawMaps(browser);
    process.exit();
  }
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
  page.setDefaultTimeout(patience);
  await page.goto(viewerUrl);
  await page.waitForFunction('window.__ready');
  await page.waitForTimeout(2000);  // someone looks for the file
  // The picture has 960 x 600 pixels.
  await page.addStyleTag({ content: '[data-test="picture"] { position: fixed !important; inset: 0 auto auto 0; width: 960px; height: 600px !important; z-index: 9 }' });
  await page.evaluate(() => {
    document.querySelector('[data-test="file-input"]').addEventListener('change', () => { window.__dropped = performance.now(); }, true);
    // The picture is there when a frame with the scene in it has been drawn, not when it was asked for.
    let before = null;
    const look = () => {
      const v = window.__picture, pixel = new Uint8Array(4), gl = v?.renderer.getContext();
      if (!v?.scene3 || (before ??= v.drawn) === v.drawn) return requestAnimationFrame(look);
      gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
      window.__seen = performance.now();
    };
    look();
  });
  // Where others work, processor time says more than the clock: of all processes, drawing on software included.
  const client = await browser.newBrowserCDPSession(), processes = async () => (await client.send('SystemInfo.getProcessInfo')).processInfo;
  const worked = async () => (await processes()).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
  const before = await worked();
  await page.setInputFiles(by('file-input'), args[0]);
  await page.waitForFunction('window.__seen');
  const toFirst = (await worked()) - before;
  const { first, nodes, triangles, width, height } = await page.evaluate(() => {
    const v = window.__picture;
    return { first: window.__seen - window.__dropped, nodes: v.scene3.data.nodes.length, triangles: v.scene3.triangles, ...v.size };
  });
  console.log(`${basename(args[0])}: first picture after ${(first / 1000).toFixed(2)} s (${toFirst.toFixed(1)} s of processor time); ${nodes} nodes, ${triangles} triangles, ${width} x ${height} pixels`);
  await page.waitForFunction('window.__picture.isFinished');
  // All around it and nearer, then low over all of the land in lines from side to side, while everything plays that plays by itself.
  const still = await worked();
  const { frames, playing } = await page.evaluate(() => new Promise((done) => {
    const v = window.__picture, start = { ...v.rig.place, at: v.rig.place.at.clone() }, { box } = v.scene3, frames = [], around = 120, over = 360, lines = 8;
    v.player.playing = true;
    let last = 0, n = 0;
    const step = (now) => {
      if (last) frames.push(now - last);
      last = now;
      if (++n > around + over) {
        v.player.playing = false;
        return done({ frames, playing: v.player.on.size });
      }
      if (n <= around) {
        const part = n / around;
        v.rig.place = { ...start, at: start.at.clone(), yaw: start.yaw + part * 2 * Math.PI, distance: start.distance * (1 - 0.85 * part) };
      } else {
        const way = ((n - around) / over) * lines, line = Math.floor(way), across = line % 2 ? 1 - (way - line) : way - line, at = start.at.clone();
        at.x = box[0] + (box[3] - box[0]) * across, at.z = box[2] + (box[5] - box[2]) * Math.min(1, (line + 0.5) / lines);
        v.rig.place = { ...start, at, yaw: start.yaw + way, pitch: 0.5, distance: start.distance * 0.08 };
      }
      v.invalidate();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }));
  console.log(`  ${frames.length} frames after loading, ${playing} animations playing: ${spread(frames)}, ${frames.filter((ms) => ms > 100).length} above 100 ms; ${((1000 * ((await worked()) - still)) / frames.length).toFixed(0)} ms of processor time each; load of the machine ${loadavg()[0].toFixed(1)}`);
  const memory = await page.evaluate(() => performance.memory?.usedJSHeapSize ?? 0);
  const resident = (await processes()).map(({ id, type }) => [type, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) / 1024]);
  console.log(`  memory: ${(memory / 2 ** 20).toFixed(0)} MiB of script; processes ${resident.map(([type, mib]) => `${type} ${mib.toFixed(0)}`).join(', ')} MiB`);
} finally {
  await browser.close();
}
