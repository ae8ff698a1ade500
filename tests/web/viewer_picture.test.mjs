// The picture of the viewer page opened from disk in Chromium. DIO is the path of the program, DIORAMA_VIEWER that of the page; default:
// build/viewer/diorama.html.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { asked, by, countAsked, drop, forTests, patience, program, viewerUrl } from './viewer_page.mjs';

const { folder, browser } = forTests();

/** The page with open files, once the picture stands still. Animations do not start on their own. */
const open = (...files) => openAt('', files);
async function openAt(hash, files) {
  const page = await browser().newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'dark', reducedMotion: 'reduce' });
  const errors = [];
  page.on('pageerror', (e) => errors.push(String(e.stack)));
  page.setDefaultTimeout(patience);
  await page.goto(viewerUrl + hash);
  await page.waitForFunction('window.__ready');
  if (files.length) await drop(page, files.map((f) => join(folder, f)));
  await page.waitForFunction('window.__picture?.scene3');
  const out = {
    page, canvas: page.locator(by('canvas')),
    still: () => page.waitForFunction('window.__picture.isFinished'),
    /** The visible picture: its number of colours, a checksum, and the share that is not background. */
    seen: async () => {
      await out.still();
      return page.evaluate(() => {
        const canvas = document.querySelector('[data-test="canvas"]'), copy = new OffscreenCanvas(canvas.width, canvas.height), context = copy.getContext('2d');
        context.drawImage(canvas, 0, 0);
        const { data } = context.getImageData(0, 0, copy.width, copy.height), words = new Uint32Array(data.buffer), colors = new Set(words);
        let sum = 0, other = 0;
        for (let y = 0; y < copy.height; ++y)
          for (let x = 0; x < copy.width; ++x) {
            const w = words[y * copy.width + x];
            sum = (Math.imul(sum, 31) + w) | 0;
            other += w !== words[y * copy.width];
          }
        return { colors: colors.size, sum, drawn: other / words.length, width: copy.width, height: copy.height };
      });
    },
    place: () => page.evaluate(() => window.__picture.rig.toString()),
    /** A page pixel at which a node is visible and not covered. */
    spotOf: (name, not) => page.evaluate(([wanted, other]) => {
      const v = window.__picture, r = v.canvas.getBoundingClientRect(), { nodes } = v.scene3.data;
      for (const step of [12, 5])
        for (let y = 60; y < r.height - 60; y += step)
          for (let x = 20; x < r.width - 220; x += step) {
            const hit = v.pickAt(r.left + x, r.top + y);
            if (hit && nodes[hit.piece.node].name.startsWith(wanted) && nodes[hit.piece.node].extras?.path !== other) return { x: r.left + x, y: r.top + y, path: nodes[hit.piece.node].extras?.path };
          }
      return null;
    }, [name, not]),
    done: async () => {
      assert.deepEqual(errors, []);
      await page.close();
    },
  };
  await out.still();
  return out;
}

