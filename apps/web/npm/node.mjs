// node.mjs: the package `diorama` in Node.js, where fetch() reads no files.
import { readFile } from 'node:fs/promises';
import { Diorama } from './core.mjs';

export * from './core.mjs';

/** The module, compiled: for load() in several workers. */
export const compile = async () => WebAssembly.compile(await readFile(new URL('./diorama.wasm', import.meta.url)));

/** Loads the library: the module beside this file, or another; see Diorama.load. */
export const load = async (source) => Diorama.load(source ?? (await compile()));
