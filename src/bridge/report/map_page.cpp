#include "bridge/report/map_page.hpp"

#include "core/json.hpp"
#include "core/text_format.hpp"

namespace dio::report {

namespace {

constexpr char k_style[] = R"css(
html, body { margin: 0; height: 100%; overflow: hidden; background: #14181d; color: #e6eaef; font: 13px system-ui; }
canvas { display: block; width: 100%; height: 100%; touch-action: none; cursor: grab; }
canvas:focus { outline: none; }
nav { position: fixed; top: 10px; left: 10px; display: grid; gap: 4px; }
button { width: 34px; height: 34px; border: 1px solid #3a434e; border-radius: 6px; background: #1e242bd9; color: inherit; font: 17px system-ui; }
button:hover, button:focus-visible { background: #34404d; }
button[aria-pressed=true] { border-color: #7fb4ff; }
output { position: fixed; left: 10px; bottom: 10px; padding: 2px 8px; border-radius: 6px; background: #1e242bd9; pointer-events: none; }
output:empty { display: none; }
)css";

// Positions are pixels of the deepest level; `s` is the size of one on the screen. Until a tile is loaded, part of a
// coarser one is shown.
constexpr char k_script[] = R"js(
const M = JSON.parse(document.getElementById('data').textContent), T = M.tile_size, D = M.maxzoom, G = M.map, P = M.places || [];
const at = (id) => document.getElementById(id), c = at('map'), g = c.getContext('2d'), tip = at('tip');
let s, x, y, W, H, names = true, queued = false;
const pictures = new Map(), clamp = (v, a, b) => Math.min(Math.max(v, a), b);

const exists = (z, i, j) => M.levels[z][j]?.[i] === '1';
function picture(z, i, j) {
  const key = z + '/' + i + '/' + j;
  let p = pictures.get(key);
  if (p) return pictures.delete(key), pictures.set(key, p), p;
  pictures.set(key, p = new Image());
  p.onload = redraw;
  p.src = key + '.png';
  return p;
}
const loaded = (p) => p?.complete && p.naturalWidth > 0;

function redraw() {
  if (!queued) queued = true, requestAnimationFrame(draw);
}
function draw() {
  queued = false;
  const r = devicePixelRatio || 1;
  W = innerWidth, H = innerHeight;
  if (c.width !== Math.round(W * r) || c.height !== Math.round(H * r)) c.width = Math.round(W * r), c.height = Math.round(H * r);
  g.setTransform(1, 0, 0, 1, 0, 0);
  g.clearRect(0, 0, c.width, c.height);
  g.imageSmoothingEnabled = s * r < 1;
  const z = clamp(Math.ceil(D + Math.log2(s * r) - .01), 0, D), S = T * 2 ** (D - z);
  const X = (v) => Math.round(((v - x) * s + W / 2) * r), Y = (v) => Math.round(((v - y) * s + H / 2) * r);
  const first = (v, size) => Math.max(0, Math.floor((v - size / 2 / s) / S)), end = (v, size, all) => Math.min(v + size / 2 / s, all) / S;
  for (let j = first(y, H); j < end(y, H, M.height); ++j)
    for (let i = first(x, W); i < end(x, W, M.width); ++i) {
      if (!exists(z, i, j)) continue;
      let p = picture(z, i, j), up = 0;
      while (!loaded(p) && up < z) p = pictures.get([z - ++up, i >> up, j >> up].join('/'));
      const n = T / 2 ** up, a = X(i * S), b = Y(j * S);
      if (loaded(p)) g.drawImage(p, (i % 2 ** up) * n, (j % 2 ** up) * n, n, n, a, b, X((i + 1) * S) - a, Y((j + 1) * S) - b);
    }
  // Tiles of this view stay, because they were requested last.
  const seen = Math.ceil(W / (S * s) + 1) * Math.ceil(H / (S * s) + 1);
  for (const key of pictures.keys()) {
    if (pictures.size <= 600 + seen) break;
    pictures.delete(key);
  }
  if (names) label(r, X, Y);
}
function label(r, X, Y) {
  const taken = [], k = G.pixels_per_tile;
  g.font = `${12 * r}px system-ui`, g.textAlign = 'center', g.textBaseline = 'middle', g.lineWidth = 3 * r;
  g.strokeStyle = '#000b', g.fillStyle = '#fff', g.lineJoin = 'round';
  for (const { name, tiles: [l, t, w, h] } of P) {
    const a = X((l + w / 2) * k), b = Y((t + h / 2) * k), m = g.measureText(name).width / 2 + 3 * r, n = 9 * r;
    if (taken.some(([p, q, o]) => Math.abs(a - p) < m + o && Math.abs(b - q) < 2 * n)) continue;
    taken.push([a, b, m]);
    g.strokeText(name, a, b), g.fillText(name, a, b);
  }
}

function zoom(factor, px = W / 2, py = H / 2) {
  const mx = x + (px - W / 2) / s, my = y + (py - H / 2) / s;
  s = clamp(s * factor, .5 * T / Math.max(M.width, M.height, T), 32);
  move(mx - (px - W / 2) / s - x, my - (py - H / 2) / s - y);
}
function move(dx, dy) {
  x = clamp(x + dx, 0, M.width), y = clamp(y + dy, 0, M.height);
  redraw();
}
function fit() {
  W = innerWidth, H = innerHeight;
  s = Math.min(W / M.width, H / M.height), x = M.width / 2, y = M.height / 2;
  redraw();
}
function show(on) {
  at('names').ariaPressed = names = on;
  redraw();
}
function tell(e) {
  const i = x + (e.clientX - W / 2) / s, j = y + (e.clientY - H / 2) / s, k = G.pixels_per_tile;
  tip.textContent = '';
  if (i < 0 || j < 0 || i >= M.width || j >= M.height) return;
  if (!k) return void (tip.textContent = G.corner.map((v, n) => (v + [i, j][n] / G.pixels_per_unit).toFixed(1)).join(', '));
  const a = Math.floor(i / k), b = Math.floor(j / k);
  const names = P.filter(({ tiles: [l, t, w, h] }) => a >= l && b >= t && a < l + w && b < t + h);
  tip.textContent = `${G.first_tile[0] + a}, ${G.first_tile[1] + (G.rows === 'north' ? -b : b)} ${names.map((p) => p.name).join(' ')}`;
}

const down = new Map();
const spread = () => {
  const [a, b] = [...down.values()];
  return b ? { d: Math.hypot(a.x - b.x, a.y - b.y) || 1, x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : { d: 1, x: a.x, y: a.y };
};
c.onpointerdown = (e) => (c.setPointerCapture(e.pointerId), down.set(e.pointerId, { x: e.clientX, y: e.clientY }));
c.onpointermove = (e) => {
  tell(e);
  if (!down.has(e.pointerId)) return;
  const was = spread();
  down.set(e.pointerId, { x: e.clientX, y: e.clientY });
  const is = spread();
  move((was.x - is.x) / s, (was.y - is.y) / s);
  if (is.d !== was.d) zoom(is.d / was.d, is.x, is.y);
};
c.onpointerup = c.onpointercancel = (e) => down.delete(e.pointerId);
c.onwheel = (e) => (e.preventDefault(), zoom(Math.exp(-e.deltaY / 500), e.clientX, e.clientY));
c.ondblclick = (e) => zoom(2, e.clientX, e.clientY);
const keys = {
  ArrowLeft: () => move(-80 / s, 0), ArrowRight: () => move(80 / s, 0), ArrowUp: () => move(0, -80 / s), ArrowDown: () => move(0, 80 / s),
  '+': () => zoom(1.5), '=': () => zoom(1.5), '-': () => zoom(1 / 1.5), 0: fit, Home: fit, n: () => show(!names),
};
onkeydown = (e) => keys[e.key] && !e.ctrlKey && !e.metaKey && !e.altKey && (e.preventDefault(), keys[e.key]());
onresize = redraw;
at('in').onclick = keys['+'], at('out').onclick = keys['-'], at('all').onclick = fit, at('names').onclick = keys.n;
at('names').hidden = !P.length;
fit();
)js";

}  // namespace

std::string map_page(const Value& about) {
  const Value* name = about.find("name");
  const std::string title = escape_markup(name ? name->text() : "");
  std::string page =
      "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>";
  page += title;
  page += "</title>\n<style>";
  page += k_style;
  page += "</style>\n<canvas id=\"map\" tabindex=\"0\" role=\"img\" aria-label=\"Map: " + title + "\"></canvas>\n";
  page +=
      "<nav><button id=\"in\" title=\"Closer (+)\">+</button><button id=\"out\" title=\"Farther (-)\">−</button>"
      "<button id=\"all\" title=\"All (0)\">⛶</button>"
      "<button id=\"names\" title=\"Names (N)\" aria-pressed=\"true\">A</button></nav>\n"
      "<output id=\"tip\"></output>\n<script type=\"application/json\" id=\"data\">";
  page += json::write_script_safe(about);
  page += "</script>\n<script>";
  page += k_script;
  page += "</script>\n</html>\n";
  return page;
}

}  // namespace dio::report