test('a course can be orbited, picked, measured, filtered, filmed and saved', async () => {
  const p = await open('kmp/race.kmp'), { page, canvas } = p;
  const first = await p.seen();
  assert.ok(first.drawn > 0.05 && first.colors > 200, JSON.stringify(first));

  // Orbit by dragging, reset with Home.
  const start = await p.place(), box = await canvas.boundingBox(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 80, y + 10, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await p.place(), start);
  assert.notEqual((await p.seen()).sum, first.sum);
  await page.waitForFunction(() => location.hash.includes('view=orbit'));

  // A click selects the element there; its triangle and node are marked.
  await canvas.press('t');
  assert.equal(await page.getAttribute(by('picture'), 'data-mode'), 'top');
  const above = await p.seen(), spot = await p.spotOf('enemy point');
  assert.ok(spot, 'no enemy point is in sight');
  await page.mouse.click(spot.x, spot.y);
  await page.waitForFunction((path) => decodeURIComponent(location.hash).includes(`path=${path}`), spot.path);
  assert.notEqual((await p.seen()).sum, above.sum);
  await page.mouse.move(spot.x, spot.y);
  await page.waitForFunction(() => /enemy point/.test(document.querySelector('[data-test="hover"]')?.textContent ?? ''));

  // Measure between two points.
  await canvas.press('m');
  await page.mouse.click(spot.x, spot.y);
  const other = await p.spotOf('enemy point', spot.path);
  await page.mouse.click(other.x, other.y);
  await page.waitForFunction((s) => / units, /.test(document.querySelector(s)?.textContent ?? ''), by('readout'));
  const said = await page.textContent(by('readout')), [, units, metres] = /([\d.,]+) units, ([\d.,]+) m/.exec(said).map((s) => Number(s.replaceAll(',', '')));
  const expected = await page.evaluate(([a, b]) => {
    const [p, q] = [a, b].map(({ x, y }) => window.__picture.pickAt(x, y).place);
    return Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z);
  }, [spot, other]);
  assert.ok(Math.abs(units - expected) <= expected * 0.001 + 1, `${said}; expected ${expected}`);
  assert.ok(Math.abs(metres - units / 100) <= units * 0.0001 + 0.5, said);
  await canvas.press('Escape');

  // One focused section and one hidden section.
  await page.click(by('layers'));
  const all = await p.seen();
  await page.click('.legend button:text-is("Checkpoints")');
  const focused = await p.seen();
  assert.notEqual(focused.sum, all.sum);
  await page.uncheck(by('layer-Checkpoints'));
  assert.notEqual((await p.seen()).sum, focused.sum);
  await page.check(by('layer-Checkpoints'));

  // A game camera, whose pan is played.
  await page.click(by('cameras'));
  await page.click(`${by('camera')}:has-text("opening pan")`);
  assert.equal(await page.getAttribute(by('picture'), 'data-mode'), 'game');
  const pan = await p.seen();
  await page.locator(by('scrub')).fill('2');
  assert.notEqual((await p.seen()).sum, pan.sum, 'the camera does not move');

  // Save as a picture.
  await page.click(by('save'));
  const [download] = await Promise.all([page.waitForEvent('download'), page.click(by('save-png-2'))]);
  const png = readFileSync(await download.path());
  assert.equal(png.toString('latin1', 1, 4), 'PNG');
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [Math.round(2 * pan.width), Math.round(2 * pan.height)]);
  assert.ok(png.length > 5000);
  await p.done();
});

test('hovering looks up the source of a triangle', async () => {
  const p = await open('kmp/race.kmp'), { page, canvas } = p;
  await canvas.press('t');
  await p.still();
  await countAsked(page);
  const spot = await p.spotOf('enemy point');
  await page.mouse.move(spot.x, spot.y);
  await page.waitForFunction('window.__asked.sourcePath');
  await page.mouse.click(spot.x, spot.y);
  await page.waitForFunction((path) => decodeURIComponent(location.hash).includes(`path=${path}`), spot.path);
  await page.waitForSelector(`${by('bytes')} .hex-cell .selected`);
  assert.equal(await asked(page, 'sourcePath'), 1);
  await p.done();
});

test('a model plays its animations and is drawn in console looks', async () => {
  const p = await open(...['nsbmd', 'nsbca', 'nsbta', 'nsbtp', 'nsbma'].map((f) => `${f}/windmill.${f}`)), { page, canvas } = p;
  assert.ok((await page.locator(`${by('clip')} option`).count()) > 4);
  const still = await p.seen();
  await page.click(by('play'));
  await page.waitForFunction(() => window.__picture.player.time > 0.4);
  await page.click(by('play'));
  assert.notEqual((await p.seen()).sum, still.sum);

  // Game frames: 30 a second.
  await page.locator(by('scrub')).fill('0');
  assert.equal((await p.seen()).sum, still.sum, 'the first moment looks different when it comes again');
  await canvas.press('.');
  await canvas.press('.');
  assert.ok(Math.abs((await page.evaluate(() => window.__picture.player.time)) - 2 / 30) < 1e-6);
  await canvas.press(',');
  assert.ok(Math.abs((await page.evaluate(() => window.__picture.player.time)) - 1 / 30) < 1e-6);

  // The DS has 256 x 192 pixels with 5 bits per channel; the PlayStation has 320 x 240.
  const colors = { plain: (await p.seen()).colors };
  for (const look of ['ds', 'psx']) {
    await page.click(by('look'));
    await page.click(by(`look-${look}`));
    colors[look] = (await p.seen()).colors;
  }
  assert.ok(colors.ds < colors.plain / 2 && colors.psx < colors.plain, JSON.stringify(colors));
  await p.done();
});

