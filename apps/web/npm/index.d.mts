// index.d.mts: the types of the package `diorama`.
import type { ByteSource, Diorama } from './core.mjs';

export * from './core.mjs';

/** The module, compiled: for load() in several workers. */
export function compile(): Promise<WebAssembly.Module>;
/** Loads the library: the module in the package, or another; see Diorama.load. */
export function load(source?: string | URL | Response | Promise<Response> | ByteSource | WebAssembly.Module): Promise<Diorama>;
