// node.mjs: the package `diorama-maps` in Node.js, where fetch() reads no files.
import { readFile } from 'node:fs/promises';
import { Diorama } from './core.mjs';

export * from './core.mjs';

/** Returns the compiled module, which several workers can pass to load(). */
export const compile = async () => WebAssembly.compile(await readFile(new URL('./diorama.wasm', import.meta.url)));

/** Loads the library from the module next to this file, or from another source; see Diorama.load. */
export const load = async (source) => Diorama.load(source ?? (await compile()));
