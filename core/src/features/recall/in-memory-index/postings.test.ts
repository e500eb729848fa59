import { expect, test } from 'vitest';
import { Postings, slotOf } from './postings.ts';

/** More than fit into the largest block, twice. */
const MANY = 300;

test('a term tells its slots from the one added last on, as long as more are wanted', () => {
  const postings = new Postings();
  const kinds = new Uint8Array(2 * MANY);
  const into = new Int32Array(2 * MANY);
  const added: number[] = [];
  for (let slot = 0; slot < 2 * MANY; slot += 2) {
    postings.add('tractor', slot, 1);
    postings.add(`of ${slot}`, slot + 1, 1);
    added.push(slot);
    const told: number[] = [];
    postings.fromNewest('tractor', (one) => told.push(one) > 0);
    expect(told).toEqual(added.toReversed());
    const read = into.subarray(0, postings.read('tractor', kinds, 0, into));
    expect([...read].map(slotOf)).toEqual(added);
  }
  const newest: number[] = [];
  postings.fromNewest('tractor', (one) => newest.push(one) < 200);
  expect(newest).toEqual(added.toReversed().slice(0, 200));
  postings.fromNewest('harvester', () => {
    throw new Error('nothing holds it');
  });
});
