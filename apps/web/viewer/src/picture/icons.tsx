// Icons of the picture's bars.
const shapes = {
  orbit: 'M8 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM14.2 6.3c.6 2.1-1.8 4.6-5.2 5.6s-6.7.2-7.3-1.8M1.8 9.7C1.2 7.6 3.6 5.1 7 4.1',
  fly: 'M1.5 8 14.5 2 10 14 7.5 9zM7.5 9l7-7',
  top: 'M2 2h12v12H2zM8 4.5v7M8 4.5 5.8 6.7M8 4.5l2.2 2.2',
  camera: 'M1.5 4.5h9v7h-9zM10.5 7l4-2v6l-4-2z',
  frame: 'M1.5 5V1.5H5M11 1.5h3.5V5M14.5 11v3.5H11M5 14.5H1.5V11M5.5 5.5h5v5h-5z',
  whole: 'M1.5 6V1.5H6M1.5 1.5 6 6M14.5 10v4.5H10M14.5 14.5 10 10M10 1.5h4.5V6M14.5 1.5 10 6M6 14.5H1.5V10M1.5 14.5 6 10',
  layers: 'M8 1.5 14.5 5 8 8.5 1.5 5zM1.5 8 8 11.5 14.5 8M1.5 11 8 14.5 14.5 11',
  label: 'M1.5 4h8.5l4.5 4-4.5 4H1.5zM4.5 8h4',
  ruler: 'M1.5 11 11 1.5 14.5 5 5 14.5zM4 8.5l1.5 1.5M6.2 6.3 8.5 8.6M8.6 4 10 5.5',
  screen: 'M1.5 2.5h13v9h-13zM5 14h6M4 5h2v2H4zM8 5h2v2H8zM6 7h2v2H6zM10 7h2v2h-2z',
  save: 'M8 2v8M4.5 7 8 10.5 11.5 7M2.5 13.5h11',
  play: 'M4 2.5 13 8l-9 5.5z',
  pause: 'M4.5 2.5v11M11.5 2.5v11',
  back: 'M11.5 3 5.5 8l6 5zM4 3v10',
  next: 'M4.5 3l6 5-6 5zM12 3v10',
  clock: 'M8 1.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM8 4.5V8l2.5 1.5',
  move: 'M8 1.5v13M1.5 8h13M8 1.5 6.2 3.3M8 1.5l1.8 1.8M8 14.5l-1.8-1.8M8 14.5l1.8-1.8M1.5 8l1.8-1.8M1.5 8l1.8 1.8M14.5 8l-1.8-1.8M14.5 8l-1.8 1.8',
  drop: 'M5.5 1.5h5v4h-5zM8 7.5v4M6.3 10 8 11.7l1.7-1.7M1.5 14h3M6.5 14h3M11.5 14h3',
  turn: 'M13.5 8A5.5 5.5 0 1 1 11 3.4M11 1v2.6H8.4',
  size: 'M2 14h5V9H2zM9 2h5v5M14 2 8.5 7.5',
  brush: 'M14 2 7 9M5.5 8.5c-2 0-3 1.2-3 3 0 1.2-.7 2-1.5 2.3 2.8.6 6-.4 6-3.3zM12.5 1.8l1.7 1.7',
  path: 'M2.5 13.5a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4zM8 8.6a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4zM3.4 11.5l3.7-3.4M9 7.2l3-2.4M12.5 1.8v4M10.5 3.8h4',
  close: 'M4 4l8 8M12 4l-8 8',
  target: 'M8 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM8 1v4M8 11v4M1 8h4M11 8h4',
};
export type IconName = keyof typeof shapes;
export function Glyph({ name }: { name: IconName }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.3" stroke-linejoin="round" stroke-linecap="round" aria-hidden="true">
      <path d={shapes[name]} />
    </svg>
  );
}