test('a variant changes the materials', async () => {
  const p = await open('nsbmd/swatches.nsbmd'), { page } = p, usual = await p.seen();
  await page.evaluate(() => {
    const v = window.__picture, { data } = v.scene3, red = data.materials.length;
    const meshes = data.meshes.map((m) => ({ ...m, primitives: m.primitives.map((q) => ({ ...q, inVariants: [{ variant: 0, material: red }] })) }));
    v.setScene({ ...data, meshes, variants: ['red'], materials: [...data.materials, { ...data.materials[0], color: [1, 0, 0, 1], texture: -1, alpha: 'opaque' }] }, true);
  });
  assert.ok(Math.abs((await p.seen()).colors - usual.colors) < usual.colors / 10);
  await page.evaluate(() => {
    window.__picture.scene3.setVariant(0);
    window.__picture.changed();
  });
  const red = await p.seen();
  assert.notEqual(red.sum, usual.sum);
  assert.ok(await page.evaluate(() => {
    const v = window.__picture, gl = v.renderer.getContext(), at = new Uint8Array(4), hit = v.pick(0, 0) ?? v.pick(0.1, 0.1);
    const { x, y } = v.project(hit.place);
    gl.readPixels(Math.round(x), Math.round(v.size.height - y), 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, at);
    return at[0] > 200 && at[1] < 40 && at[2] < 40;
  }), 'the middle is not red');
  await p.done();
});

test('a world shows the time of day, overlays and the height under the pointer', async () => {
  const p = await open('games/small_game.nds'), { page } = p;
  await page.evaluate(() => (window.__old = window.__picture.scene3));
  await page.click('.file-list .row:has-text("TOWN")');
  await page.waitForFunction(() => window.__picture?.scene3 && window.__picture.scene3 !== window.__old);
  const noon = await p.seen();
  assert.ok(noon.drawn > 0.002 && noon.colors > 100, JSON.stringify(noon));  // small props, far from each other
  assert.equal(await page.evaluate(() => window.__picture.scene3.data.extras.time), '12:00');
  await page.locator(by('clock')).fill('75600');
  await page.locator(by('clock')).dispatchEvent('change');
  await page.waitForFunction(() => window.__picture.scene3?.data.extras.time === '21:00');
  assert.notEqual((await p.seen()).sum, noon.sum, 'night looks like noon');

  const night = await p.place();
  await page.click(by('layers'));
  await page.click(by('overlay-heights'));
  await page.waitForFunction(() => window.__picture.scene3?.data.nodes.some((n) => n.extras?.kind === 'platinum.heights'));
  assert.equal(await p.place(), night, 'the camera moved');
  const spot = await p.spotOf('heights');
  await page.mouse.move(spot.x + 1, spot.y + 1);
  await page.waitForFunction(() => /ground -?[\d.]+/.test(document.querySelector('[data-test="readout"]')?.textContent ?? ''));
  await p.done();
});

test('tiles are coloured by behaviour, and the legend names the colours', async () => {
  const p = await open('games/small_game.nds'), { page } = p;
  await page.click('.file-list .row:has-text("TOWN")');
  await page.waitForFunction(() => window.__picture?.scene3?.data.name === 'TOWN');
  const plain = await p.seen();
  await page.click(by('layers'));
  await page.click(by('overlay-tiles'));
  await page.waitForFunction(() => window.__picture.scene3?.data.nodes.some((n) => n.extras?.kind === 'platinum.tiles'));
  assert.notEqual((await p.seen()).sum, plain.sum, 'no tile is seen');
  assert.deepEqual(await page.locator('.swatches span').allTextContents(), ['grass', 'door']);
  const colors = await page.locator('.swatches i').evaluateAll((all) => all.map((e) => e.style.background));
  assert.equal(new Set(colors).size, 2, colors.join());
  await page.click(by('layer-Tile behaviours'));
  await page.waitForSelector(by('overlay-tiles'));  // no longer asked for
  assert.equal(await page.locator('.swatches').count(), 0);
  await p.done();
});

