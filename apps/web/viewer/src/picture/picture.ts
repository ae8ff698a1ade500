// The picture as a whole: its view, and all that changes what the view shows.
import { signal } from '@preact/signals';
import { createRef } from 'preact';
import { Choosing } from './choosing';
import { Handles } from './handles';
import { Hovering } from './hovering';
import { Labels } from './labels';
import { Layers } from './layers';
import { Marks } from './marks';
import { Playback } from './playback';
import { Saving } from './saving';
import { Seeing } from './seeing';
import { Tools } from './tools';
import type { View } from './view';

export class Picture {
  /** Null while there is no canvas. */
  view: View | null = null;
  readonly box = createRef<HTMLDivElement>();
  readonly canvas = createRef<HTMLCanvasElement>();
  /** Why there is no picture; '' if there is one. */
  readonly failed = signal('');
  /** The menu that is open. */
  readonly menu = signal<'' | 'cameras' | 'save' | 'look'>('');

  readonly #view = () => this.view;
  readonly #close = () => { this.menu.value = ''; };
  readonly playback = new Playback(this.#view);
  readonly layers = new Layers(this.#view);
  readonly seeing = new Seeing(this.#view, this.playback, this.layers, this.#close);
  readonly labels = new Labels(this.#view);
  readonly saving = new Saving(this.#view, this.#close, (why) => { this.failed.value = why; });
  readonly marks = new Marks(this.#view, this.layers);
  readonly choosing = new Choosing(this.#view, this.marks);
  readonly hovering = new Hovering(this.#view, this.choosing);
  readonly tools = new Tools(this.#view, () => this.handles.letGo());
  readonly handles = new Handles(this.#view, this.choosing, this.tools);
}
