// index.mjs: the package `diorama` in browsers and bundlers.
import { Diorama } from './core.mjs';

export * from './core.mjs';

const place = () => new URL('./diorama.wasm', import.meta.url);

/** The module, compiled: for load() in several workers. */
export const compile = async () => WebAssembly.compile(await (await fetch(place())).arrayBuffer());

/** Loads the library: the module beside this file, or another; see Diorama.load. */
export const load = (source = place()) => Diorama.load(source);
