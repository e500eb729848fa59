import { DotProducts } from './dot-products.ts';

/**
 * Buffers of one search, by slot, which are reused to spare the garbage collector. A search is synchronous, so one workspace
 * serves all indexes.
 */
export class Workspace {
  /** All 0 between searches. */
  scores = new Float64Array(0);
  marks = new Uint32Array(0);
  /** Anything between searches. */
  cosines = new Float32Array(0);
  entries = new Int32Array(0);
  touched = new Int32Array(0);

  readonly products = new DotProducts();

  reserve(slots: number): void {
    if (slots <= this.scores.length) return;
    const room = Math.ceil(slots * 1.25);
    this.scores = new Float64Array(room);
    this.marks = new Uint32Array(room);
    this.cosines = new Float32Array(room);
    this.entries = new Int32Array(room);
    this.touched = new Int32Array(room);
  }
}
