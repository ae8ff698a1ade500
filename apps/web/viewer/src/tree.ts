// The values of one file as rows of which only those in sight exist: windows of children are fetched when they are looked at.
import { signal } from '@preact/signals';
import { core } from './state';
import type { Leaf } from './types';

const k_page = 200;

interface Node {
  path: string;
  total: number;
  pages: Map<number, Leaf[] | null>;
  /** Children that are open, by their index. */
  open: Map<number, Node>;
}
export interface Row {
  leaf: Leaf | null;
  depth: number;
  index: number;
  siblings: number;
  open: boolean;
  parent: string;
}

export class TreeModel {
  /** Counts up whenever rows change. */
  readonly version = signal(0);
  readonly failure = signal<Error | null>(null);
  root: Leaf | null = null;
  #top: Node = { path: '', total: 0, pages: new Map(), open: new Map() };
  #previews = new Map<string, string | null>();
  #wanted = new Set<string>();
  #closed = false;

  constructor(readonly file: string) {
    void this.#load(this.#top, 0);
  }
  close() {
    this.#closed = true;
  }
  #changed() {
    this.version.value++;
  }

  get count(): number {
    return TreeModel.#size(this.#top);
  }
  static #size(node: Node): number {
    let size = node.total;
    for (const inner of node.open.values()) size += TreeModel.#size(inner);
    return size;
  }

  async #load(node: Node, page: number): Promise<void> {
    if (node.pages.has(page)) return;
    node.pages.set(page, null);
    try {
      const branch = await core.branch(this.file, node.path, page * k_page, k_page);
      if (this.#closed) return;
      node.total = branch.total;
      node.pages.set(page, branch.members);
      if (node === this.#top) this.root = branch;
      this.failure.value = null;
    } catch (e) {
      node.pages.delete(page);
      if (!this.#closed) this.failure.value = e as Error;
    }
    this.#changed();
  }
  /** After the file was edited: the same rows stay open. `follow`: where what had a path is now; null: it is gone. */
  async refresh(follow: (path: string) => string | null): Promise<void> {
    const turn = ++this.#turn;
    const rebuild = async (old: Node, path: string): Promise<Node> => {
      const node: Node = { path, total: 0, pages: new Map(), open: new Map() };
      for (const page of old.pages.size ? [...old.pages.keys()] : [0]) {
        const branch = await core.branch(this.file, path, page * k_page, k_page);
        node.total = branch.total;
        if (branch.members.length || !page) node.pages.set(page, branch.members);
        if (!path) this.root = branch;
      }
      for (const inner of old.open.values()) {
        const to = follow(inner.path);
        if (to === null) continue;
        for (const [page, leaves] of node.pages) {
          const at = leaves?.findIndex((leaf) => leaf.path === to) ?? -1;
          if (at < 0 || !leaves![at].count) continue;
          node.open.set(page * k_page + at, await rebuild(inner, to));
          break;
        }
      }
      return node;
    };
    try {
      const top = await rebuild(this.#top, '');
      if (this.#closed || turn !== this.#turn) return;
      this.#top = top;
      this.#previews.clear();
      this.failure.value = null;
    } catch (e) {
      if (!this.#closed) this.failure.value = e as Error;
    }
    this.#changed();
  }
  #turn = 0;
  again() {
    this.failure.value = null;
    void this.#load(this.#top, 0);
  }

  /** The row of a number. `leaf` is null until its window is there; then `version` changes. */
  row(at: number): Row | null {
    let node = this.#top, depth = 0;
    for (;;) {
      let skipped = 0, entered: Node | null = null, index = at;
      const opened = [...node.open].sort(([a], [b]) => a - b);
      for (const [child, inner] of opened) {
        const head = child + skipped, size = TreeModel.#size(inner);
        if (at <= head) break;
        if (at <= head + size) {
          entered = inner;
          at -= head + 1;
          break;
        }
        skipped += size;
      }
      if (entered) {
        node = entered;
        ++depth;
        continue;
      }
      index = at - skipped;
      if (index < 0 || index >= node.total) return null;
      const page = Math.floor(index / k_page), leaves = node.pages.get(page);
      if (leaves === undefined) void this.#load(node, page);
      return { leaf: leaves?.[index % k_page] ?? null, depth, index, siblings: node.total, open: node.open.has(index), parent: node.path };
    }
  }

  /** The row of a number, once its window is there. */
  async rowLater(at: number): Promise<Row | null> {
    for (let tries = 0; tries < 200; ++tries) {
      const row = this.row(at);
      if (!row || row.leaf || this.#closed || this.failure.value) return row;
      await new Promise((done) => setTimeout(done, 20));
    }
    return null;
  }
  #nodeOf(path: string): Node | null {
    let node = this.#top;
    while (node.path !== path) {
      const next = [...node.open.values()].find((n) => path === n.path || path.startsWith(n.path + '.') || path.startsWith(n.path + '['));
      if (!next) return null;
      node = next;
    }
    return node;
  }
  async toggle({ parent, index, leaf }: Row, on?: boolean): Promise<void> {
    const node = this.#nodeOf(parent);
    if (!node || !leaf?.count) return;
    const isOpen = node.open.has(index);
    if (on === isOpen) return;
    if (isOpen) {
      node.open.delete(index);
      this.#changed();
    } else await this.#enter(node, index, leaf.path);
  }
  async #enter(node: Node, index: number, path: string): Promise<Node> {
    const known = node.open.get(index);
    if (known) return known;
    const inner: Node = { path, total: 0, pages: new Map(), open: new Map() };
    await this.#load(inner, 0);
    node.open.set(index, inner);
    this.#changed();
    return inner;
  }
  closeAll() {
    this.#top.open.clear();
    this.#changed();
  }

  /** The number of the row of a value, if it is among those that are open and known. -1: it is not. */
  rowOf(path: string): number {
    if (!path) return -1;
    let node = this.#top, base = 0;
    for (;;) {
      const before = (index: number) => {
        let rows = index;
        for (const [child, inner] of node.open) if (child < index) rows += TreeModel.#size(inner);
        return base + rows;
      };
      for (const [page, leaves] of node.pages) {
        const at = leaves?.findIndex((leaf) => leaf.path === path) ?? -1;
        if (at >= 0) return before(page * k_page + at);
      }
      const next = [...node.open].find(([, n]) => path.startsWith(n.path + '.') || path.startsWith(n.path + '['));
      if (!next) return -1;
      base = before(next[0]) + 1;
      node = next[1];
    }
  }

  /** Opens what is above a value. The number of its row, or -1. */
  async reveal(path: string): Promise<number> {
    if (!path) return -1;
    const trail = await core.trail(this.file, path);
    if (!trail.length || this.#closed) return -1;
    let node = this.#top;
    const chain: [Node, number][] = [];
    for (const [i, step] of trail.entries()) {
      chain.push([node, step.index]);
      if (i + 1 < trail.length) node = await this.#enter(node, step.index, step.path);
    }
    await this.#load(node, Math.floor(trail[trail.length - 1].index / k_page));
    let at = -1;
    for (const [parent, index] of chain) {
      at += index + 1;
      for (const [child, inner] of parent.open) if (child < index) at += TreeModel.#size(inner);
    }
    return at;
  }

  /** What a small object holds, or what an element of a list is called, in a few words; fetched when it is first asked for. */
  preview(leaf: Leaf): string | null {
    const isElement = leaf.type === 'object' && leaf.path.endsWith(']');
    if (leaf.count < 1 || (leaf.count > 4 && !isElement)) return null;
    const known = this.#previews.get(leaf.path);
    if (known !== undefined) return known;
    this.#previews.set(leaf.path, null);
    if (!this.#wanted.size) queueMicrotask(() => void this.#fetchPreviews());
    this.#wanted.add(leaf.path);
    return null;
  }
  async #fetchPreviews() {
    const paths = [...this.#wanted];
    this.#wanted.clear();
    try {
      const texts = await core.previews(this.file, paths);
      if (this.#closed) return;
      paths.forEach((path, i) => this.#previews.set(path, texts[i] || null));
      this.#changed();
    } catch {
      // Rows do without.
    }
  }
}
