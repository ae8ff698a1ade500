// The bytes of the selected file, coloured by the fields they are.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { BytesModel, type Block } from '../bytes';
import { Empty, IconButton, Problem, VirtualList, useKept, useLater, type ListHandle } from '../frame/ui';
import { coming, core, hovered, lastPlace, openBytes, said, select, selection, shown, tell } from '../state';
import { current } from '../showing';
import { counted, hex, offsetText, valueText } from '../words';
import { findingsOf } from './findings';

const k_row = 20;

export function BytesPane() {
  const { file } = selection.value, ahead = coming.value?.file === file ? coming.value : null, path = ahead?.path ?? selection.value.path, known = current.value?.path === file ? current.value : null;
  const size = known && known.format !== 'folder' ? known.size : 0;
  const model = useMemo(() => (file && size ? new BytesModel(file, size) : null), [file, size, known?.format, known?.edition]);
  useEffect(() => () => model?.close(), [model]);
  model?.version.value;
  const list = useRef<ListHandle>(null), box = useRef<HTMLDivElement>(null), ruler = useRef<HTMLSpanElement>(null);
  const [{ ch, width }, measure] = useState({ ch: 7.2, width: 800 });
  const cursor = useSignal(-1), gap = useSignal<{ offset: number; size: number } | null>(null), goTo = useSignal('');
  const told = ahead ?? lastPlace.value, isTold = told?.file === file && told.path === path;
  const asked = useLater(file && path && !isTold ? `${file}\n${path}\n${known?.edition}` : null, () => core.place(file, path)), place = isTold ? { value: told } : asked;
  const kept = useKept();
  const own = useRef(false);  // the selection came from a click here: nothing has to scroll

  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new ResizeObserver(() => ruler.current && measure({ ch: ruler.current.getBoundingClientRect().width / 100, width: element.clientWidth }));
    observer.observe(element);
    return () => observer.disconnect();
  }, [!!model]);
  useEffect(() => { gap.value = null; cursor.value = -1; }, [file]);
  const marked = gap.value ?? (path ? place.value : null);
  const digits = Math.max(4, size.toString(16).length), room = Math.floor((width - 16) / ch);
  const columns = room >= digits + 3 + 16 * 4 ? 16 : 8, names = room - (digits + 4 + columns * 4 + 1);
  // Before the next frame, which may be held up by the picture.
  useLayoutEffect(() => {
    if (path) gap.value = null;
    if (place.value && path && !own.current) list.current?.reveal(Math.floor(place.value.offset / columns));
    own.current = false;
  }, [place.value?.offset, place.value?.size, path, columns, model]);  // also once a file that was just chosen has bytes
  // What another pane points at comes into sight, if it was asked for.
  const error = known?.error;
  useEffect(() => {
    if (error?.offset !== undefined && !path) list.current?.reveal(Math.floor(Math.min(error.offset, size - 1) / columns));
  }, [error, columns, model]);

  if (!file) return <Empty icon="archive" title="Bytes">The bytes of the file, coloured by field.</Empty>;
  if (known?.format === 'folder') return <Empty icon="game" title={known.title}>Choose a file of the game, or click something in the picture, to see its bytes.</Empty>;
  if (known && !size) return <Empty icon="archive" title="No bytes">{known.error ? known.error.message : 'This file is empty.'}</Empty>;
  if (!model) return <div class="pane-body" />;

  const choose = async (offset: number, how: 'push' | 'replace' = 'push') => {
    cursor.value = offset;
    own.current = true;
    const at = await core.pathAt(file, offset);
    if (at) {
      gap.value = null;
      const field = model.fieldAt(offset);
      if (field?.path === at) lastPlace.value = { file, path: at, offset: field.offset, size: field.size };
      select({ path: at }, how);
    } else {
      const block = await model.loaded(offset), field = model.fieldAt(offset);
      if (field?.type === 'file') return select({ file: `${file}/${field.path}`, path: '' });
      const found = block?.gaps.find((g) => g.offset <= offset && offset < g.offset + g.size);
      gap.value = found ?? { offset, size: 1 };
      said.value = 'These bytes belong to no known field';
    }
  };
  const goToOffset = (offset: number) => {
    const at = Math.max(0, Math.min(size - 1, offset));
    list.current?.reveal(Math.floor(at / columns));
    void choose(at);
  };
  const jump = async (back: boolean) => {
    const from = gap.value?.offset ?? (cursor.value >= 0 ? cursor.value : place.value?.offset ?? (back ? size : -1)), next = await core.nextGap(file, from, back);
    if (!next) {
      tell(back ? 'No unknown bytes before this position' : 'No unknown bytes after this position');
      return;
    }
    gap.value = next;
    cursor.value = next.offset;
    list.current?.reveal(Math.floor(next.offset / columns));
    said.value = `${counted(next.size, 'unknown byte')} at ${offsetText(next.offset)}`;
  };
  const offsetOf = (e: MouseEvent): number => {
    const row = (e.target as Element).closest?.('.hex-row') as HTMLElement | null;
    if (!row) return -1;
    const start = Number(row.dataset.offset), cell = (e.target as Element).closest('.hex-cell, .char-cell') as HTMLElement | null;
    if (!cell) return -1;
    let column = Math.floor((e.clientX - cell.getBoundingClientRect().left) / ch);
    if (cell.classList.contains('hex-cell')) {
      if (column > 24) --column;
      column = Math.floor(column / 3);
    }
    const offset = start + Math.max(0, Math.min(columns - 1, column));
    return offset < size ? offset : -1;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (e.altKey || e.metaKey) return;
    const at = cursor.value >= 0 ? cursor.value : (marked?.offset ?? 0), page = (list.current?.fit() ?? 10) * columns;
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, ArrowUp: at - columns, ArrowDown: at + columns, PageUp: at - page, PageDown: at + page,
      Home: e.ctrlKey ? 0 : at - (at % columns), End: e.ctrlKey ? size - 1 : at - (at % columns) + columns - 1 }[e.key];
    if (to === undefined || (e.ctrlKey && !['Home', 'End'].includes(e.key))) return;
    e.preventDefault();
    const next = Math.max(0, Math.min(size - 1, to));
    list.current?.reveal(Math.floor(next / columns));
    void choose(next);
  };
  const marks = findingsOf(file).filter((f) => f.offset !== undefined);
  const problem = model.failure.value;
  return (
    <div class="pane-body bytes" ref={box}>
      <span ref={ruler} class="ruler" aria-hidden="true">{'0'.repeat(100)}</span>
      <div class="bar">
        <form class="goto" onSubmit={(e) => {
          e.preventDefault();
          const text = goTo.value.trim(), offset = /^(0x|\$)?[0-9a-f]+$/i.test(text) ? parseInt(text.replace(/^(0x|\$)/i, ''), /^\d+$/.test(text) ? 10 : 16) : NaN;
          if (Number.isNaN(offset) || offset >= size) tell(`Invalid offset; the last offset is ${offsetText(size - 1)}`);
          else goToOffset(offset);
        }}>
          <input type="text" aria-label="Go to an offset (decimal, or hexadecimal with 0x)" placeholder="Go to 0x…" value={goTo.value} onInput={(e) => { goTo.value = e.currentTarget.value; }} spellcheck={false} autocomplete="off" data-test="goto" />
        </form>
        <IconButton icon="up" label="Previous unknown bytes" keys="[" onClick={() => void jump(true)} />
        <IconButton icon="down" label="Next unknown bytes" keys="]" onClick={() => void jump(false)} test="next-gap" />
        <span class="dim grow">{counted(size, 'byte')}</span>
        {shown.value && <IconButton icon="close" label="Hide the bytes" onClick={() => openBytes(false)} test="close-bytes" />}
      </div>
      {problem && <Problem error={problem} again={() => model.again()} />}
      <div class="hex-head" aria-hidden="true"><span class="at">{' '.repeat(digits)}</span><span class="hex-text">{Array.from({ length: columns }, (_, i) => `${hex(i, 2)} ${i === 7 ? ' ' : ''}`).join('')}</span></div>
      <VirtualList key={file} class="hex" data-test="bytes" count={Math.ceil(size / columns)} rowHeight={k_row} handle={list} inner="rowgroup" role="grid" tabIndex={0}
        aria-label="Bytes of the file" aria-rowcount={Math.ceil(size / columns)} onKeyDown={(e) => {
          if (e.key === '[' || e.key === ']') return void jump(e.key === '[');
          onKeyDown(e);
        }}
        onClick={(e) => { const o = offsetOf(e); if (o >= 0) void choose(o); }}
        onMouseMove={(e) => {
          const o = offsetOf(e), field = o >= 0 ? model.fieldAt(o) : null, now = hovered.value;
          if (!field) {
            if (now) hovered.value = null;
          } else if (now?.offset !== field.offset || now.size !== field.size) hovered.value = { offset: field.offset, size: field.size };
        }}
        onMouseLeave={() => { hovered.value = null; }}
        row={(i) => {
          const start = i * columns, block = model.block(start), over = hovered.value;
          const here = marks.filter((m) => m.offset! < start + columns && m.offset! + Math.max(1, m.size ?? 1) > start);
          const at = cursor.value >= start && cursor.value < start + columns ? cursor.value : -1;
          return kept(i, [model, block, columns, digits, names, at, ...inside(marked, start, columns), ...inside(over, start, columns), ...here],
            () => <HexRow block={block} size={size} start={start} columns={columns} digits={digits} marked={marked} over={over} cursor={at} names={names} here={here} />);
        }} />
      <Foot model={model} marked={marked} isGap={!!gap.value} />
    </div>
  );
}