/** A game with changed values: [file in the game, assignment]. */
function changedGame(from, name, ...values) {
  const path = join(folder, name);
  copyFileSync(join(folder, `games/${from}.nds`), path);
  for (const [file, value] of values) {
    const { status, stderr } = spawnSync(program, ['set', `${path}/${file}`, value, '-i', '-q'], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
  return name;
}
/** Shows a map from the list of files. */
async function chooseMap(page, name) {
  await page.evaluate(() => { window.__old = window.__picture?.scene3; });
  await page.click(`.file-list .row:has-text("${name}")`);
}
const isNew = (page) => page.waitForFunction(() => window.__picture?.scene3 && window.__picture.scene3 !== window.__old);

test('a map without land shows the reason, and the next map reuses canvas and shaders', async () => {
  const p = await open(changedGame('small_game', 'bare.nds', ['fielddata/mapmatrix/map_matrix.narc/0', 'map_header_ids[0][1]=1'])), { page } = p;
  await chooseMap(page, 'TOWN');
  await isNew(page);
  const town = await p.seen();
  await page.evaluate(() => {
    window.__linked = 0, window.__canvas = document.querySelector('[data-test="canvas"]');
    const { linkProgram } = WebGL2RenderingContext.prototype;
    WebGL2RenderingContext.prototype.linkProgram = function (...args) {
      ++window.__linked;
      linkProgram.apply(this, args);
    };
  });
  await chooseMap(page, 'ROAD');
  await page.waitForSelector(`${by('pane-picture')} [data-of="header/2"]`);
  assert.match(await page.textContent(`${by('pane-picture')} .empty`), /^ROAD: nothing to drawNo cell of matrix 0 belongs to this map, so it has no land to show\.$/);
  assert.ok(!(await page.locator(by('canvas')).isVisible()));
  await chooseMap(page, 'TOWN');
  await isNew(page);
  assert.equal((await p.seen()).sum, town.sum, 'it looks different when it comes again');
  assert.deepEqual(await page.evaluate(() => [window.__linked, document.querySelector('[data-test="canvas"]') === window.__canvas]), [0, true]);
  await p.done();
});

test('the weather label follows the map under the pointer', async () => {
  const p = await open(changedGame('small_game', 'weather.nds', ['_system/arm9.bin', 'headers[1].weather=5'])), { page } = p;
  const said = () => page.textContent(by('weather'));
  assert.equal(await said(), 'Weather: 2 kinds');
  assert.match(await page.getAttribute(by('weather'), 'title'), /snowing: 1 map.*Rain, snow and similar weather are not drawn/);
  const spot = await page.evaluate(() => {
    const v = window.__picture, r = v.canvas.getBoundingClientRect(), { nodes } = v.scene3.data;
    for (let y = 60; y < r.height - 60; y += 6)
      for (let x = 20; x < r.width - 220; x += 6)
        for (let i = v.pickAt(r.left + x, r.top + y)?.piece.node ?? -1; i >= 0; i = nodes[i].parent) if (nodes[i].extras?.weather) return { x: r.left + x, y: r.top + y };
  });
  await page.mouse.move(spot.x, spot.y);
  await page.waitForFunction(() => /(snowing|clear)/.test(document.querySelector('[data-test="readout"]')?.textContent ?? ''));
  await chooseMap(page, 'TOWN');
  await isNew(page);
  assert.equal(await said(), 'Weather: snowing');
  assert.match(await page.getAttribute(by('weather'), 'title'), /fog is drawn in the DS look/);
  await chooseMap(page, 'ROAD');
  await isNew(page);
  assert.equal(await said(), 'Weather: clear');
  assert.doesNotMatch(await page.getAttribute(by('weather'), 'title'), /fog/);
  await p.done();
});

test('weather fog in the DS look matches dio render', async () => {
  const file = changedGame('village', 'fog.nds', ['_system/arm9.bin', 'headers[1].weather=7'], ['fielddata/land_data/land_data.narc/0', 'model.models[0].materials[*].fog=1']), [width, height] = [256, 192];
  const p = await open(file), { page } = p;
  await page.addStyleTag({ content: `[data-test="picture"] { position: fixed !important; inset: 0 auto auto 0; width: ${width}px; height: ${height}px !important; z-index: 9 }` });
  await chooseMap(page, 'VILLAGE');
  await isNew(page);
  /** The pixels of a picture, with and without fog. */
  const drawn = async () => {
    await p.still();
    return page.evaluate(() => {
      const { canvas } = window.__picture, copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d');
      copy.drawImage(canvas, 0, 0);
      return [...copy.getImageData(0, 0, canvas.width, canvas.height).data];
    });
  };
  const look = async (how) => {
    await page.evaluate((l) => window.__picture.setLook(l), how);
    return drawn();
  };
  await page.evaluate(() => {
    const v = window.__picture;
    v.rig.seeThrough(v.scene3.data.nodes.findIndex((n) => n.camera >= 0));
  });
  const foggy = await look('ds');
  const clear = await page.evaluate(() => { window.__densities = window.__picture.scene3.uniforms.uFogDensities.value, window.__picture.scene3.uniforms.uFogDensities.value = new Array(32).fill(0), window.__picture.invalidate(); }).then(drawn);
  /** The colours of 16 x 16 pixel blocks, where smoothed edges have little influence. */
  const blocks = (pixels) => Array.from({ length: (width * height) / 256 }, (_, i) => {
    const sum = [0, 0, 0], left = (i % (width / 16)) * 16, top = Math.floor(i / (width / 16)) * 16;
    for (let y = top; y < top + 16; ++y) for (let x = left; x < left + 16; ++x) for (let k = 0; k < 3; ++k) sum[k] += pixels[4 * (y * width + x) + k] / 256;
    return sum;
  });
  const differs = (a, b, most) => {
    const [c, d] = [blocks(a), blocks(b)];
    return c.filter((color, i) => color.some((x, k) => Math.abs(x - d[i][k]) > most)).length / c.length;
  };
  assert.ok(differs(foggy, clear, 12) > 0.5, `fog is in ${differs(foggy, clear, 12)} of the picture`);
  const out = join(folder, 'fog.png');
  const { status, stderr } = spawnSync(program, ['render', join(folder, file), '--part', 'header/1', '--look', 'ds', '--camera', 'camera of VILLAGE', '--size', `${width}x${height}`, '-o', out], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  const other = await page.evaluate(async (text) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))])), copy = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    copy.drawImage(bitmap, 0, 0);
    return [...copy.getImageData(0, 0, bitmap.width, bitmap.height).data];
  }, readFileSync(out).toString('base64'));
  assert.ok(differs(foggy, other, 8) < 0.1, `${differs(foggy, other, 8)} of the picture looks different`);
  assert.ok(differs(clear, other, 12) > 0.5);
  await p.done();
});

