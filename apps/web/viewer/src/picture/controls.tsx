// Controls of the picture's bars: a button with an icon, and a menu below it.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Glyph, type IconName } from './icons';

interface ToolProps {
  icon: IconName;
  label: string;
  keys?: string;
  pressed?: boolean;
  /** Of one that opens a menu. */
  expanded?: boolean;
  onClick: () => void;
  test: string;
}
export function Tool({ icon, label, keys, pressed, expanded, onClick, test }: ToolProps) {
  return (
    <button type="button" class="tool" aria-label={label} title={keys ? `${label} (${keys})` : label} aria-pressed={pressed} aria-expanded={expanded}
      aria-haspopup={expanded === undefined ? undefined : 'menu'} onClick={onClick} data-test={test}>
      <Glyph name={icon} />
    </button>
  );
}
export function Menu({ label, children }: { label: string; children: ComponentChildren }) {
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
