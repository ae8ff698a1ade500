// One page, build/viewer/diorama.html: the program, its style, the wasm module and a few samples. It needs nothing else, so that
// it opens from a disk. DIORAMA_WASM is the path of the module, DIO that of the program that makes the samples.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

const here = dirname(fileURLToPath(import.meta.url)), root = resolve(here, '../../..');
const modulePath = process.env.DIORAMA_WASM ?? join(root, 'build/wasm/diorama.wasm');
const programPath = process.env.DIO ?? join(root, 'build/release/dio');

// Small ones, of every family. The first file of a sample is the one that is opened.
const samples = [
  { id: 'course', title: 'Race course', family: 'Mario Kart Wii', files: ['kmp/race.kmp'] },
  { id: 'model', title: 'Windmill with five animations', family: 'Nintendo DS', files: ['nsbmd/windmill.nsbmd', 'nsbca/windmill.nsbca', 'nsbta/windmill.nsbta', 'nsbtp/windmill.nsbtp', 'nsbma/windmill.nsbma', 'nsbva/windmill.nsbva'] },
  { id: 'world', title: 'Village by a lake (a whole cartridge)', family: 'Pokémon Platinum', files: ['games/village.nds'] },
  { id: 'tactics', title: 'Battle maps (a whole disc)', family: 'Final Fantasy Tactics', part: 'map/1', files: ['games/small_tactics.bin'] },
  { id: 'pack', title: 'Scene pack with textures and sounds', family: 'PlayStation homebrew', files: ['together/scene_v21.splashpack', 'together/scene_v21.vram', 'together/scene_v21.spu'] },
  { id: 'broken', title: 'Truncated course', family: 'Example of a damaged file', files: ['kmp/truncated.kmp'] },
];

const gzip = (bytes) => gzipSync(bytes, { level: 9 });

