// Small parts that all panes are made of.
import { useComputed, useSignal } from '@preact/signals';
import type { ComponentChildren, HTMLAttributes } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Cancelled } from '../rpc';

const shapes: Record<string, string> = {
  file: 'M4 1.5h5L12.5 5v9.5h-8.5zM9 1.5V5h3.5',
  folder: 'M1.5 3.5h4.5l1.5 2h7v8h-13z',
  archive: 'M2 4.5 8 1.5l6 3v7l-6 3-6-3zM2 4.5l6 3 6-3M8 7.5v7',
  game: 'M4.5 5h7a3 3 0 0 1 3 3v1.5a2 2 0 0 1-3.6 1.2L10 9.5H6l-.9 1.2A2 2 0 0 1 1.5 9.5V8a3 3 0 0 1 3-3zM5 6.5v2M4 7.5h2M10.5 7.5h.01M12 7h.01',
  map: 'M1.5 3.5 6 2l4 1.5L14.5 2v10.5L10 14l-4-1.5L1.5 14zM6 2v10.5M10 3.5V14',
  close: 'M4 4l8 8M12 4l-8 8',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5 14 14',
  sun: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1',
  moon: 'M13.5 9.5A6 6 0 0 1 6.5 2.5a6 6 0 1 0 7 7z',
  auto: 'M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 2v12M8 5h5M8 8h6M8 11h5',
  help: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM6 6.2A2 2 0 1 1 8.6 8c-.5.3-.6.7-.6 1.3M8 11.5h.01',
  command: 'M2 3.5h12v9H2zM4.5 6.5 6.5 8l-2 1.5M8 10h3.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  left: 'M10 3 5 8l5 5', right: 'M6 3l5 5-5 5', down: 'M3 6l5 5 5-5', up: 'M3 10l5-5 5 5',
  link: 'M6.5 9.5 9.5 6.5M7 4.5 8.5 3a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3 3 0 0 1 3 8.5L4.5 7',
  shield: 'M8 1.5 13.5 3.5v4c0 3.5-2.5 5.8-5.5 7-3-1.2-5.5-3.5-5.5-7v-4zM5.5 8 7.3 9.8 10.7 6',
  error: 'M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3zM8 4.5v4.5M8 11.2h.01',
  warning: 'M8 2 15 14H1zM8 6.5V10M8 12h.01',
  hint: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 7.2V11.5M8 4.8h.01',
  ok: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM5 8l2.2 2.2L11 6',
  pair: 'M6 4.5H4a3.5 3.5 0 0 0 0 7h2M10 4.5h2a3.5 3.5 0 0 1 0 7h-2M5 8h6',
  play: 'M4 2.5 13 8l-9 5.5z',
  save: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  collapse: 'M3 5.5 8 2.5l5 3M3 10.5l5 3 5-3M3 8h10',
  add: 'M8 3v10M3 8h10', remove: 'M3 4.5h10M6 4.5v-2h4v2M4.5 4.5l.7 9h5.6l.7-9', duplicate: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3M9.5 7.5v4M7.5 9.5h4',
  paste: 'M4 3.5H2.5v11h11v-11H12M5.5 2h5v3h-5z', undo: 'M6 3.5 2.5 7 6 10.5M2.5 7H10a3.5 3.5 0 0 1 0 7H7', redo: 'M10 3.5 13.5 7 10 10.5M13.5 7H6a3.5 3.5 0 0 0 0 7h3',
  open: 'M1.5 13V3.5H6l1.5 2h5.5V8M1.5 13l2-5h11.5l-2 5z',
};
export function Icon({ name, size = 16 }: { name: string; size?: number }) {
  return (
    <svg class={`icon icon-${name}`} width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true">
      <path d={shapes[name] ?? shapes.file} />
    </svg>
  );
}

export function IconButton({ icon, label, keys, onClick, pressed, disabled, test }: { icon: string; label: string; keys?: string; onClick: (e: MouseEvent) => void; pressed?: boolean; disabled?: boolean; test?: string }) {
  return (
    <button type="button" class="icon-button" aria-label={label} title={keys ? `${label} (${keys})` : label} aria-pressed={pressed} disabled={disabled} onClick={onClick} data-test={test}>
      <Icon name={icon} />
    </button>
  );
}

/** Rows are for fingers. */
export const coarse = matchMedia('(pointer: coarse), (max-width: 700px)').matches;

