// The door to the core: two workers with the same module, so that a tree opens while a world is being built.
import CoreWorker from './worker?worker&inline';
import { Connection, type Remote } from './rpc';
import type { Edited } from './types';
import type { Api, Root } from './worker';

// What belongs to pictures goes to the second worker, and lists of files, which take long for archives of many members.
const pictures = new Set<string>(['scene', 'world', 'sourcePath', 'shows', 'closeScene', 'saveGlb', 'simulate', 'game', 'describe', 'ask', 'questions', 'sounds', 'textures', 'list', 'findFiles', 'tiles']);

// What is edited is edited in the first worker; the second one gets the bytes.
const edits = new Set<string>(['edit', 'undoEdit', 'redoEdit']);

let module: Promise<WebAssembly.Module> | null = null;
/** The module inside the page, unpacked and compiled once. */
function compiled(): Promise<WebAssembly.Module> {
  return (module ??= (async () => {
    return WebAssembly.compile(await (await partOfPage('diorama-wasm')).arrayBuffer());
  })());
}

/** Of the page, before anything else: vite.config.mjs. */
declare function bytes_of_text(text: string): Uint8Array<ArrayBuffer>;

const inflated = (gzip: Uint8Array<ArrayBuffer>) => new Response(new Blob([gzip]).stream().pipeThrough(new DecompressionStream('gzip'))).blob();

/** What the build of the page has packed into it. */
export const partOfPage = (id: string) => inflated(bytes_of_text(document.getElementById(id)!.textContent!));

/** What base64 of gzip holds. */
export function unpacked(text: string): Promise<Blob> {
  const coded = atob(text), bytes = new Uint8Array(coded.length);
  for (let i = 0; i < coded.length; ++i) bytes[i] = coded.charCodeAt(i);
  return inflated(bytes);
}

const whole = new Set<string>(), roots = new Map<string, Root>(), companions = new Map<string, string[]>(), folders = new Map<string, [string, string][]>(), edited = new Map<string, Uint8Array>();
const greet = (call: (method: string, ...args: unknown[]) => Promise<unknown>) => {
  const fresh = [...roots.values()], pairs = [...companions], games = [...folders];
  // A worker answers nothing before it has the module; its messages wait in order.
  void call('start', compiledModule, fresh, pairs, games, [...edited], [...whole]).catch(() => {});
};
let compiledModule: WebAssembly.Module | null = null;

export const connections = {
  panes: new Connection(() => new CoreWorker({ name: 'panes' }), greet),
  picture: new Connection(() => new CoreWorker({ name: 'picture' }), greet),
};

/** What games consist of, by their paths: several panes ask for it, and it takes long. */
const games = new Map<string, Promise<unknown>>();
const changing = new Set(['register', 'remove', 'addFolder', 'readAs', 'readWhole']);

async function call(method: string, ...args: unknown[]): Promise<unknown> {
  compiledModule ??= await compiled();
  if (changing.has(method)) games.clear();
  if (method === 'game') {
    const path = args[0] as string, known = games.get(path) ?? connections.picture.call(method, path);
    games.set(path, known);
    known.catch(() => games.get(path) === known && games.delete(path));
    return known;
  }
  if (method === 'register') {
    for (const root of args[0] as Root[]) {
      forget(root.path);
      roots.set(root.path, root);
    }
    void connections.picture.call(method, ...args).catch(() => {});
  } else if (edits.has(method)) {
    const path = args[0] as string, done = (await connections.panes.call(method, ...args)) as Edited;
    edited.set(path, done.bytes);
    void connections.picture.call('setBytes', path, done.bytes).catch(() => {});
    return done;
  } else if (method === 'remove') {
    forget(args[0] as string);
    roots.delete(args[0] as string);
    folders.delete(args[0] as string);
    void connections.picture.call('remove', args[0]).catch(() => {});
  } else if (method === 'addFolder') {
    const [path, members] = args as [string, [string, string][]], found = await connections.panes.call(method, path, members);
    if (found) {
      folders.set(path, members);
      void connections.picture.call(method, path, members).catch(() => {});
    }
    return found;
  } else if (method === 'readWhole') {
    whole.add(args[0] as string);
    void connections.picture.call('readWhole', ...args).catch(() => {});
  } else if (method === 'readAs') {
    void connections.picture.call('readAs', ...args).catch(() => {});
  } else if (method === 'pair') {
    companions.set(args[0] as string, args[1] as string[]);
    void connections.picture.call('pair', ...args).catch(() => {});
  }
  return connections[pictures.has(method) ? 'picture' : 'panes'].call(method, ...args);
}

function forget(path: string) {
  whole.delete(path);
  for (const name of [...edited.keys()]) if (name === path || name.startsWith(`${path}/`)) edited.delete(name);
}

/** Starts the workers, so that the first file does not wait for them. */
export async function warm() {
  compiledModule ??= await compiled();
  for (const connection of Object.values(connections)) void connection.call('version').catch(() => {});
}

export const core = new Proxy({}, {
  get: (_, method: string) => (...args: unknown[]) => call(method, ...args),
}) as Remote<Api>;
