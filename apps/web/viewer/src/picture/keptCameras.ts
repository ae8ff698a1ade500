// Where scenes were last seen from: kept while the page is open, and in its address.
import { shown, type Shown } from '../state';
import type { View } from './view';

const kept = new Map<string, string>();
/** Where the address of the page says that the first picture is seen from. */
let ofAddress = decodeURIComponent(/[#&]view=([^&]*)/.exec(location.hash)?.[1] ?? '');
let waiting = 0;

/** The same for scenes of the same place. */
export const placeOf = ({ file, part }: Shown) => `${file}|${part ?? ''}`;
/** Where a place was seen from; of the first one, what the address says. */
export function keptCamera(place: string): string {
  const out = kept.get(place) ?? ofAddress;
  ofAddress = '';
  return out;
}
/** Keeps where the shown scene is seen from, once the view rests. */
export function keepCamera({ rig }: View) {
  clearTimeout(waiting);
  waiting = window.setTimeout(() => {
    const text = rig.toString(), now = shown.peek();
    if (now) kept.set(placeOf(now), text);
    try {
      history.replaceState(null, '', `${location.hash.replace(/[#&]view=[^&]*/, '') || '#'}&view=${text}`);
    } catch {
      // A page without an address of its own has no links.
    }
  }, 400);
}
export const stopKeeping = () => clearTimeout(waiting);