/** A field for a search, which Escape clears. */
export function Search({ label, short = label, value, onInput, onEnter, onDown, test }: { label: string; short?: string; value: string; onInput: (text: string) => void; onEnter?: () => void; onDown?: () => void; test?: string }) {
  return (
    <div class="search">
      <Icon name="search" size={14} />
      <input type="search" aria-label={label} placeholder={short} value={value} data-test={test} spellcheck={false} autocomplete="off"
        onInput={(e) => onInput(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === 'Escape' && value) onInput('');
          else if (e.key === 'Enter' && onEnter) onEnter();
          else if (e.key === 'ArrowDown' && onDown) onDown();
          else return;
          e.preventDefault();
          e.stopPropagation();
        }} />
    </div>
  );
}

/** What a pane shows while it has nothing: what it is for, and what to do. `of`: what is not there. */
export function Empty({ icon, title, of, children }: { icon: string; title: string; of?: string; children?: ComponentChildren }) {
  return (
    <div class="empty" data-of={of}>
      <Icon name={icon} size={28} />
      <h3>{title}</h3>
      {children && <p>{children}</p>}
    </div>
  );
}

// ---- what comes later ----

export interface Later<T> {
  value: T | null;
  error: Error | null;
  loading: boolean;
  again: () => void;
}
/** The result of a call, anew whenever `key` changes. The old one stays until the new one is there. `key` null: nothing. */
export function useLater<T>(key: string | null, ask: () => Promise<T>): Later<T> {
  const [state, set] = useState<{ value: T | null; error: Error | null; key: string | null }>({ value: null, error: null, key: null });
  const [tries, again] = useState(0);
  useEffect(() => {
    if (key === null) {
      set({ value: null, error: null, key });
      return;
    }
    let stale = false;
    ask().then((value) => !stale && set({ value, error: null, key }), (error) => !stale && set({ value: null, error, key }));
    return () => { stale = true; };
  }, [key, tries]);
  return { value: key === null ? null : state.value, error: state.key === key ? state.error : null, loading: state.key !== key, again: () => again(tries + 1) };
}
export function Problem({ error, again }: { error: Error; again?: () => void }) {
  const stopped = error instanceof Cancelled;
  return (
    <div class="problem" role="status">
      <Icon name={stopped ? 'hint' : 'error'} />
      <span>{stopped ? 'Stopped.' : error.message}</span>
      {again && <button type="button" class="small" onClick={again}>Try again</button>}
    </div>
  );
}

// ---- lists of which only the rows in sight exist ----

export interface ListHandle {
  reveal(row: number): void;
  /** Rows that fit. */
  fit(): number;
  element: HTMLElement | null;
}
// Browsers cannot make boxes of any height: above this one, scrolling is scaled.
const k_tallest = 8e6;

/** Rows by their numbers, which stay as they are until something that they show changes. */
export function useKept() {
  const kept = useRef(new Map<number, { shown: unknown[]; row: ComponentChildren }>());
  return (at: number, shown: unknown[], make: () => ComponentChildren): ComponentChildren => {
    const known = kept.current.get(at);
    if (known && known.shown.length === shown.length && known.shown.every((x, i) => x === shown[i])) return known.row;
    if (kept.current.size > 400) kept.current.clear();
    const row = make();
    kept.current.set(at, { shown, row });
    return row;
  };
}