test('a map can be shown in another state', async () => {
  const p = await open('games/small_tactics.bin'), { page } = p;
  await page.click('.file-list .row:has-text("MAP001")');
  await page.waitForSelector(by('state'));
  const usual = await p.seen(), states = await page.locator(`${by('state')} option`).allTextContents();
  assert.ok(states.length > 2, states.join());
  await page.selectOption(by('state'), states[1]);
  await page.waitForFunction((name) => window.__picture?.scene3?.data.extras?.state === name, states[1]);
  assert.notEqual((await p.seen()).sum, usual.sum, `${states[1]} looks like ${states[0]}`);
  await p.done();
});

const families = {
  'a course': ['kmp/arena.kmp'],
  'a model': ['nsbmd', 'nsbca', 'nsbta'].map((f) => `${f}/windmill.${f}`),
  'a world': ['games/village.nds'],
  'a battle map': ['games/small_tactics.bin'],
  'a pack': ['splashpack', 'vram', 'spu'].map((f) => `together/scene_v21.${f}`),
};
for (const [name, files] of Object.entries(families))
  test(`${name}: all panes share the selection, GLB export works, and a link restores it`, async () => {
    const p = await open(...files), { page } = p;
    const path = () => page.evaluate(() => decodeURIComponent(/[#&]path=([^&]*)/.exec(location.hash)?.[1] ?? ''));
    const pathIsNot = (old) => page.waitForFunction((o) => { const now = decodeURIComponent(/[#&]path=([^&]*)/.exec(location.hash)?.[1] ?? ''); return now && now !== o; }, old);
    const rowIs = (path) => page.waitForSelector(`${by('structure')} [data-path="${path}"][aria-selected="true"]`);

    // A triangle: its value, bytes and mark.
    const plain = await p.seen(), spot = await page.evaluate(() => {
      const v = window.__picture, r = v.canvas.getBoundingClientRect();
      for (let y = 60; y < r.height - 60; y += 7)
        for (let x = 20; x < r.width - 20; x += 7) {
          const hit = document.elementFromPoint(r.left + x, r.top + y) === v.canvas && v.pickAt(r.left + x, r.top + y);
          if (hit && hit.source !== undefined) return { x: r.left + x, y: r.top + y };
        }
    }) ?? await p.spotOf('');
    await page.mouse.click(spot.x, spot.y);
    await pathIsNot('');
    const clicked = await path();
    await rowIs(clicked);
    await page.waitForSelector(`${by('bytes')} .hex-cell .selected`);
    await page.waitForFunction(() => window.__picture.marks > 0);
    assert.notEqual((await p.seen()).sum, plain.sum, 'nothing is marked');

    // A byte of another value.
    await page.locator(by('bytes')).evaluate((e) => { e.scrollTop = 0; });
    await page.locator(`${by('bytes')} .hex-row[data-offset="0"] .hex-cell span`).first().click({ position: { x: 3, y: 8 } });
    await pathIsNot(clicked);
    await page.waitForSelector(`${by('bytes')} .hex-row[data-offset="0"] .selected`);

    // A value, selecting the triangle again.
    await page.goBack();
    await rowIs(clicked);
    await page.waitForFunction(() => window.__picture.marks > 0);

    // The same scene exported for Blender.
    await page.click(by('save'));
    const [download] = await Promise.all([page.waitForEvent('download'), page.click(by('save-glb'))]);
    const glb = readFileSync(await download.path()), json = JSON.parse(glb.toString('utf8', 20, 20 + glb.readUInt32LE(12)));
    assert.equal(glb.toString('latin1', 0, 4), 'glTF');
    const nodes = await page.evaluate(() => window.__picture.scene3.data.nodes.map((n) => n.name));
    assert.deepEqual(json.nodes.slice(0, nodes.length).map((n) => n.name ?? ''), nodes);

    // The link in another window: a built-in sample opens at once, any other file when it is dropped.
    await page.mouse.move(spot.x, spot.y);
    await page.mouse.wheel(0, -300);
    await page.waitForFunction(() => location.hash.endsWith(`view=${window.__picture.rig}`) && window.__picture.isFinished);
    const hash = await page.evaluate(() => location.hash), place = await p.place();
    await p.done();
    const other = await openAt(hash, name === 'a course' ? files : []);
    await other.page.waitForSelector(`${by('structure')} [data-path="${clicked}"][aria-selected="true"]`);
    assert.equal(await other.place(), place);
    await other.done();
  });

test('a battle map shows polygons hidden from a corner and the tile under the pointer', async () => {
  // The first quads are hidden from the south-west; two of them also from the north-east.
  copyFileSync(join(folder, 'games/small_tactics.bin'), join(folder, 'hides.bin'));
  for (const args of [['of=textured_quads[0..9]', 'hidden-from=SW'], ['of=textured_quads[3..4]', 'hidden-from=SW+NE']])
    assert.equal(spawnSync(program, ['edit', join(folder, 'hides.bin/MAP/MAP001.9'), 'set-polygons', ...args, '-i', '-q']).status, 0);
  const p = await open('hides.bin'), { page } = p;
  await page.click('.file-list .row:has-text("MAP001")');
  await page.waitForFunction(() => window.__picture?.scene3?.pieces.some((q) => q.hidden));
  await page.click(by('layers'));
  const counts = {};
  for (const corner of ['SW', 'NW', 'NE', 'SE']) {
    await page.click(by('cameras'));
    await page.click(`${by('camera')}:has-text("camera ${corner}")`);
    await page.waitForSelector(`text=Hidden from ${corner}`);
    counts[corner] = Number(await page.textContent(by('hidden-count')));
    assert.equal(await page.isChecked(by('layer-hidden-from')), false);
    if (corner !== 'SW') continue;
    const asGame = await p.seen();
    await page.check(by('layer-hidden-from'));
    assert.notEqual((await p.seen()).sum, asGame.sum, `${corner}: what is hidden cannot be seen either way`);
  }
  assert.deepEqual(counts, { SW: 10, NW: 0, NE: 2, SE: 0 });
  await page.click(by('top'));
  const box = await p.canvas.boundingBox();
  await page.mouse.move(box.x + box.width / 2 + 3, box.y + box.height / 2 + 3);
  await page.waitForFunction(() => /tile \d+, \d+: .* height \d+/.test(document.querySelector('[data-test="readout"]')?.textContent ?? ''));
  await p.done();
});

test('a course is shown on its collision, and a simulated race is drawn', async () => {
  const p = await open('together/race.kmp', 'together/race.kcl'), { page } = p;
  await page.waitForFunction(() => window.__picture.scene3?.data.nodes.some((n) => n.extras?.kind === 'collision file'));
  const before = await p.seen();
  await page.click(by('simulate'));
  await page.waitForSelector(`${by('findings')} :text("in no checkpoint sector")`);
  await page.waitForFunction(() => window.__picture.scene3?.data.nodes.some((n) => n.extras?.rule === 'kmp.race-uncovered'));
  const raced = await p.seen();
  assert.notEqual(raced.sum, before.sum);
  await page.click(by('layers'));
  await page.click(by('layer-Race'));
  await page.waitForSelector(by('overlay-race'));  // no longer asked for
  assert.notEqual((await p.seen()).sum, raced.sum);
  await page.uncheck(by('layer-Collision'));
  assert.ok((await p.seen()).drawn < before.drawn);
  await p.done();
});
