// How the picture draws a scene: the colours of its legend, and the parts rebuilt by an edit. DIO is the path of the program,
// DIORAMA_VIEWER that of the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { by, courseArchive, forTests } from './viewer_page.mjs';

const { folder, open } = forTests();

/** The relative luminance of a colour, '#rrggbb' or 'rgb(r, g, b)', and the contrast of two, as WCAG 2.1 defines them. */
const luminance = (color) => {
  const parts = color[0] === '#' ? [1, 3, 5].map((i) => parseInt(color.slice(i, i + 2), 16)) : color.match(/[\d.]+/g).slice(0, 3).map(Number);
  const [r, g, b] = parts.map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a, b) => {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

/** For each family, files with layers or with a colour per kind. */
const families = [['course.szs'], ['kmp/race.kmp'], ['kcl/types.kcl'], ['together/race.kmp', 'together/race.kcl'], ['games/village.nds'], ['land-data/town.bin'], ['fft-mesh/valley.fft-mesh'], ['fft-mesh/terrain.fft-mesh'], ['splashpack/scene_v24.splashpack'], ['splashpack/scene_a1.bin']];

for (const colorScheme of ['light', 'dark'])
  test(`every legend colour is drawn and stands out from the ${colorScheme} sky`, async () => {
    courseArchive(folder);
    let colors = 0;
    for (const files of families) {
      const v = await open(files, { colorScheme }), { page } = v;
      await v.pictureIsThere();
      const { legend, drawn, sky } = await page.evaluate(() => {
        const { scene3 } = window.__picture, style = getComputedStyle(document.documentElement), { data, layering } = scene3;
        const hex = (c) => `#${[0, 1, 2].map((k) => Math.round(255 * (c[k] <= 0.0031308 ? c[k] * 12.92 : 1.055 * c[k] ** (1 / 2.4) - 0.055)).toString(16).padStart(2, '0')).join('')}`;
        const own = data.extras?.gradient || data.background[3] > 0;
        return {
          legend: layering.layers.flatMap((l) => [...(l.color ? [{ name: l.title, color: l.color }] : []), ...l.swatches]),
          drawn: layering.colors.map(hex), sky: own ? [] : ['--sky-top', '--sky-bottom'].map((name) => style.getPropertyValue(name).trim()),
        };
      });
      for (const { name, color } of legend) {
        assert.ok(drawn.includes(color), `${files[0]}: ${name} has ${color}, which nothing is drawn in`);
        for (const behind of sky) assert.ok(contrast(color, behind) >= 3, `${files[0]}: ${name}: ${color} on ${behind} is ${contrast(color, behind).toFixed(2)}:1`);
        colors += sky.length > 0;
      }
      await v.done();
    }
    assert.ok(colors >= 20, `${colors} colours`);
  });

test('the legend lists its names inside the picture and follows the theme', async () => {
  courseArchive(folder);
  const v = await open(['course.szs'], { colorScheme: 'light' }), { page } = v;
  await v.pictureIsThere();
  await page.click(by('layers'));
  const box = await page.locator('.legend').boundingBox(), head = await page.locator(by('layers')).boundingBox(), list = await page.locator('.legend ul').boundingBox();
  assert.ok(list.y >= head.y + head.height - 1 && list.x + list.width <= box.x + box.width + 1, JSON.stringify({ box, head, list }));
  const colors = () => page.evaluate(() => window.__picture.scene3.layering.layers.map(({ color }) => color).join());
  const before = await colors();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction((old) => window.__picture.scene3.layering.layers.map(({ color }) => color).join() !== old, before);
  await v.done();
});

test('an edit rebuilds only the changed parts of the scene', async () => {
  courseArchive(folder);
  const v = await open(['course.szs'], { fresh: true }), { page } = v;
  await v.pictureIsThere();
  await page.evaluate(() => { const { scene3 } = window.__picture; window.__before = { scene3, objects: new Set(scene3.batches.map((b) => b.object)), atlas: scene3.atlas, arrays: new Set(scene3.data.arrays) }; });
  await v.select('course.szs/course.kmp', 'GOBJ.entries[0].position.x');
  await page.waitForSelector(`${by('structure')} [data-path="GOBJ.entries[0].position.x"][aria-selected="true"]`);
  await page.locator(by('structure')).focus();
  await page.keyboard.press('F2');
  await page.locator(by('value-field')).fill('1234');
  await page.locator(by('value-field')).press('Enter');
  await page.waitForFunction(() => window.__picture.scene3 !== window.__before.scene3);
  const { fresh, atlas, arrays, at } = await page.evaluate(() => {
    const { scene3 } = window.__picture, { before } = { before: window.__before }, node = scene3.data.nodes.find((n) => n.extras?.path === 'GOBJ.entries[0]');
    return {
      fresh: scene3.batches.filter((b) => !before.objects.has(b.object)).flatMap((b) => b.pieces.filter((p) => !p.moving).map((p) => scene3.layering.layers[p.layer].title)), atlas: scene3.atlas === before.atlas,
      arrays: scene3.data.arrays.filter((a) => !before.arrays.has(a)).length, at: node.translation[0],
    };
  });
  assert.equal(at, 1234);
  assert.ok(atlas, 'the pictures are sent to the graphics card again');
  assert.equal(arrays, 0, 'arrays that are the same came again');
  // Objects are kept; the moving element is drawn separately.
  assert.deepEqual([...new Set(fresh)].sort(), ['Object models', 'Objects']);
  await v.done();
});
