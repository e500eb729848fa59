import { describe, expect, it } from 'vitest';
import { sketchOfId } from '../../search-index/sketch.ts';
import type { Candidate } from '../candidates.ts';
import { pickResults } from './pick-results.ts';
import { EVEN, evidenceOf, similarityScale } from './similarity.ts';

const LIMITS = { threshold: 0.5, wanted: 10, most: 10, isForOne: false };
const FOR_ONE = { ...LIMITS, isForOne: true };

/** Memories of some evidence, best first, each of a source. Those of a group are near-copies. */
function pick(
  memories: readonly (readonly [evidence: number, source?: string, group?: string])[],
  limits = LIMITS,
) {
  const idOf = (place: number) => `00000000-0000-7000-8000-${String(place * 7919).padStart(12, '0')}`;
  const ranked = memories.map(([evidence], place) => ({ id: idOf(place), evidence, words: [] }));
  const candidates = memories.map(([, source = 'api', group], place): Candidate => {
    const id = idOf(place);
    const none = { supersededBy: null, validFrom: null, validTo: null, cosine: null, matched: [] };
    const some = { type: 'semantic' as const, length: 10, importance: 0.5, time: 0 };
    const stored = { createdAt: new Date(0), updatedAt: new Date(0), conflictsWith: null };
    return { id, ...none, ...some, ...stored, source, fingerprint: id, sketch: sketchOfId(group ?? id) };
  });
  const proposed = new Map(candidates.map((candidate) => [candidate.id, candidate]));
  return pickResults({ ranked, unraised: ranked }, proposed, limits).results.map(({ evidence }) => evidence);
}

describe('pickResults', () => {
  it('leaves out what has much less evidence than the best, by default', () => {
    expect(pick([[0.95], [0.8], [0.6], [0.5]])).toEqual([0.95, 0.8]);
    expect(pick([[0.6], [0.5], [0.45]])).toEqual([0.6, 0.5, 0.45]);
    expect(pick([[0.4], [0.39]])).toEqual([]);
  });

  it('compares nothing with a quotation of the query', () => {
    expect(pick([[2.5], [0.8], [0.6]])).toEqual([2.5, 0.8]);
  });

  it('gives the best for a threshold of 0', () => {
    expect(pick([[0.95], [0.3], [0]], { ...LIMITS, threshold: 0 })).toEqual([0.95, 0.3, 0]);
  });

  it('lets no source make what another one says irrelevant', () => {
    expect(
      pick([
        [0.95, 'import'],
        [0.5, 'api'],
        [0.3, 'api'],
      ]),
    ).toEqual([0.95, 0.5]);
  });
});

describe('pickResults of a question for one thing', () => {
  const others = (count: number, evidence: number) =>
    Array.from({ length: count }, () => [evidence] as const);

  it('takes the best for an answer where it is far ahead of all others', () => {
    const memories = [[0.3] as const, ...others(40, 0.05)];
    expect(pick(memories, FOR_ONE)).toEqual([0.3]);
    expect(pick(memories)).toEqual([]);
    expect(pick([[0.3], ...others(40, 0.25)], FOR_ONE)).toEqual([]);
  });

  it('takes none of many that are near alike', () => {
    expect(pick(others(40, 0.45), FOR_ONE)).toEqual([]);
    expect(pick(others(40, 0.7), FOR_ONE)).not.toEqual([]);
  });

  it('counts near-copies of the best as that', () => {
    const copies = [
      [0.3, 'api', 'one fact'],
      [0.29, 'api', 'one fact'],
    ] as const;
    expect(pick([...copies, ...others(40, 0.05)], FOR_ONE)).toEqual([0.3, 0.29]);
  });

  it('knows nothing where it sees only near-copies, or few memories', () => {
    const copies = Array.from({ length: 12 }, () => [0.3, 'api', 'one fact'] as const);
    expect(pick([...copies, ...others(40, 0.05)], FOR_ONE)).toEqual([]);
    expect(pick([[0.35], [0.05]], FOR_ONE)).toEqual([]);
  });
});

describe('similarityScale', () => {
  it.each([0, 0.3, 0.7, 1, 3])('keeps the order of evidence, beside a memory of %s', (loudest) => {
    const evidence = Array.from({ length: 60 }, (_, step) => step / 20);
    const similarities = evidence.map(similarityScale({ loudest, even: EVEN }));
    expect(similarities).toEqual([...similarities].sort((a, b) => a - b));
    expect(similarities[0]).toBe(0);
    expect(similarities.at(-1)).toBeLessThan(1);
  });

  it.each([0.1, 0.5, 0.9])('is turned round at %s', (similarity) => {
    for (const loudest of [0, 0.5, 2]) {
      for (const even of [0.1, EVEN]) {
        const scale = { loudest, even };
        expect(similarityScale(scale)(evidenceOf(similarity, scale))).toBeCloseTo(similarity, 4);
      }
    }
  });
});
