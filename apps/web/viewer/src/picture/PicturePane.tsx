// The picture: what the selected file or part of a game looks like, with everything that changes how it is seen.
import { type Signal, effect, signal, useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Vector3 } from 'three';
import { edit, elementOf, isEditable } from '../editing';
import { current, race } from '../showing';
import { core, files, isPictureAlone, markedImage, rearranged, reducedMotion, said, select, selectPlace, selection, shown, worldOptions, type SceneData, type Shown } from '../state';
import type { SourcePlace } from '../types';
import { counted } from '../words';
import { remember, remembered } from '../remembering';
import type { End, Handle, Pose } from './gizmo';
import { Glyph, type IconName } from './icons';
import type { Look } from './materials';
import { between, short } from './measure';
import { titleOf } from './overlays';
import { canDraw, Drawing } from './drawing';
import { BrushBar, hasTiles, Painting } from './Painting';
import type { Hit } from './picking';
import { type Colors, View } from './view';
import './picture.css';

/** Of games whose options are known: names of overlays, and of options. By the path of the game. */
const games = signal(new Map<string, { overlays: string[]; options: string[] }>());
/** The names of the states of parts of games, the usual one first. By game and part. */
const statesOf = signal(new Map<string, string[]>());
const k_most_labels = 60;
/** The kinds of nodes that can be placed, by format. */
const placed = signal(new Map<string, Set<string>>());

/** A colour of the page as three numbers. */
function colorOf(name: string): [number, number, number] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!;
  canvas.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim() || '#808080';
  canvas.fillRect(0, 0, 1, 1);
  const [r, g, b] = canvas.getImageData(0, 0, 1, 1).data;
  return [r / 255, g / 255, b / 255];
}
const colors = (): Colors => ({ top: colorOf('--sky-top'), bottom: colorOf('--sky-bottom'), accent: colorOf('--mark'), measure: colorOf('--measure') });

