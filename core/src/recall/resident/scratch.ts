import { DotProducts } from './dot-products.ts';

/**
 * Room for the numbers of one search, by place: made anew for each, they would keep the garbage collector busy. A search does
 * not wait for anything, so that there is only one at a time, and one of these for all indexes.
 */
export class Scratch {
  /** All 0 between searches. */
  scores = new Float64Array(0);
  marks = new Uint32Array(0);
  /** Anything between searches. */
  cosines = new Float32Array(0);
  entries = new Int32Array(0);
  touched = new Int32Array(0);

  readonly products = new DotProducts();

  makeRoom(places: number): void {
    if (places <= this.scores.length) return;
    const room = Math.ceil(places * 1.25);
    this.scores = new Float64Array(room);
    this.marks = new Uint32Array(room);
    this.cosines = new Float32Array(room);
    this.entries = new Int32Array(room);
    this.touched = new Int32Array(room);
  }
}