type Range = { offset: number; size: number } | null;
/** The part of a range that is in a row. */
const inside = (r: Range, start: number, columns: number): [number, number] => (r && r.offset < start + columns && r.offset + r.size > start ? [Math.max(r.offset - start, 0), Math.min(r.offset + r.size - start, columns)] : [0, 0]);
const within = (r: Range, o: number) => !!r && o >= r.offset && o < r.offset + r.size;

function HexRow({ block, size, start, columns, digits, marked, over, cursor, names, here }: { block: Block | null; size: number; start: number; columns: number; digits: number; marked: Range; over: Range; cursor: number; names: number; here: { offset?: number; size?: number; severity: string }[] }) {
  const end = Math.min(size, start + columns);
  if (!block) return <div class="hex-row" role="row" data-offset={start}><span class="at" role="rowheader">{hex(start, digits)}</span><span class="hex-cell dim" role="gridcell">…</span></div>;
  const hexRuns: ComponentChildren[] = [], charRuns: ComponentChildren[] = [];
  let cls = '', text = '', chars = '';
  const flush = () => {
    if (!text) return;
    hexRuns.push(<span class={cls}>{text}</span>);
    charRuns.push(<span class={cls}>{chars}</span>);
    text = chars = '';
  };
  const starts: string[] = [];
  for (let o = start; o < end; ++o) {
    const i = o - block.start, v = block.bytes[i], field = block.owner[i];
    let c = field < 0 ? 'gap' : `c${block.fields[field].color}`;
    if (v === 0) c += ' zero';
    if (within(marked, o)) c += ' selected';
    else if (within(over, o)) c += ' over';
    if (o === cursor) c += ' cursor';
    const mark = here.find((m) => o >= m.offset! && o < m.offset! + Math.max(1, m.size ?? 1));
    if (mark) c += ` mark ${mark.severity}`;
    if (c !== cls) flush();
    cls = c;
    text += `${hex(v, 2)} ${o - start === 7 && columns > 8 ? ' ' : ''}`;
    chars += v >= 32 && v < 127 ? String.fromCharCode(v) : '·';
    if (names > 8 && field >= 0 && block.fields[field].offset === o) starts.push(block.fields[field].path);
  }
  flush();
  // Names of fields that begin here, without what they share with the one before.
  let shown = '', last = '';
  for (const path of starts) {
    const cut = Math.max(path.lastIndexOf('.'), path.lastIndexOf('[')), above = cut > 0 ? path.slice(0, cut) : '';
    shown += (shown ? '  ' : '') + (above && above === last ? path.slice(path[cut] === '.' ? cut + 1 : cut) : path);
    last = above;
    if (shown.length > names) break;
  }
  const missing = columns - (end - start);
  return (
    <div class="hex-row" role="row" data-offset={start} aria-rowindex={start / columns + 1}>
      <span class="at" role="rowheader">{hex(start, digits)}</span>
      <span class="hex-cell" role="gridcell" style={{ width: `${columns * 3 + (columns > 8 ? 1 : 0)}ch` }}>{hexRuns}</span>
      <span class="char-cell" role="gridcell" style={missing ? { width: `${columns}ch` } : undefined}>{charRuns}</span>
      {names > 8 && <span class="names" role="gridcell">{shown}</span>}
    </div>
  );
}

