// samples.mjs: the files written by `dio formats --samples FOLDER`. The module has no samples.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** [{format, name, path, bytes}] of a sample folder, without whole games. */
export function samplesIn(folder) {
  return readdirSync(folder).filter((format) => format !== 'games' && format !== 'together').sort().flatMap((format) =>
    readdirSync(join(folder, format)).sort().map((name) => {
      const path = join(folder, format, name);
      return { format, name, path, bytes: new Uint8Array(readFileSync(path)) };
    }));
}
