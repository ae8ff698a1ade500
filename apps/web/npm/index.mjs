// index.mjs: the package `diorama-maps` in browsers and bundlers.
import { Diorama } from './core.mjs';

export * from './core.mjs';

const place = () => new URL('./diorama.wasm', import.meta.url);

/** Returns the compiled module, which several workers can pass to load(). */
export const compile = async () => WebAssembly.compile(await (await fetch(place())).arrayBuffer());

/** Loads the library from the module next to this file, or from another source; see Diorama.load. */
export const load = (source = place()) => Diorama.load(source);