/** What lies under the pointer, or what is selected. */
function Foot({ model, marked, isGap }: { model: BytesModel; marked: Range; isGap: boolean }) {
  const at = hovered.value ?? marked;
  if (!at) return <div class="foot dim">Point at a byte to see its field; click to select the field.</div>;
  const range = `${offsetText(at.offset)}${at.size > 1 ? `–${offsetText(at.offset + at.size - 1)}` : ''}`;
  if (isGap && !hovered.value) {
    const block = model.block(at.offset), start = at.offset - (block?.start ?? 0), view = block && new DataView(block.bytes.buffer, start, Math.min(8, block.bytes.length - start));
    const words = [];
    if (view) {
      words.push(`u8 ${view.getUint8(0)}`);
      if (view.byteLength >= 2) words.push(`u16 ${view.getUint16(0, true)} / ${view.getUint16(0)}`);
      if (view.byteLength >= 4) words.push(`u32 ${view.getUint32(0, true)} / ${view.getUint32(0)}`);
    }
    return <div class="foot" data-test="foot"><code>{range}</code> <strong>{counted(at.size, 'unknown byte')}</strong> <span class="dim">no known field contains them</span> <code class="dim" title="little-endian / big-endian">{words.join('  ')}</code></div>;
  }
  const field = model.fieldAt(at.offset);
  if (!field) return <div class="foot" data-test="foot"><code>{range}</code></div>;
  return (
    <div class="foot" data-test="foot">
      <code>{range}</code> <strong>{field.size >= at.size ? field.path : selection.value.path}</strong>
      {field.size >= at.size && typeof field.value !== 'object' && <span class="value"> {valueText(field)}</span>} <span class="dim">{field.size >= at.size ? field.type : counted(at.size, 'byte')}{field.doc ? `: ${field.doc}` : ''}</span>
    </div>
  );
}
