// viewer_world.mjs: how soon a game that is dropped on the viewer is seen, how long its frames take once it is there, and how much
// memory it needs, in headless Chromium on software GL.
//
//     node tests/bench/viewer_world.mjs [--maps N [--sheet PNG]] FILE
//
// --maps N: draws every Nth map instead, and says which draw nothing; --sheet: some of them as one picture.
//
// DIORAMA_VIEWER is the page (build/viewer/diorama.html), DIO the program (build/release/dio).
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { basename } from 'node:path';
import { launched, patience } from '../web/page.mjs';
import { by, program, viewerUrl } from '../web/viewer_page.mjs';

const args = process.argv.slice(2), option = (name) => (args[0] === name ? args.splice(0, 2)[1] : undefined), every = Number(option('--maps') ?? 0), sheet = option('--sheet');
if (args.length !== 1) {
  console.error('usage: node tests/bench/viewer_world.mjs [--maps N [--sheet PNG]] FILE');
  process.exit(2);
}
const spread = (numbers, unit = 'ms') => {
  const all = numbers.toSorted((a, b) => a - b), at = (part) => (all[Math.min(all.length - 1, Math.floor(all.length * part))] ?? NaN).toFixed(0);
  return unit === 'ms' ? `median ${at(0.5)}, nine of ten ${at(0.9)}, worst ${at(1)} ms` : `median ${at(0.5)}, nine of ten ${at(0.1)}, least ${at(0)} ${unit}`;
};

/** How many pictures the sheet of maps has on a side, at most, and how many pixels each. */
const across = 8, pixels = 240;

/** Draws maps one after another in a small window: how many, which draw nothing and what the page says of them, and what went wrong.
 * A map counts as drawn when its triangles are seen: the part of the picture that is not background. */
async function drawMaps(browser) {
  const { maps } = JSON.parse(spawnSync(program, ['maps', args[0], '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 }).stdout);
  const parts = maps.map(({ header, map }) => (map === undefined ? `header/${header}` : `map/${map}`)).filter((_, i) => i % every === 0);
  const page = await browser.newPage({ viewport: { width: 1000, height: 700 }, reducedMotion: 'reduce' }), errors = [];
  page.setDefaultTimeout(patience);
  page.on('pageerror', (e) => errors.push(e.message));
  // How long the core works at a world, and how long its answer takes.
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype, asked = new Map();
    window.__worlds = [];
    Worker.prototype.postMessage = function (message, ...rest) {
      if (message.method === 'world') {
        asked.set(message.id, performance.now());
        this.addEventListener('message', ({ data }) => { if (asked.has(data.id)) window.__worlds.push(performance.now() - asked.get(data.id)), asked.delete(data.id); });
      }
      postMessage.call(this, message, ...rest);
    };
  });
  await page.goto(viewerUrl);
  await page.waitForFunction('window.__ready');
  await page.setInputFiles(by('file-input'), args[0]);
  await page.waitForFunction('window.__picture?.scene3');
  await page.addStyleTag({ content: '[data-test="picture"] { position: fixed !important; inset: 0 auto auto 0; width: 400px; height: 400px !important; z-index: 9 }' });
  if (sheet)
    await page.evaluate((size) => {
      window.__sheet = new OffscreenCanvas(size, size).getContext('2d');
      window.__sheet.font = '13px sans-serif', window.__sheet.fillStyle = '#fff';
    }, across * pixels);
  const start = performance.now(), found = [], step = Math.ceil(parts.length / (across * across));
  let onSheet = 0;
  for (const [i, part] of parts.entries()) {
    const one = await page.evaluate(([file, wanted]) => new Promise((done) => {
      const old = window.__picture?.scene3, began = performance.now(), worlds = window.__worlds.length;
      location.hash = `#file=${file}&part=${wanted}`;
      const look = () => {
        const v = window.__picture, none = document.querySelector(`[data-test="pane-picture"] [data-of="${wanted}"]`), scene = v?.scene3;
        if (none) return done({ said: none.textContent, took: performance.now() - began });
        if (!scene || scene === old || !v.drawn) return requestAnimationFrame(look);
        const copy = new OffscreenCanvas(v.canvas.width, v.canvas.height).getContext('2d', { willReadFrequently: true });
        copy.drawImage(v.canvas, 0, 0);
        const words = new Uint32Array(copy.getImageData(0, 0, v.canvas.width, v.canvas.height).data.buffer);
        const took = performance.now() - began;
        let seen = 0;
        words.forEach((word, k) => { if (word !== words[k - (k % v.canvas.width)]) ++seen; });
        done({ triangles: scene.triangles, seen: seen / words.length, took, core: window.__worlds[worlds] });
      };
      look();
    }), [basename(args[0]), part]);
    found.push({ part, ...one });
    if (sheet && i % step === 0 && one.seen) {
      await page.waitForFunction('window.__picture.isFinished');
      await page.evaluate(([at, name, n, size]) => {
        const x = (at % n) * size, y = Math.floor(at / n) * size;
        window.__sheet.drawImage(window.__picture.canvas, x, y, size - 4, size - 4);
        window.__sheet.fillText(name, x + 6, y + 16);
      }, [onSheet++, part, across, pixels]);
    }
    if (i % 50 === 49) console.error(`  ${i + 1} of ${parts.length}`);
  }
  const drawn = found.filter(({ triangles, seen }) => triangles && seen), without = found.filter(({ said }) => said), rest = found.filter((f) => !drawn.includes(f) && !without.includes(f));
  console.log(`  ${parts.length} maps in ${((performance.now() - start) / 1000).toFixed(0)} s: ${drawn.length} drawn, ${spread(drawn.map(({ took }) => took))}, of which the core ${spread(drawn.map(({ core }) => core))}; load of the machine ${loadavg()[0].toFixed(1)}`);
  console.log(`  they cover ${spread(drawn.map(({ seen }) => 100 * seen), '%')} of the picture`);
  for (const text of new Set(without.map(({ said }) => said.replace(/^.*: nothing to draw/, '')))) console.log(`  without a picture, "${text}": ${without.filter(({ said }) => said.endsWith(text)).map(({ part }) => part).join(', ')}`);
  if (rest.length) console.log(`  nothing seen: ${rest.map(({ part, triangles }) => `${part} (${triangles} triangles)`).join(', ')}`);
  if (errors.length) console.log(`  errors: ${[...new Set(errors)].join('; ')}`);
  if (sheet) writeFileSync(sheet, Buffer.from(await page.evaluate(async () => (await new Promise((done) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    void window.__sheet.canvas.convertToBlob({ type: 'image/png' }).then((blob) => reader.readAsDataURL(blob));
  })).split(',')[1]), 'base64'));
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
    const look = () => {
      const v = window.__picture, pixel = new Uint8Array(4), gl = v?.renderer.getContext();
      if (!v?.scene3 || !v.drawn) return requestAnimationFrame(look);
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
