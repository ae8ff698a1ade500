// What the picture adds to the list of all commands: its layers, states and tools.
import type { Command } from '../state';
import type { Picture } from './picture';

export function commandsOf(p: Picture): Command[] {
  const s = p.view?.scene3;
  if (!s) return [];
  const isShown = (i: number) => s.shownLayers[i] > 0;
  return [
    ...s.layering.layers.map(({ title }, i) => ({ title: `Layer ${title}: ${isShown(i) ? 'hide' : 'show'}`, run: () => p.layers.setLayer(i, !isShown(i)) })),
    ...s.layering.states.map(({ name, node }) => ({ title: `State ${name}`, run: () => p.layers.setState(node) })),
    { title: 'Frame everything', keys: 'Home', run: () => p.view!.fitAll() },
    { title: 'View from above', keys: 'T', run: () => p.seeing.toggleTop() },
    { title: 'Measure', keys: 'M', run: () => p.tools.toggleMeasuring() },
    ...(p.tools.offersPainting ? [{ title: 'Paint tiles', keys: 'P', run: () => p.tools.togglePainting() }] : []),
    ...(p.tools.offersDrawing ? [{ title: 'Draw a path', keys: 'U', run: () => p.tools.toggleDrawing() }] : []),
  ];
}