interface ListProps extends Omit<HTMLAttributes<HTMLDivElement>, 'ref'> {
  count: number;
  rowHeight: number;
  row: (at: number) => ComponentChildren;
  handle?: { current: ListHandle | null };
  inner?: string;
  'data-test'?: string;
  onFirst?: (row: number, fit: number) => void;
}
export function VirtualList({ count, rowHeight, row, handle, inner = 'presentation', onFirst, ...attributes }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [, render] = useState(0);
  const state = useRef({ top: 0, expected: 0, view: 0, wanted: -1, revealed: -1 });
  const natural = count * rowHeight, tall = Math.min(natural, k_tallest);
  const scale = () => (natural > tall ? (natural - state.current.view) / (tall - state.current.view) : 1);
  const geometry = useRef({ natural, scale, rowHeight });
  geometry.current = { natural, scale, rowHeight };

  const moveTo = (top: number) => {
    const s = state.current, g = geometry.current;
    s.top = Math.max(0, Math.min(top, g.natural - s.view));
    s.expected = Math.round(s.top / g.scale());
    if (box.current) box.current.scrollTop = s.expected;
    render((n) => n + 1);
  };
  useLayoutEffect(() => {
    const element = box.current!;
    const onScroll = () => {
      const s = state.current, scaled = geometry.current.scale();
      if (scaled === 1 || Math.abs(element.scrollTop - s.expected) > 1.5) {
        s.top = element.scrollTop * scaled;
        s.expected = element.scrollTop;
      }
      render((n) => n + 1);
    };
    const onWheel = (e: WheelEvent) => {
      if (geometry.current.scale() === 1 || e.ctrlKey) return;
      e.preventDefault();
      moveTo(state.current.top + (e.deltaMode ? e.deltaY * geometry.current.rowHeight : e.deltaY));
    };
    const measure = new ResizeObserver(() => {
      const s = state.current, { view, revealed } = s, { rowHeight } = geometry.current, y = revealed * rowHeight;
      // What was brought into sight stays there when the list becomes shorter.
      const wanted = s.wanted < 0 && revealed >= 0 && y >= s.top && y < s.top + view ? revealed : s.wanted;
      s.view = element.clientHeight;
      s.wanted = -1;
      if (!view && s.view) moveTo(s.top);  // it was hidden, and forgot where it was
      if (wanted >= 0 && s.view) reveal.current(wanted);
      render((n) => n + 1);
    });
    measure.observe(element);
    element.addEventListener('scroll', onScroll, { passive: true });
    element.addEventListener('wheel', onWheel, { passive: false });
    state.current.view = element.clientHeight;
    render((n) => n + 1);
    return () => {
      measure.disconnect();
      element.removeEventListener('scroll', onScroll);
      element.removeEventListener('wheel', onWheel);
    };
  }, []);
  const reveal = useRef((_: number) => {});
  reveal.current = (at) => {
    const s = state.current, y = at * rowHeight;
    s.revealed = at;
    if (!s.view) s.wanted = at;  // a hidden list cannot scroll
    else if (y < s.top) moveTo(y < s.top - 3 * rowHeight ? y - s.view / 3 : y);
    else if (y + rowHeight > s.top + s.view) moveTo(y > s.top + s.view + 3 * rowHeight ? y - s.view / 3 : y + rowHeight - s.view);
  };
  if (handle)
    handle.current = {
      get element() { return box.current; },
      fit: () => Math.max(1, Math.floor(state.current.view / rowHeight)),
      reveal: (at) => reveal.current(at),
    };
  const { top, view } = state.current, shift = natural > tall ? Math.round(top / scale()) - top : 0;
  const first = Math.max(0, Math.floor(top / rowHeight) - 2), last = Math.min(count, Math.ceil((top + view) / rowHeight) + 2);
  const rows = [];
  for (let i = first; i < last; ++i) rows.push(<div key={i} class="slot" role="presentation" style={{ top: `${i * rowHeight + shift}px`, height: `${rowHeight}px` }}>{row(i)}</div>);
  useEffect(() => onFirst?.(Math.floor(top / rowHeight), Math.ceil(view / rowHeight)), [Math.floor(top / rowHeight), Math.ceil(view / rowHeight)]);
  return (
    <div ref={box} {...attributes} class={`scroller ${attributes.class ?? ''}`}>
      <div class="tall" role={inner as any} style={{ height: `${tall}px` }}>{rows}</div>
    </div>
  );
}


/** A bar between two panes: dragged, or moved with the arrow keys. `value` is the size in pixels of the pane before it (or after
 * it: `reverse`). */
export function Splitter({ label, vertical, value, min, max, reverse, area, onChange }: { label: string; vertical?: boolean; value: number; min: number; max: number; reverse?: boolean; area: string; onChange: (value: number) => void }) {
  const dragging = useSignal(false), cls = useComputed(() => `splitter ${vertical ? 'vertical' : 'horizontal'}${dragging.value ? ' dragging' : ''}`);
  const clamp = (v: number) => Math.round(Math.max(min, Math.min(max, v)));
  const sign = reverse ? -1 : 1;
  return (
    <div class={cls} style={{ gridArea: area }} role="separator" tabIndex={0} aria-label={label} aria-orientation={vertical ? 'vertical' : 'horizontal'}
      aria-valuenow={Math.round(value)} aria-valuemin={min} aria-valuemax={Math.round(max)}
      onPointerDown={(e) => {
        const element = e.currentTarget, start = vertical ? e.clientX : e.clientY;
        element.setPointerCapture(e.pointerId);
        dragging.value = true;
        const move = (m: PointerEvent) => onChange(clamp(value + sign * ((vertical ? m.clientX : m.clientY) - start)));
        const up = () => {
          dragging.value = false;
          element.removeEventListener('pointermove', move);
          element.removeEventListener('pointerup', up);
          element.removeEventListener('pointercancel', up);
        };
        element.addEventListener('pointermove', move);
        element.addEventListener('pointerup', up);
        element.addEventListener('pointercancel', up);
        e.preventDefault();
      }}
      onKeyDown={(e) => {
        const step = e.shiftKey ? 64 : 16, [less, more] = vertical ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
        if (e.key === less) onChange(clamp(value - sign * step));
        else if (e.key === more) onChange(clamp(value + sign * step));
        else if (e.key === 'Home') onChange(reverse ? clamp(max) : min);
        else if (e.key === 'End') onChange(reverse ? min : clamp(max));
        else return;
        e.preventDefault();
      }} />
  );
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
