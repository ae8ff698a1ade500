// Calls into workers. A call is a message {id, method, args}; the answer {id, result} or {id, failure}.
import type { Finding } from './types';

type Result<R> = R extends Moved<infer V> ? V : R;
/** Every method of T as one that answers later. */
export type Remote<T> = {
  [K in keyof T as T[K] extends (...args: any[]) => any ? K : never]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Result<Awaited<R>>> : never;
};

export interface Failure {
  message: string;
  finding?: Finding;
}
/** Why a call gave nothing. `finding`: what the core says of it. */
export class CoreError extends Error {
  finding?: Finding;
  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'CoreError';
    this.finding = failure.finding;
  }
}
export class Cancelled extends Error {
  constructor() {
    super('cancelled');
    this.name = 'Cancelled';
  }
}

export interface Call {
  id: number;
  method: string;
  args: unknown[];
}
export interface Answer {
  id: number;
  result?: unknown;
  failure?: Failure;
}

/** A result whose buffers move to the other side instead of being copied. */
export class Moved<T> {
  constructor(readonly value: T, readonly buffers: Transferable[]) {}
}

/** The side of the worker: answers calls with the methods of `target`. */
export function serve(target: object, port: { postMessage(message: unknown, transfer?: Transferable[]): void }, failure: (e: unknown) => Failure) {
  return async ({ id, method, args }: Call) => {
    try {
      let result = await (target as Record<string, (...args: unknown[]) => unknown>)[method](...args);
      let buffers: Transferable[] = [];
      if (result instanceof Moved) [result, buffers] = [result.value, result.buffers];
      port.postMessage({ id, result } satisfies Answer, buffers);
    } catch (e) {
      port.postMessage({ id, failure: failure(e) } satisfies Answer);
    }
  };
}

/** The side of the page: one worker that can be stopped in the middle of a call and started again. */
export class Connection {
  #worker: Worker | null = null;
  #number = 0;
  #waiting = new Map<number, { resolve(value: unknown): void; reject(e: unknown): void; method: string; started: number }>();

  /** `greet`: what a fresh worker has to know before the first call. */
  constructor(readonly start: () => Worker, readonly greet: (call: (method: string, ...args: unknown[]) => Promise<unknown>) => void) {}

  call = (method: string, ...args: unknown[]): Promise<unknown> => {
    if (!this.#worker) {
      this.#worker = this.start();
      this.#worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#answer(data);
      this.#worker.onerror = (e) => this.#fail(new CoreError({ message: e.message || 'the worker stopped' }));
      this.greet(this.call);
    }
    const id = ++this.#number, worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject, method, started: performance.now() });
      worker.postMessage({ id, method, args } satisfies Call);
    });
  };

  /** The call that has waited longest: {method, started}. */
  get oldest() {
    return this.#waiting.values().next().value;
  }

  /** Stops everything that is under way. Later calls go to a fresh worker. */
  cancel() {
    this.#fail(new Cancelled());
  }

  #answer({ id, result, failure }: Answer) {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (failure) waiting?.reject(new CoreError(failure));
    else waiting?.resolve(result);
  }
  #fail(error: Error) {
    this.#worker?.terminate();
    this.#worker = null;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(error);
  }
}
