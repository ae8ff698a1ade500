// The bytes of one file in windows, each with the fields that describe it.
import { signal } from '@preact/signals';
import { core } from './state';
import type { Span, Window } from './types';

const k_block = 4096;
// So many windows are kept; a file of fewer is fetched as a whole while nothing else happens, so that a click finds it here.
const k_kept = 256;

export interface Field extends Span {
  color: number;
}
export interface Block {
  start: number;
  bytes: Uint8Array;
  fields: Field[];
  gaps: Window['gaps'];
  /** For each byte the number of its field; -1: no field describes it. */
  owner: Int16Array;
}

export class BytesModel {
  readonly version = signal(0);
  readonly failure = signal<Error | null>(null);
  #blocks = new Map<number, Block | null>();
  #colors = new Map<string, number>();
  #closed = false;
  #resting = 0;
  constructor(readonly file: string, readonly size: number) {}
  close() {
    this.#closed = true;
    clearTimeout(this.#resting);
  }

  block(offset: number): Block | null {
    const index = Math.floor(offset / k_block), known = this.#blocks.get(index);
    if (known === undefined && offset >= 0 && offset < this.size) void this.#load(index);
    return known ?? null;
  }
  async loaded(offset: number): Promise<Block | null> {
    const index = Math.floor(offset / k_block);
    return this.#blocks.get(index) ?? this.#load(index);
  }
  again() {
    this.failure.value = null;
    this.version.value++;
  }
  async #load(index: number): Promise<Block | null> {
    this.#blocks.set(index, null);
    const start = index * k_block;
    try {
      const { bytes, spans, gaps } = await core.window(this.file, start, k_block);
      const owner = new Int16Array(bytes.length).fill(-1);
      const ordered = spans.filter((s) => s.size > 0).sort((a, b) => a.offset - b.offset || b.size - a.size);
      let color = index % 6;
      const fields = ordered.map((s): Field => {
        const key = `${s.offset} ${s.path}`, own = this.#colors.get(key) ?? (color + 1) % 6;
        this.#colors.set(key, own);
        color = own;
        return { ...s, color: own };
      });
      // The smallest, where several share a byte.
      fields.map((_, i) => i).sort((a, b) => fields[b].size - fields[a].size).forEach((i) => {
        const f = fields[i];
        owner.fill(i, Math.max(0, f.offset - start), Math.max(0, f.offset + f.size - start));
      });
      if (this.#closed) return null;
      const block = { start, bytes, fields, gaps, owner };
      this.#blocks.set(index, block);
      if (this.#blocks.size > k_kept) this.#blocks.delete(this.#blocks.keys().next().value!);
      this.version.value++;
      this.#fetchRest();
      return block;
    } catch (e) {
      this.#blocks.delete(index);
      if (!this.#closed) this.failure.value = e as Error;
      return null;
    }
  }
  #fetchRest() {
    clearTimeout(this.#resting);
    const all = Math.ceil(this.size / k_block);
    if (this.#closed || all > k_kept || this.#blocks.size >= all) return;
    this.#resting = setTimeout(() => {
      for (let i = 0; i < all; ++i) if (!this.#blocks.has(i)) return void this.#load(i);
    }, 15) as unknown as number;
  }
  fieldAt(offset: number): Field | null {
    const block = this.block(offset);
    return block ? (block.fields[block.owner[offset - block.start]] ?? null) : null;
  }
}