/** The same, in fewer bytes: zopfli looks longer. Without that program, gzip has to do. */
function gzipSmall(bytes) {
  const folder = mkdtempSync(join(tmpdir(), 'diorama-page-')), file = join(folder, 'part');
  try {
    writeFileSync(file, bytes);
    const { status, stdout } = spawnSync('zopfli', ['-c', '--i5', file], { maxBuffer: 1 << 26 });
    return status === 0 ? stdout : gzip(bytes);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Functions of the module that the page does not call: without them it is a twentieth smaller.
const unused = [
  'diff', 'merge', 'find', 'report', 'repair', 'verify', 'hex_page', 'tree', 'decode', 'decode_refs', 'decode_lean', 'encode',
  'make', 'plan', 'put_back', 'take_textures', 'sheet', 'thumbnail', 'scene_render', 'scene_tiles', 'budget_picture', 'game_budget_picture',
  'game_graph', 'game_refs', 'game_diff', 'game_make', 'game_shown_with', 'editing_follow', 'replace_all', 'unpack', 'pack',
].map((name) => `dio_${name}`);

/** The module without them, and without what only they use. Without binaryen's wasm-metadce, all of it. */
function moduleOfPage(bytes) {
  const kept = WebAssembly.Module.exports(new WebAssembly.Module(bytes)).map(({ name }) => name).filter((name) => !unused.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'diorama-module-')), file = (name) => join(folder, name);
  try {
    writeFileSync(file('all.wasm'), bytes);
    writeFileSync(file('graph.json'), JSON.stringify([{ name: 'page', root: true, reaches: kept }, ...kept.map((name) => ({ name, export: name }))]));
    const { status } = spawnSync('wasm-metadce', [file('all.wasm'), '--graph-file', file('graph.json'), '-o', file('page.wasm')], { maxBuffer: 1 << 28 });
    return status === 0 ? readFileSync(file('page.wasm')) : bytes;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Bytes as text of a script element, seven bits a character: an eighth less than base64, and UTF-8 as the rest of the page. What
 * HTML does not leave as it is (NUL, CR, <) becomes a character of two bytes, which has room for the next nine bits as well. The
 * number of bytes stands before it. `bytes_of_text` undoes it; the page has it before anything else.
 */
function text_of_bytes(bytes) {
  let text = `${bytes.length} `, word = 0, bits = 0, at = 0;
  const next = (count) => {
    for (; bits < count; bits += 8) word = ((word << 8) | (bytes[at++] ?? 0)) & 0xffff;
    return (word >> (bits -= count)) & ((1 << count) - 1);
  };
  for (let left = 8 * bytes.length; left > 0; left -= 7) {
    const seven = next(7), other = [0, 13, 60].indexOf(seven);
    text += String.fromCharCode(other < 0 ? seven : 160 + 512 * other + next(9));
    if (other >= 0) left -= 9;
  }
  return text;
}
function bytes_of_text(text) {
  const start = text.indexOf(' '), bytes = new Uint8Array(Number(text.slice(0, start)));
  let at = 0, word = 0, bits = 0;
  const add = (value, count) => {
    word = ((word << count) | value) & 0xffff;
    for (bits += count; bits >= 8; ) bytes[at++] = word >> (bits -= 8);
  };
  for (let i = start + 1; i < text.length; ++i) {
    const code = text.charCodeAt(i);
    if (code < 128) add(code, 7);
    else add([0, 13, 60][(code - 160) >> 9], 7), add((code - 160) & 511, 9);
  }
  return bytes;
}

/** What is said of the samples, and their files one after another. */
function samplesOf(program) {
  const folder = mkdtempSync(join(tmpdir(), 'diorama-'));
  try {
    const { status, stderr } = spawnSync(program, ['formats', '--samples', folder], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} formats --samples: ${stderr}`);
    const content = [];
    const list = samples.map(({ files, ...rest }) => ({
      ...rest, files: files.map((path) => {
        content.push(readFileSync(join(folder, path)));
        return { name: basename(path), size: content.at(-1).length };
      }),
    }));
    return { list, content: Buffer.concat(content) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// Inline, before anything else: the colours of the theme, so that a dark page does not begin white; files that are dropped before the
// program listens; then the program, unpacked.
const first = `
${bytes_of_text}
let theme = 'system';
try { theme = JSON.parse(localStorage.getItem('diorama.theme')) ?? theme; } catch {}
document.documentElement.dataset.theme = theme === 'system' ? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light') : theme;
var dropped_early = [];
addEventListener('dragover', (e) => { if (!window.__ready) e.preventDefault(); });
addEventListener('drop', (e) => {
  if (window.__ready || !e.dataTransfer) return;
  e.preventDefault();
  for (const item of e.dataTransfer.items) if (item.kind === 'file' && !item.webkitGetAsEntry?.()?.isDirectory) dropped_early.push(item.getAsFile());
});
addEventListener('DOMContentLoaded', async () => {
  const packed = bytes_of_text(document.getElementById('diorama-program').textContent);
  const program = document.createElement('script');
  program.type = 'module';
  program.textContent = await new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).text();
  document.head.append(program);
});`;

/** Packs the program, and puts the module and the samples into the page, after everything else is in it. */
function inside() {
  return {
    name: 'diorama-inside',
    enforce: 'post',
    writeBundle({ dir }) {
      const page = join(dir, 'diorama.html'), found = /<script type="module"[^>]*>([^]*?)<\/script>/.exec(readFileSync(page, 'utf8'));
      const html = found.input.slice(0, found.index) + `<script>${first}</script>` + found.input.slice(found.index + found[0].length);
      for (const path of [modulePath, programPath]) if (!existsSync(path)) throw new Error(`${path}: no such file; build it first`);
      const { list, content } = samplesOf(programPath);
      const parts = [
        `<script type="text/plain" id="diorama-program">${text_of_bytes(gzipSmall(found[1]))}</script>`,
        `<script type="text/plain" id="diorama-wasm">${text_of_bytes(gzipSmall(moduleOfPage(readFileSync(modulePath))))}</script>`,
        `<script type="application/json" id="diorama-samples">${JSON.stringify({ samples: list })}</script>`,
        `<script type="text/plain" id="diorama-sample-files">${text_of_bytes(gzipSmall(content))}</script>`,
      ];
      const end = html.lastIndexOf('</body>');
      writeFileSync(page, `${html.slice(0, end)}${parts.join('\n')}\n${html.slice(end)}`);
    },
  };
}

export default defineConfig({
  root: here,
  base: './',
  plugins: [viteSingleFile({ removeViteModuleLoader: true }), inside()],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: join(root, 'build/viewer'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    chunkSizeWarningLimit: 4096,
    rolldownOptions: { input: join(here, 'diorama.html') },
  },
});