const keptCamera = new Map<string, string>();
/** Where the address of the page says that the first picture is seen from. */
let cameraOfAddress = decodeURIComponent(/[#&]view=([^&]*)/.exec(location.hash)?.[1] ?? '');
/** The weather of the maps of a world, and how many have it. */
function weathersOf({ nodes }: SceneData): Map<string, number> {
  const out = new Map<string, number>();
  for (const { extras } of nodes) if (extras?.weather) out.set(extras.weather, (out.get(extras.weather) ?? 0) + 1);
  return out;
}
const clockOf = (seconds: number) => `${Math.floor(seconds / 3600)}:${String(Math.floor(seconds / 60) % 60).padStart(2, '0')}`;

export function PicturePane() {
  const canvas = useRef<HTMLCanvasElement>(null), box = useRef<HTMLDivElement>(null), labels = useRef<HTMLDivElement>(null), tip = useRef<HTMLDivElement>(null);
  const view = useRef<View | null>(null);
  const failed = useSignal(''), version = useSignal(0), mode = useSignal('orbit'), holds = useSignal(-1), handle = useSignal<Handle>('translate'), look = useSignal<Look>('plain'), menu = useSignal<'' | 'cameras' | 'save' | 'look'>('');
  const showLayers = useSignal(remembered('picture.layers', false)), showLabels = useSignal(false), measuring = useSignal(false), points = useSignal<Vector3[]>([]);
  const playing = useSignal(false), time = useSignal(0), clip = useSignal(-1), speed = useSignal(1), variant = useSignal(-1), state = useSignal(-1), focus = useSignal(-1);
  const probe = useSignal(''), cameraNode = useSignal(-1), seenFrom = useSignal(''), asGame = useSignal(false);
  const painting = useMemo(() => new Painting(() => view.current), []), drawing = useMemo(() => new Drawing(() => view.current), []);
  const dark = useComputed(() => document.documentElement.dataset.theme);

  // ---- the canvas ----

  useEffect(() => {
    let v: View;
    try {
      v = view.current = new View(canvas.current!);
    } catch (e) {
      failed.value = `This browser has no WebGL 2, so there is no picture (${(e as Error).message}). All other panes work.`;
      return;
    }
    (window as any).__picture = v;
    v.setColors(colors());
    const resize = () => {
      if (!box.current) return;  // the pane is going
      const { clientWidth, clientHeight } = box.current;
      v.rig.inset = { top: 36, bottom: box.current.querySelector('.playbar') ? 52 : 8 };
      if (clientWidth && clientHeight) v.setSize(clientWidth, clientHeight, Math.min(devicePixelRatio || 1, 2));
    };
    const watch = new ResizeObserver(resize), themes = new MutationObserver(() => {
      v.setColors(colors());
      // What is drawn over a scene has other colours on another sky.
      if (shown.peek()) shown.value = { ...shown.peek()! };
    });
    watch.observe(box.current!);
    themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
    resize();
    let waiting = 0, written = 0;
    v.onMoved = () => {
      mode.value = v.rig.place.parallel && v.rig.place.mode === 'orbit' ? 'parallel' : v.rig.place.mode;
      cameraNode.value = v.rig.place.mode === 'game' ? v.rig.place.node : -1;
      clearTimeout(waiting);
      waiting = window.setTimeout(() => {
        const text = v.rig.toString(), now = shown.peek();
        if (now) keptCamera.set(`${now.file}|${now.part ?? ''}`, text);
        try {
          history.replaceState(null, '', `${location.hash.replace(/[#&]view=[^&]*/, '') || '#'}&view=${text}`);
        } catch {
          // A page without an address of its own has no links.
        }
      }, 400);
    };
    // Ten times a second is enough to read; drawing the bar takes as long as the picture where there is no graphics card.
    v.onPlayed = () => {
      const now = performance.now();
      if (now - written < 100) return;
      written = now;
      time.value = v.player!.time;
    };
    v.onDrawn = () => placeLabels();
    v.gizmo.onPlaced = (pose, by) => void place(pose, by);
    v.gizmo.onEndMoved = (end) => void moveEnd(end);
    if (!placed.peek().size) core.formats().then((all) => { placed.value = new Map(all.map((f) => [f.id, new Set(f.placed ?? [])])); }, () => {});
    v.onSeenFrom = () => { seenFrom.value = v.seenFrom?.name ?? ''; };
    const key = (e: KeyboardEvent) => {
      if (e.key === 'Shift') v.gizmo.snap = null;
      if ((e.target as Element).closest('input, select, textarea')) return;
      if (v.rig.hold(e)) return e.preventDefault();
    };
    addEventListener('keyup', key);
    return () => {
      removeEventListener('keyup', key);
      clearTimeout(waiting);
      watch.disconnect(), themes.disconnect();
      v.dispose();
      view.current = null;
      if ((window as any).__picture === v) delete (window as any).__picture;
    };
  }, []);
  useSignalEffect(() => {
    if (view.current) view.current.rig.reducedMotion = reducedMotion.value;
  });

  // ---- the scene ----

  const before = useRef({ key: '', layers: new Map<string, number>() });
  useSignalEffect(() => {
    const now = shown.value, v = view.current;
    if (!now) v?.clear();
    if (!now || !v) return;
    const key = `${now.file}|${now.part ?? ''}`, stays = before.current.key === key, wanted = keptCamera.get(key) ?? cameraOfAddress;
    cameraOfAddress = '';
    // What was switched on or off stays so when the same place is built again.
    if (stays && v.scene3) v.scene3.layering.layers.forEach((l, i) => before.current.layers.set(l.key, v.scene3!.shownLayers[i]));
    else before.current.layers.clear();
    before.current.key = key;
    // What floats over the picture stays out of what is framed: the bar below comes with animations and times of day.
    v.rig.inset = { top: 36, bottom: now.data.animations.length || now.part ? 52 : 8 };
    try {
      v.setScene(now.data, stays);
    } catch (e) {
      failed.value = (e as Error).message;
      return;
    }
    failed.value = '';
    if (!stays && wanted) v.rig.fromString(wanted);
    if (!stays) v.onMoved();
    if (!stays) setAsGame(false);
    const s = v.scene3!;
    s.layering.layers.forEach((l, i) => {
      const kept = before.current.layers.get(l.key);
      if (kept !== undefined) s.shownLayers[i] = kept;
    });
    v.changed();
    points.value = [], probe.value = '', variant.value = -1, focus.value = -1, state.value = s.state, clip.value = v.player!.clip;
    playing.value = v.player!.playing, time.value = v.player!.time, speed.value = v.player!.speed;
    if (!stays && !reducedMotion.peek() && v.player!.clip < 0 && v.player!.on.size && s.triangles < 100000) setPlaying(true);
    mode.value = v.rig.place.mode;
    version.value = version.peek() + 1;
    v.gizmo.handle = handle.peek();
    void showSelected();
  });
  // The handles hold what is selected, if it can be placed and nothing else is done with the pointer. In a world, the core knows which
  // node stands for the element of a file.
  const holdsIn = useRef(''), touched = useRef(-1);
  const showHandles = async () => {
    const now = shown.peek(), chosen = selection.peek(), { file, path } = chosen, kinds = placed.peek().get(current.peek()?.format ?? ''), wanted: string[] = [];
    const isStale = () => shown.peek() !== now || selection.peek() !== chosen || measuring.peek() || painting.on.peek() || drawing.on.peek();
    const hold = (node: number, end?: End) => {
      if (node >= 0 && isStale()) return;
      holds.value = node;
      holdsIn.current = file;
      view.current?.hold(node, end);
    };
    for (let at = elementOf(path); at; at = elementOf(at.list)) wanted.push(at.path);
    if (!now || now.rearranged !== rearranged.peek() || !view.current || isStale() || !kinds?.size || !wanted.length || !isEditable(file) || (!now.part && file !== now.file)) return hold(-1);
    const { nodes } = now.data, fits = (node: number, at: string) => nodes[node].extras?.path === at && kinds.has(nodes[node].extras.kind);
    let node = -1;
    for (const at of wanted) {
      // A file of a world may be in several places: the one that was clicked.
      const all = now.part ? (await core.shows(now.sceneId, file, at).catch(() => [])).map((s) => s.node).filter((n) => fits(n, at)) : nodes.flatMap((_, i) => (fits(i, at) ? [i] : [])), clicked = new Set<number>();
      for (let i = touched.current; i >= 0; i = nodes[i]?.parent ?? -1) clicked.add(i);
      node = all.find((n) => clicked.has(n)) ?? all[0] ?? -1;
      if (node >= 0) break;
    }
    if (node < 0) return hold(-1);
    const own: string = nodes[node].extras.path, end = (nodes[node].extras.handles as string[] | undefined)?.find((name) => path === `${own}.${name}` || path.startsWith(`${own}.${name}.`));
    hold(node, end ? await endOf(file, `${own}.${end}`, node).catch(() => undefined) : undefined);
  };
  /** Where an end is: its own coordinates, the others as those of the node. */
  const endOf = async (file: string, path: string, node: number): Promise<End> => {
    const { members } = await core.branch(file, path, 0, 3), [x0, y0, z0, x1, y1, z1] = view.current!.picker!.boxOf(new Set([node])) ?? [0, 0, 0, 0, 0, 0];
    const at = [(x0 + x1) / 2, y0 + (y1 - y0) * 0.2, (z0 + z1) / 2], axes = members.map((m) => m.name).filter((name) => 'xyz'.includes(name));
    for (const { name, value } of members) if (axes.includes(name)) at['xyz'.indexOf(name)] = Number(value);
    return { path, at, axes: axes.join('') };
  };
  useSignalEffect(() => {
    void shown.value, void selection.value, void placed.value, void current.value, void version.value, void measuring.value, void painting.on.value, void drawing.on.value, void rearranged.value;
    void showHandles();
  });
  // The brush goes on when the scene was built again.
  useSignalEffect(() => {
    const now = shown.value;
    void version.value;
    if (!painting.on.peek()) return;
    if (now && hasTiles(now)) void painting.start(now);
    else painting.stop();
  });
  /** The handles let go of what is selected. They would do so in the effect above, but in a later frame: a click until then would be theirs. */
  const letGo = () => (view.current?.hold(-1), (holds.value = -1));
  const togglePaint = () => {
    const now = shown.peek();
    if (painting.on.value || !now || !hasTiles(now)) return painting.stop();
    letGo();
    if (measuring.value) toggleMeasure();
    drawing.stop();
    painting.on.value = true;
    void painting.start(now);
  };
  // Points are drawn as long as one is selected.
  const draws = !!shown.value && !shown.value.part && shown.value.file === selection.value.file && canDraw(selection.value.path);
  useSignalEffect(() => {
    if (drawing.on.value && !canDraw(selection.value.path)) drawing.stop();
  });
  const toggleDraw = () => {
    if (drawing.on.value || !canDraw(selection.peek().path)) return drawing.stop();
    letGo();
    if (measuring.value) toggleMeasure();
    painting.stop();
    drawing.start();
  };
  /** A handle was let go: the file says so from now on. */
  const place = async (pose: Pose, by: Handle) => {
    const now = shown.peek(), v = view.current, node = v?.gizmo.node ?? -1;
    if (!now || node < 0) return;
    const what = ({ translate: 'translation', rotate: 'rotation', scale: 'scale' } as const)[by], both = what === 'translation' || !v!.gizmo.isFar ? [what] : ['translation', what] as const;
    const words = both.map((one) => `${one}=${pose[one].map((x) => String(Math.fround(x))).join(',')}`);
    if (!(await edit(holdsIn.current, async () => (now.rearranged === rearranged.peek() ? ['place', now.data.nodes[node].extras.path, ...words] : null)))) {
      v!.hold(-1);  // back to where it was
      v!.hold(node);
    }
  };
  /** An end of what is selected was moved. */
  const moveEnd = async ({ path, at, axes }: End) => {
    const now = shown.peek(), words = [...axes].map((axis) => `${path}.${axis}=${Math.fround(at['xyz'.indexOf(axis)])}`);
    if (now && !(await edit(holdsIn.current, async () => (now.rearranged === rearranged.peek() ? ['set', ...words] : null)))) void showHandles();
  };
  const setHandle = (to: Handle) => {
    handle.value = to;
    if (view.current) view.current.gizmo.handle = to;
    said.value = { translate: 'Move', rotate: 'Turn', scale: 'Scale' }[to];
  };
  /** A round length that is easy to see. */
  const stepLength = () => 10 ** Math.round(Math.log10(Math.max(view.current?.rig.radius ?? 1, 1e-6) / 100));
  useSignalEffect(() => {
    const now = shown.value;
    if (!now?.part || games.value.has(now.file)) return;
    core.game(now.file).then((g) => (games.value = new Map(games.peek()).set(now.file, { overlays: g?.overlays ?? [], options: g?.options ?? [] })), () => {});
  });

  useSignalEffect(() => {
    const now = shown.value, key = now && `${now.file}|${now.part}`;
    if (!now?.part || !key || !games.value.get(now.file)?.options.includes('state') || statesOf.value.has(key)) return;
    core.describe(now.file, now.part).then((d) => (statesOf.value = new Map(statesOf.peek()).set(key, (d?.states ?? []).map((x: { state: string }) => x.state))), () => {});
  });

  // ---- selection: both ways ----

  const own = useRef('');
  const showSelected = async () => {
    const now = shown.peek(), v = view.current, { file, path } = selection.peek();
    if (!now || !v?.scene3) return;
    if (own.current === `${file}|${path}`) return;  // marked where it was clicked
    own.current = '';
    if (!path && file === now.file) return v.mark([], null);
    const found = await core.shows(now.sceneId, file, path).catch(() => []);
    if (shown.peek() !== now || selection.peek().file !== file || selection.peek().path !== path) return;
    const elements: Parameters<View['mark']>[0] = [], nodes = new Set<number>();
    const { nodes: all } = now.data;
    for (const { node, sources } of found) {
      if (!sources) nodes.add(node);
      else
        for (const piece of v.scene3.pieces) {
          if (piece.node !== node || !piece.primitive.sources) continue;
          const { indices, sources: from, positions, shape } = piece.primitive, step = shape === 'triangles' ? 3 : shape === 'lines' ? 2 : 1, count = indices?.length ?? positions.length / 3;
          for (let i = 0; i + step <= count; i += step)
            for (let k = 0; k < step; ++k) {
              const s = from[indices ? indices[i + k] : i + k];
              if (sources.some(([first, n]) => s >= first && s < first + n)) {
                elements.push({ piece, element: i / step });
                break;
              }
            }
        }
    }
    const within = new Set(nodes);
    all.forEach((n, i) => n.parent >= 0 && within.has(n.parent) && within.add(i));
    const isAll = v.scene3.pieces.every((p) => within.has(p.node));  // a box around everything says nothing
    v.mark(elements, nodes.size && !isAll ? v.picker!.boxOf(within) : null);
    marked.current = { nodes: within, elements };
  };
  const marked = useRef<{ nodes: Set<number>; elements: Parameters<View['mark']>[0] }>({ nodes: new Set(), elements: [] });
  useEffect(() => effect(() => {
    void selection.value;
    void showSelected();
  }), []);

  // A texture was chosen: what it is on.
  useSignalEffect(() => {
    const image = markedImage.value, v = view.current, now = shown.peek();
    if (!v?.scene3 || !now || image < 0) return;
    const { data } = now, elements: Parameters<View['mark']>[0] = [];
    for (const piece of v.scene3.pieces)
      if (v.scene3.showsPiece(piece) && data.textures[data.materials[piece.primitive.material]?.texture]?.image === image)
        for (let element = 0; element < piece.indexCount / 3; ++element) elements.push({ piece, element });
    own.current = '';
    marked.current = { nodes: new Set(), elements };
    v.mark(elements, null);
    said.value = `${data.images[image].name}: on ${elements.length} triangles`;
  });

  /** Where what is under the pointer comes from: asked for while the pointer rests there, so that a click need not wait for the core. */
  const ahead = useRef<{ key: string; place: Promise<SourcePlace | null> }>({ key: '', place: Promise.resolve(null) });
  const sourceOf = ({ piece, source }: Hit, { sceneId }: Shown, thing: number) => {
    const node = thing < 0 ? piece.node : thing, of = thing < 0 ? source : undefined, key = `${sceneId} ${node} ${of}`;
    if (ahead.current.key !== key) ahead.current = { key, place: core.sourcePath(sceneId, node, of).catch(() => null) };
    return ahead.current.place;
  };
  /** The node around one that can be moved; -1: there is none. */
  const movableAround = (node: number) => {
    const { data, part } = shown.peek()!, own = placed.peek().get(current.peek()?.format ?? ''), all = part || !own ? [...placed.peek().values()] : [own];
    for (let i = node; i >= 0; i = data.nodes[i].parent) if (data.nodes[i].extras?.path && all.some((kinds) => kinds.has(data.nodes[i].extras.kind))) return i;
    return -1;
  };
  /** What a click takes: the node of the nearest thing that can be moved or, if that is selected already, what is in it (-1). */
  const thingOf = (hit: Hit) => {
    const thing = movableAround(hit.piece.node);
    return thing >= 0 && (touched.current < 0 || movableAround(touched.current) !== thing || !selection.peek().path) ? thing : -1;
  };
  /** The end of a node that a click was near; '' if it was near none. */
  const endNear = async ({ place }: Hit, file: string, node: number) => {
    const { handles, path } = shown.peek()!.data.nodes[node].extras, ends: End[] = [];
    for (const name of (handles ?? []) as string[]) ends.push(await endOf(file, `${path}.${name}`, node));
    const far = (a: number[], b: number[], axes: string) => Math.hypot(...[...axes].map((axis) => a['xyz'.indexOf(axis)] - b['xyz'.indexOf(axis)]));
    const length = ends.length > 1 ? far(ends[0].at, ends[1].at, ends[0].axes) : 0;
    return ends.find((end) => far(end.at, place.toArray(), end.axes) < length / 5)?.path ?? '';
  };
  /** What was clicked: at first the nearest thing that can be moved, then (`inside`, or when that is selected already) what is in it. */
  const choose = async (hit: Hit | null, inside = false) => {
    const v = view.current!, now = shown.peek();
    if (!now) return;
    if (!hit) {
      own.current = '';
      marked.current = { nodes: new Set(), elements: [] };
      if (focus.peek() >= 0) setFocus(focus.peek());
      return v.mark([], null);
    }
    const { nodes } = now.data, thing = inside ? -1 : thingOf(hit), isThing = thing >= 0;
    marked.current = isThing ? { nodes: new Set([thing]), elements: [] } : { nodes: new Set([hit.piece.node]), elements: [{ piece: hit.piece, element: hit.element }] };
    if (isThing) nodes.forEach((n, i) => n.parent >= 0 && marked.current.nodes.has(n.parent) && marked.current.nodes.add(i));
    touched.current = hit.piece.node;
    const mine = marked.current;
    said.value = titleOf(now.data, isThing ? thing : hit.piece.node);
    const place = await sourceOf(hit, now, thing);
    if (shown.peek() !== now) return;
    if (place) {
      // Files of a game, or beside the shown one.
      const file = !place.file ? now.file : files.peek().some((f) => f.path === place.file || place.file.startsWith(`${f.path}/`)) ? place.file : now.part ? `${now.file}/${place.file}` : place.file;
      const end = isThing && (await endNear(hit, file, thing));
      own.current = `${file}|${end || place.path}`;
      if (end) select({ file, path: end, part: now.part });
      else if (place.offset !== undefined && place.size) selectPlace({ file, path: place.path, offset: place.offset, size: place.size }, now.part);
      else select({ file, path: place.path, part: now.part });
    }
    // The other panes come first: drawing the picture again holds up their frames where there is no graphics card.
    setTimeout(() => {
      if (marked.current === mine && view.current === v) v.mark(mine.elements, v.picker!.boxOf(mine.nodes));
    }, 60);
  };

  // ---- pointer ----

  const down = useRef<{ x: number; y: number; moved: boolean } | null>(null), hovering = useRef(0);
  const onDown = (e: PointerEvent) => {
    menu.value = '';
    const v = view.current;
    if (v) v.isHeld = painting.on.value && e.button === 0 && !e.shiftKey && !e.ctrlKey;
    if (v?.isHeld) {
      try {
        canvas.current!.setPointerCapture(e.pointerId);
      } catch {
        // A pointer that is gone already.
      }
      tip.current!.hidden = true;
      return painting.down(e.clientX, e.clientY, e.altKey);
    }
    down.current = e.button === 0 && !view.current?.gizmo.isTaken ? { x: e.clientX, y: e.clientY, moved: false } : null;
    tip.current!.hidden = true;
  };
  const onMove = (e: PointerEvent) => {
    if (down.current && Math.hypot(e.clientX - down.current.x, e.clientY - down.current.y) > 4) down.current.moved = true;
    if (painting.isPainting) return painting.move(e.clientX, e.clientY);
    if (e.buttons || e.pointerType === 'touch') return;
    const { clientX, clientY } = e;
    cancelAnimationFrame(hovering.current);
    hovering.current = requestAnimationFrame(() => hover(clientX, clientY));
  };
  const onUp = (e: PointerEvent) => {
    const d = down.current, v = view.current;
    down.current = null;
    if (v?.isHeld) {
      v.isHeld = false;
      return void painting.up();
    }
    if (!d || d.moved || !v) return;
    if (drawing.on.value) return drawing.click(e.clientX, e.clientY);
    const hit = v.pickAt(e.clientX, e.clientY);
    if (measuring.value) {
      if (!hit) return;
      points.value = points.value.length === 2 ? [hit.place] : [...points.value, hit.place];
      v.measure(points.value);
      if (points.value.length === 2) said.value = between(points.value[0], points.value[1], shown.peek()!.data.metresPerUnit).text;
      return;
    }
    void choose(hit, e.altKey);
  };
  const asked = useRef(0);
  const hover = (x: number, y: number) => {
    const v = view.current, now = shown.peek(), t = tip.current;
    if (!v?.scene3 || !now || !t) return;
    const hit = v.pickAt(x, y);
    if (painting.on.value) painting.move(x, y);
    if (drawing.on.value) drawing.move(x, y);
    t.hidden = !hit;
    if (!hit) {
      probe.value = '';
      return;
    }
    const r = box.current!.getBoundingClientRect(), name = titleOf(now.data, hit.piece.node), own = now.data.nodes[hit.piece.node].name, material = now.data.materials[hit.piece.primitive.material]?.name;
    t.textContent = [name, own !== name && own, material !== name && material !== own && material].filter(Boolean).join(' · ');
    t.style.transform = `translate(${Math.min(x - r.left + 14, r.width - 180)}px, ${Math.min(y - r.top + 16, r.height - 30)}px)`;
    const p = hit.place;
    probe.value = `${short(p.x)}, ${short(p.y)}, ${short(p.z)}`;
    void sourceOf(hit, now, thingOf(hit));
    void askPlace(hit);
  };
  /** What the game has at a place: the tile, and on land of Platinum the ground that it finds there. */
  const askPlace = async (hit: Hit) => {
    const now = shown.peek()!, { nodes, extras } = now.data, number = ++asked.current, at = hit.place, m = view.current!.scene3!.world;
    const fileOf = (node: number) => (now.part ? `${now.file}/${nodes[node].extras.file}` : now.file);
    const ask = (node: number, question: string, argument: string): Promise<any> => core.ask(fileOf(node), question, argument).catch(() => null);
    let said: (string | false | undefined)[] = [];
    let land = hit.piece.node;
    while (land >= 0 && nodes[land].extras?.kind !== 'platinum.land') land = nodes[land].parent;
    if (land >= 0) {
      const x = at.x - m[16 * land + 12], z = at.z - m[16 * land + 14], n = (v: number) => v.toFixed(2), tile = (v: number) => Math.floor(v / 16) + 16;
      const [height, under] = await Promise.all([ask(land, 'height', `${n(x)}u,${n(z)}u,${n(at.y)}`), ask(land, 'tile', `${tile(x)},${tile(z)}`)]);
      said = [
        under && `tile ${under.x}, ${under.z}: ${under.name}${under.collision ? ', blocked' : ''}`,
        weathersOf(now.data).size > 1 && nodes[land].extras.weather,
        height && (height.height === null ? 'no plate here' : `ground ${short(height.height)}${height.plates.length > 1 ? ` of ${height.plates.length} plates` : ''}`),
      ];
    } else if (extras?.tile_grid?.rows === 'north') {
      const { tile, corner, first } = extras.tile_grid, state = view.current!.scene3!.state;
      const terrain = nodes.findIndex((n, i) => n.extras?.kind === 'fft.terrain' && (state < 0 || n.parent === state || nodes[n.parent]?.parent === state || i === state));
      if (terrain < 0) return;
      const under = await ask(terrain, 'tile', `${first[0] + Math.floor((at.x - corner[0]) / tile)},${first[1] - Math.floor((at.z - corner[1]) / tile)}`);
      if (under)
        said = [`tile ${under.x}, ${under.z}: ${under.surface ?? `surface ${under.surface_value}`}`, `height ${under.height}`, under.slope && under.slope !== 'flat' && `slope ${under.slope} by ${under.slope_height}`,
          under.depth > 0 && `depth ${under.depth}`, ...(under.flags as string[]).map((f) => f.split(':')[0])];
    }
    const text = said.filter(Boolean).join(' · ');
    if (text && number === asked.current) probe.value += ` · ${text}`;
  };

  // ---- keys ----

  const onKey = (e: KeyboardEvent) => {
    const v = view.current;
    if (!v || (e.target as Element).closest('input, select')) return;
    const key = e.key.toLowerCase();
    const plain = !e.ctrlKey && !e.metaKey && !e.altKey;
    if (holds.value >= 0 && e.altKey && !e.ctrlKey && !e.metaKey) {
      const step = stepLength() * (e.shiftKey ? 10 : 1), way = ({ ArrowLeft: [-1, 0, 0], ArrowRight: [1, 0, 0], ArrowUp: [0, 0, -1], ArrowDown: [0, 0, 1], PageUp: [0, 1, 0], PageDown: [0, -1, 0] } as Record<string, number[]>)[e.key];
      if (!way) return;
      setHandle('translate');
      v.gizmo.nudge(way[0] * step, way[1] * step, way[2] * step);
      e.preventDefault(), e.stopPropagation();
      return;
    }
    v.gizmo.snap = e.shiftKey ? stepLength() : null;
    if (e.target === canvas.current && (v.rig.hold(e) || v.rig.key(e))) return e.preventDefault();
    if (!plain) return;
    if (key === 'f' && !e.shiftKey) frameSelected();
    else if (e.key === 'Home') v.fitAll();
    else if (key === 'o') v.rig.mode = 'orbit';
    else if (key === 'v') v.rig.mode = 'fly';
    else if (key === 't') goTop();
    else if (key === 'c') nextCamera(e.shiftKey ? -1 : 1);
    else if (holds.value >= 0 && key === 'g') setHandle('translate');
    else if (holds.value >= 0 && key === 'r') setHandle('rotate');
    else if (holds.value >= 0 && key === 'b') setHandle('scale');
    else if (holds.value >= 0 && (key === 'x' || key === 'y' || key === 'z')) v.gizmo.only(key.toUpperCase() as 'X' | 'Y' | 'Z');
    else if (key === 'm') toggleMeasure();
    else if (key === 'p' && shown.peek() && hasTiles(shown.peek()!)) togglePaint();
    else if (key === 'u' && draws) toggleDraw();
    else if (key === 'l') toggleLayers();
    else if (key === 'n') toggleLabels();
    else if (key === 'k') setLook(nextLook());
    else if (key === 'i') void savePng(1);
    else if (e.key === ' ' && e.target === canvas.current) setPlaying(!playing.value);
    else if (e.key === ',') stepFrame(-1);
    else if (e.key === '.') stepFrame(1);
    else if (e.key === 'Escape') {
      if (menu.value) menu.value = '';
      else if (measuring.value) toggleMeasure();
      else if (painting.on.value) painting.stop();
      else if (drawing.on.value) drawing.back();
      else void choose(null);
    } else if (e.key === 'Enter' && e.target === canvas.current) void choose(v.pick(0, 0));
    else return;
    e.preventDefault();
    e.stopPropagation();
  };

  // ---- what the buttons do ----

  const goTop = () => view.current && (view.current.rig.place.mode === 'top' ? (view.current.rig.mode = 'orbit') : view.current.fitAll(false, { mode: 'top' }));
  const frameSelected = () => {
    const v = view.current;
    if (!v?.scene3) return;
    const { nodes, elements } = marked.current, only = elements.length ? v.elementsBox(elements) : v.picker!.boxOf(nodes);
    if (only) v.rig.fit(only);
    else v.fitAll();
  };
  /** A camera that an animation moves is played. */
  const playedBy = (node: number) => {
    const { animations, nodes } = shown.peek()!.data;
    return animations.findIndex((a) => a.channels.some((c) => c.node === node) || a.fovChannels.some((c) => c.camera === nodes[node].camera));
  };
  const cameras = () => shown.value?.data.nodes.flatMap((n, node) => (n.camera >= 0 ? [{ node, plays: playedBy(node) >= 0, name: n.extras?.kind === 'ignore' ? shown.value!.data.cameras[n.camera].name || n.name : n.name, about: n.extras?.type && typeof n.extras.type === 'string' ? n.extras.type : '' }] : [])).sort((a, b) => Number(b.plays) - Number(a.plays)) ?? [];
  const seeThrough = (node: number) => {
    const v = view.current!, data = shown.peek()!.data;
    v.rig.seeThrough(node);
    menu.value = '';
    if (data.nodes[node].extras?.kind === 'fft.camera') setAsGame(true);
    const moves = playedBy(node);
    if (moves >= 0) {
      setClip(moves);
      setTime(0);
      if (!reducedMotion.peek()) setPlaying(true);
    }
    said.value = `Seen by ${data.nodes[node].name}`;
  };
  const nextCamera = (by: number) => {
    const all = cameras(), at = all.findIndex((c) => c.node === cameraNode.value);
    if (all.length) seeThrough(all[(at + by + all.length) % all.length].node);
  };
  const toggleMeasure = () => {
    measuring.value = !measuring.value;
    if (measuring.value) painting.stop(), drawing.stop(), letGo();
    points.value = [];
    view.current?.measure([]);
  };
  const toggleLayers = () => remember('picture.layers', (showLayers.value = !showLayers.value));
  const toggleLabels = () => {
    showLabels.value = !showLabels.value;
    placeLabels();
  };
  const looks = (): Look[] => (shown.value?.data.extras?.kind === 'pack' || String(shown.value?.data.extras?.kind ?? '').startsWith('fft') ? ['plain', 'psx', 'ds'] : ['plain', 'ds', 'psx']);
  const nextLook = (): Look => looks()[(looks().indexOf(look.value) + 1) % 3];
  const setLook = (l: Look) => {
    look.value = l;
    menu.value = '';
    view.current?.setLook(l);
  };
  const setPlaying = (on: boolean) => {
    const v = view.current;
    if (!v?.player) return;
    v.player.playing = playing.value = on && v.player.clips.length > 0;
    time.value = v.player.time;
    v.invalidate();
  };
  const setTime = (t: number) => {
    const v = view.current;
    if (!v?.player) return;
    v.player.time = time.value = Math.max(0, t);
    v.player.apply();
    v.invalidate();
  };
  const stepFrame = (by: number) => {
    const v = view.current;
    if (!v?.player?.clips.length) return;
    setPlaying(false);
    const { rate, length } = v.player, frames = Math.max(1, Math.round(length * rate));
    setTime((((Math.round(time.value * rate) + by) % frames) + frames) % frames / rate);
  };
  const setClip = (index: number) => {
    const p = view.current!.player!;
    clip.value = index;
    if (index < 0) p.playAmbient();
    else p.playOnly(index);
    setTime(index < 0 ? time.value : 0);
  };
  const setLayer = (i: number, on: boolean) => {
    const s = view.current!.scene3!;
    s.shownLayers[i] = on ? 2 : 0;
    s.layering.layers[i].faint = false;
    if (focus.value === i && !on) focus.value = -1;
    refreshFocus();
  };
  const setFocus = (i: number) => {
    focus.value = focus.value === i ? -1 : i;
    if (focus.value >= 0) view.current!.scene3!.shownLayers[i] = 2;
    refreshFocus();
  };
  /** The section in focus is shown fully, the rest faintly. */
  const refreshFocus = () => {
    const v = view.current!, s = v.scene3!;
    s.shownLayers.forEach((shownNow, i) => shownNow && (s.shownLayers[i] = (focus.value >= 0 && focus.value !== i) || (focus.value < 0 && s.layering.layers[i].faint) ? 1 : 2));
    v.changed();
    version.value = version.peek() + 1;
  };
  /** Leaves out what the game does not draw from where one looks. */
  const setAsGame = (on: boolean) => {
    asGame.value = view.current!.hidesAsGame = on;
    view.current!.invalidate();
  };
  const markHidden = () => {
    const v = view.current!, { elements } = v.scene3!.hiddenFrom(v.seenFrom?.bit ?? 0);
    if (asGame.value) setAsGame(false);
    marked.current = { nodes: new Set(), elements };
    v.mark(elements, null);
  };
  const setVariant = (i: number) => {
    variant.value = i;
    view.current!.scene3!.setVariant(i);
    view.current!.changed();
  };
  const setState = (node: number) => {
    state.value = view.current!.scene3!.state = node;
    view.current!.changed();
    said.value = shown.peek()!.data.nodes[node].name;
  };
  const store = (blob: Blob, name: string) => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    said.value = `Saved ${name}`;
  };
  const stem = () => (shown.value!.part?.replaceAll('/', '_') ?? shown.value!.title.replace(/\.[^.]*$/, ''));
  const savePng = async (times: number) => {
    menu.value = '';
    const v = view.current!, ratio = times * 1;
    store(await v.png(ratio), `${stem()}.png`);
  };
  const saveGlb = async () => {
    menu.value = '';
    try {
      const bytes = await core.saveGlb(shown.value!.sceneId);
      store(new Blob([bytes as BlobPart], { type: 'model/gltf-binary' }), `${stem()}.glb`);
    } catch (e) {
      failed.value = (e as Error).message;
    }
  };

  // ---- labels ----

  const placeLabels = () => {
    const host = labels.current, v = view.current, now = shown.peek();
    if (!host) return;
    if (!showLabels.value || !v?.scene3 || !now) {
      if (host.childElementCount) host.replaceChildren();
      return;
    }
    const s = v.scene3, { width, height } = { width: host.clientWidth, height: host.clientHeight }, at = new Vector3(), wanted: { x: number; y: number; far: number; text: string }[] = [];
    const drawn = new Set<number>();
    for (const p of s.pieces) if (s.showsPiece(p) && s.shownLayers[p.layer] === 2) for (let i = p.node; i >= 0 && !drawn.has(i); i = now.data.nodes[i].parent) drawn.add(i);
    for (const i of drawn) {
      const n = now.data.nodes[i], kind = n.extras?.kind;
      if (!n.name || !kind || kind === 'section' || kind === 'nitro.model' || kind === 'fft.state' || kind === 'platinum.matrix') continue;
      const box = n.mesh >= 0 ? v.picker!.boxOf(new Set([i])) : null;
      if (box) at.set((box[0] + box[3]) / 2, box[4], (box[2] + box[5]) / 2);
      else at.set(s.world[16 * i + 12], s.world[16 * i + 13], s.world[16 * i + 14]);
      const place = v.project(at);
      if (place && place.x > 0 && place.y > 0 && place.x < width && place.y < height) wanted.push({ ...place, text: kind === 'platinum.land' ? n.extras.header_name || n.name : n.name });
    }
    wanted.sort((a, b) => a.far - b.far);
    const taken: { x: number; y: number; w: number }[] = [], out: HTMLElement[] = [];
    for (const l of wanted) {
      const w = l.text.length * 6 + 14;
      if (taken.some((o) => Math.abs(o.x - l.x) < (o.w + w) / 2 && Math.abs(o.y - l.y) < 18)) continue;
      taken.push({ x: l.x, y: l.y, w });
      const e = document.createElement('span');
      e.textContent = l.text;
      e.style.transform = `translate(${l.x.toFixed(1)}px, ${l.y.toFixed(1)}px) translate(-50%, -120%)`;
      out.push(e);
      if (out.length === k_most_labels) break;
    }
    host.replaceChildren(...out);
  };

  // ---- the pane ----

  void version.value, void dark.value;
  const now = shown.value, v = view.current, s = v?.scene3, clips = v?.player?.clips ?? [], cams = cameras();
  const game = now?.part ? games.value.get(now.file) : undefined, states = (now?.part && statesOf.value.get(`${now.file}|${now.part}`)) || [];
  const length = v?.player?.length ?? 0, distance = points.value.length === 2 && now ? between(points.value[0], points.value[1], now.data.metresPerUnit) : null;
  const layers = s?.layering.layers ?? [], hides = !!s?.pieces.some((p) => p.hidden);
  const { time: clock, show } = worldOptions.value, overlays = game?.overlays ?? (now && !now.part && current.value?.simulates ? [race] : []);
  return (
    <div class="picture" ref={box} data-test="picture" data-mode={mode.value} data-look={look.value} data-tool={painting.on.value ? "paint" : drawing.on.value ? "draw" : undefined} onKeyDown={onKey}>
      <canvas ref={canvas} tabIndex={0} role="img" aria-label={now ? `Picture of ${now.title}. Arrow keys move, F frames, question mark lists all keys.` : 'Picture'} data-test="canvas"
        onPointerDown={onDown} onPointerMove={onMove} onPointerUp={onUp} onPointerCancel={onUp} onPointerLeave={() => { if (tip.current) tip.current.hidden = true; probe.value = ''; }} onDblClick={frameSelected} />
      <div class="labels" ref={labels} aria-hidden="true" />
      <div class="tip" ref={tip} hidden data-test="hover" />
      {failed.value && <div class="picture-problem" role="alert">{failed.value}</div>}

      <div class="tools" role="toolbar" aria-label="Picture">
        <div class="group">
          <Tool icon="orbit" label="Orbit" keys="O" pressed={mode.value === 'orbit' || mode.value === 'parallel'} onClick={() => v && (v.rig.mode = 'orbit')} test="orbit" />
          <Tool icon="fly" label="Fly: WASD moves, E and Q up and down, Shift is faster" keys="V" pressed={mode.value === 'fly'} onClick={() => v && (v.rig.mode = 'fly')} test="fly" />
          <Tool icon="top" label="From above" keys="T" pressed={mode.value === 'top'} onClick={goTop} test="top" />
          {cams.length > 0 && <Tool icon="camera" label="Cameras of the game" keys="C" pressed={mode.value === 'game'} expanded={menu.value === 'cameras'} onClick={() => (menu.value = menu.value === 'cameras' ? '' : 'cameras')} test="cameras" />}
        </div>
        <div class="group">
          <Tool icon="frame" label="Frame what is selected; Home frames everything" keys="F" onClick={frameSelected} test="frame" />
          <Tool icon="ruler" label="Measure between two points" keys="M" pressed={measuring.value} onClick={toggleMeasure} test="measure" />
          <Tool icon="label" label="Names" keys="N" pressed={showLabels.value} onClick={toggleLabels} test="labels" />
        </div>
        <div class="group">
          <Tool icon="screen" label="Look of the console" keys="K" pressed={look.value !== 'plain'} expanded={menu.value === 'look'} onClick={() => (menu.value = menu.value === 'look' ? '' : 'look')} test="look" />
          <Tool icon="save" label="Save what you see" keys="I" expanded={menu.value === 'save'} onClick={() => (menu.value = menu.value === 'save' ? '' : 'save')} test="save" />
        </div>
        {holds.value >= 0 && (
          <div class="group" data-test="handles">
            <Tool icon="move" label="Move what is selected; Shift: in steps; X, Y, Z: along one axis" keys="G" pressed={handle.value === 'translate'} onClick={() => setHandle('translate')} test="handle-move" />
            <Tool icon="turn" label="Turn what is selected" keys="R" pressed={handle.value === 'rotate'} onClick={() => setHandle('rotate')} test="handle-turn" />
            <Tool icon="size" label="Scale what is selected" keys="B" pressed={handle.value === 'scale'} onClick={() => setHandle('scale')} test="handle-scale" />
          </div>
        )}
        {(draws || drawing.on.value) && (
          <div class="group">
            <Tool icon="path" label="Draw a path: each click adds a point after the selected one; Escape ends" keys="U" pressed={drawing.on.value} onClick={toggleDraw} test="draw" />
          </div>
        )}
        {now && hasTiles(now) && (
          <div class="group">
            <Tool icon="brush" label="Paint tiles and heights: drag over them; Shift and drag moves the camera" keys="P" pressed={painting.on.value} onClick={togglePaint} test="paint" />
          </div>
        )}
        {painting.on.value && <BrushBar painting={painting} />}
        {menu.value === 'cameras' && (
          <Menu label="Cameras of the game">
            {cams.map((c) => <button type="button" role="menuitemradio" aria-checked={cameraNode.value === c.node} onClick={() => seeThrough(c.node)} data-test="camera">{c.name}{(c.about || c.plays) && <span>{c.plays ? 'plays' : c.about}</span>}</button>)}
          </Menu>
        )}
        {menu.value === 'look' && (
          <Menu label="Look">
            {looks().map((l) => <button type="button" role="menuitemradio" aria-checked={look.value === l} onClick={() => setLook(l)} data-test={`look-${l}`}>{{ plain: 'Clean', ds: 'Nintendo DS', psx: 'PlayStation' }[l]}<span>{{ plain: 'sharp, smooth edges', ds: '192 lines, 5 bits', psx: '240 lines, bent textures' }[l]}</span></button>)}
          </Menu>
        )}
        {menu.value === 'save' && (
          <Menu label="Save what you see">
            <button type="button" role="menuitem" onClick={() => void savePng(1)} data-test="save-png">Picture (PNG)</button>
            <button type="button" role="menuitem" onClick={() => void savePng(2)} data-test="save-png-2">Picture, twice as large</button>
            <button type="button" role="menuitem" onClick={() => void saveGlb()} data-test="save-glb">Model (GLB)<span>for Blender</span></button>
          </Menu>
        )}
      </div>

      <div class="tools corner"><div class="group">
        <Tool icon="whole" label="The picture alone" keys="Shift+F" pressed={isPictureAlone.value} onClick={() => { isPictureAlone.value = !isPictureAlone.value; }} test="picture-alone" />
      </div></div>

      {(layers.length + overlays.length > 1 || hides) && (
        <div class={`legend${showLayers.value ? '' : ' closed'}`}>
          <button type="button" class="legend-head" aria-expanded={showLayers.value} onClick={toggleLayers} title="What is shown (L)" data-test="layers"><Glyph name="layers" /><span>Layers</span></button>
          {showLayers.value && (
            <ul aria-label="Layers">
              {layers.map((l, i) => (
                <li class={`${focus.value === i ? 'focus' : ''}${s!.shownLayers[i] ? '' : ' off'}`}>
                  <label title={s!.shownLayers[i] ? 'Hide' : 'Show'}><input type="checkbox" checked={s!.shownLayers[i] > 0} onChange={(e) => setLayer(i, e.currentTarget.checked)} aria-label={l.title} data-test={`layer-${l.title}`} /><i class={l.color ? undefined : 'none'} style={l.color ? { background: l.color } : undefined} /></label>
                  <button type="button" onClick={() => setFocus(i)} aria-pressed={focus.value === i} title="Show this one fully, the others faintly">{l.title}</button><span>{l.nodes}</span>
                  {s!.shownLayers[i] > 0 && l.swatches.length > 1 && <p class="swatches" aria-label={`Colours of ${l.title}`}>{l.swatches.map((x) => <span><i style={{ background: x.color }} />{x.name}</span>)}</p>}
                </li>
              ))}
              {hides && (
                <li class={asGame.value ? 'off' : ''}>
                  <label title={asGame.value ? 'Show them' : 'Hide them, as the game does'}><input type="checkbox" checked={!asGame.value} onChange={(e) => setAsGame(!e.currentTarget.checked)} aria-label="What the game hides from here" data-test="layer-hidden-from" /><i class="none" /></label>
                  <button type="button" onClick={markHidden} title="Polygons that the game does not draw when it looks from here. Click to mark them.">Hidden from {seenFrom.value || 'above'}</button><span data-test="hidden-count">{v?.seenFrom ? s!.hiddenFrom(v.seenFrom.bit).polygons : 0}</span>
                </li>
              )}
              {overlays.filter((o) => !show.includes(o)).map((o) => (
                <li class="off"><label title="Show"><input type="checkbox" checked={false} aria-label={o} data-test={`overlay-${o}`} onChange={() => (worldOptions.value = { ...worldOptions.value, show: [...show, o] })} /><i class="none" /></label><button type="button" onClick={() => (worldOptions.value = { ...worldOptions.value, show: [...show, o] })}>{o[0].toUpperCase() + o.slice(1)}</button></li>
              ))}
            </ul>
          )}
        </div>
      )}

      {(measuring.value || probe.value) && (
        <div class="readout" role="status" data-test="readout">
          {measuring.value ? (distance ? <><strong>{distance.text}</strong><span>across {short(distance.across)}, up {short(distance.up)}</span></> : <span>{points.value.length ? 'Click the second point' : 'Click the first point'}</span>) : <span>{probe.value}</span>}
        </div>
      )}

      {(clips.length > 0 || states.length > 1 || (s?.layering.states.length ?? 0) > 1 || (now?.data.variants.length ?? 0) > 0 || game?.options.includes('time')) && (
        <div class="playbar" role="group" aria-label="Time">
          {clips.length > 0 && <>
            <Tool icon={playing.value ? 'pause' : 'play'} label={playing.value ? 'Pause' : 'Play'} keys="Space" onClick={() => setPlaying(!playing.value)} test="play" />
            <Tool icon="back" label="Previous frame" keys="," onClick={() => stepFrame(-1)} test="step-back" />
            <Tool icon="next" label="Next frame" keys="." onClick={() => stepFrame(1)} test="step" />
            <Moment time={time} length={length} rate={clip.value >= 0 ? v?.player?.rate : undefined} onInput={(t) => { setPlaying(false); setTime(t); }} />
            <select aria-label="Animation" value={clip.value} onChange={(e) => setClip(+e.currentTarget.value)} data-test="clip">
              {clips.some((c) => c.ambient) && <option value={-1}>All at once</option>}
              {clips.map((c) => <option value={c.index}>{c.name} ({c.length.toFixed(1)} s)</option>)}
            </select>
            <select aria-label="Speed" value={speed.value} onChange={(e) => { speed.value = v!.player!.speed = +e.currentTarget.value; }} data-test="speed">
              {[0.1, 0.25, 0.5, 1, 2, 4].map((x) => <option value={x}>{x}×</option>)}
            </select>
          </>}
          {game?.options.includes('time') && (
            <label class="clock" title="Time of day"><Glyph name="clock" /><input type="range" min={0} max={86340} step={600} value={clock} aria-label="Time of day" aria-valuetext={clockOf(clock)} data-test="clock" onChange={(e) => (worldOptions.value = { ...worldOptions.value, time: +e.currentTarget.value })} /><output>{clockOf(clock)}</output></label>
          )}
          {now && <Weather data={now.data} />}
          {states.length > 1 && (
            <select aria-label="State" value={worldOptions.value.state || now!.data.extras.state} onChange={(e) => (worldOptions.value = { ...worldOptions.value, state: e.currentTarget.value === states[0] ? '' : e.currentTarget.value })} data-test="state">
              {states.map((name) => <option value={name}>{name}</option>)}
            </select>
          )}
          {(s?.layering.states.length ?? 0) > 1 && (
            <select aria-label="State" value={state.value} onChange={(e) => setState(+e.currentTarget.value)} data-test="state">
              {s!.layering.states.map((x) => <option value={x.node}>{x.name}</option>)}
            </select>
          )}
          {(now?.data.variants.length ?? 0) > 0 && (
            <select aria-label="Variant" value={variant.value} onChange={(e) => setVariant(+e.currentTarget.value)} data-test="variant">
              <option value={-1}>Usual</option>
              {now!.data.variants.map((name, i) => <option value={i}>{name}</option>)}
            </select>
          )}
        </div>
      )}
    </div>
  );
}

/** What the weather of a map is called: rain, snow and the like are not drawn, fog only as the console has it. */
function Weather({ data }: { data: SceneData }) {
  const all = [...useMemo(() => weathersOf(data), [data])].sort(([, a], [, b]) => b - a);
  if (!all.length) return null;
  const text = all.length === 1 ? all[0][0] : `${all.length} kinds`;
  const about = [all.length > 1 && `${all.map(([name, maps]) => `${name}: ${counted(maps, 'map')}`).join(', ')}.`, data.extras?.fog_table && 'Its fog is seen by the cameras of the game, in the look of the DS.', 'Rain, snow and the like are not drawn.'];
  return <span class="weather" title={about.filter(Boolean).join(' ')} data-test="weather">Weather: {text}</span>;
}

/** Where an animation is; drawn again with each frame, unlike the rest of the pane. */
function Moment({ time, length, rate, onInput }: { time: Signal<number>; length: number; rate?: number; onInput: (seconds: number) => void }) {
  const now = length ? time.value % (length + 1e-6) : 0;
  return <>
    <input class="scrub" type="range" min={0} max={length || 1} step={0.001} value={now} aria-label="Moment" aria-valuetext={`${now.toFixed(2)} seconds`} data-test="scrub" onInput={(e) => onInput(+e.currentTarget.value)} />
    <output data-test="time">{now.toFixed(2)} s{rate !== undefined && <span class="dim"> frame {Math.round(now * rate)} of {Math.round(length * rate)}</span>}</output>
  </>;
}
function Tool({ icon, label, keys, pressed, expanded, onClick, test }: { icon: IconName; label: string; keys?: string; pressed?: boolean; expanded?: boolean; onClick: () => void; test: string }) {
  return (
    <button type="button" class="tool" aria-label={label} title={keys ? `${label} (${keys})` : label} aria-pressed={pressed} aria-expanded={expanded} aria-haspopup={expanded === undefined ? undefined : 'menu'} onClick={onClick} data-test={test}>
      <Glyph name={icon} />
    </button>
  );
}
function Menu({ label, children }: { label: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>('[aria-checked="true"], button')?.focus(), []);
  return (
    <div class="picture-menu" role="menu" aria-label={label} ref={box} onKeyDown={(e) => {
      const all = [...box.current!.querySelectorAll('button')], at = all.indexOf(document.activeElement as HTMLButtonElement), by = e.key === 'ArrowDown' ? 1 : e.key === 'ArrowUp' ? -1 : 0;
      if (!by) return;
      all[(at + by + all.length) % all.length].focus();
      e.preventDefault(), e.stopPropagation();
    }}>{children}</div>
  );
}
