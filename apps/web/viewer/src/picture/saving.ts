// The picture, and its scene, as files to keep.
import { core, said, shown } from '../state';
import type { View } from './view';

function store(blob: Blob, name: string) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  said.value = `Saved ${name}`;
}
const stem = () => (shown.value!.part?.replaceAll('/', '_') ?? shown.value!.title.replace(/\.[^.]*$/, ''));

export class Saving {
  /** `chosen`: called when a file was chosen; `fail`: told why a file cannot be made. */
  constructor(readonly view: () => View | null, readonly chosen: () => void, readonly fail: (why: string) => void) {}

  /** `times` as large as it is seen. */
  async png(times: number) {
    this.chosen();
    store(await this.view()!.png(times), `${stem()}.png`);
  }
  async glb() {
    this.chosen();
    try {
      const bytes = await core.saveGlb(shown.value!.sceneId);
      store(new Blob([bytes as BlobPart], { type: 'model/gltf-binary' }), `${stem()}.glb`);
    } catch (e) {
      this.fail((e as Error).message);
    }
  }
}
