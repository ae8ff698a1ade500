// index.d.mts: the types of the package `diorama-maps`.
import type { ByteSource, Diorama } from './core.mjs';

export * from './core.mjs';

/** Returns the compiled module, which several workers can pass to load(). */
export function compile(): Promise<WebAssembly.Module>;
/** Loads the library from the module in the package, or from another source; see Diorama.load. */
export function load(source?: string | URL | Response | Promise<Response> | ByteSource | WebAssembly.Module): Promise<Diorama>;
