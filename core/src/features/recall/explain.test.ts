import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentMemory, Input, Output } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { cases } from '../../testing/index.ts';
import { watched } from './in-memory-index/index-cache.fixture.ts';
import { EVEN, similarityScale } from './ranking/similarity.ts';

const kit = useTestEngine();

type Answer = Output<'recall'>;

const sum = (parts: readonly { value: number }[]) => parts.reduce((total, { value }) => total + value, 0);

/** What holds of every explanation. */
function expectSound({ results, explained }: Answer, asked: unknown): void {
  const told = JSON.stringify(asked);
  const totals = results.map(({ explanation }) => explanation?.total ?? Number.NaN);
  for (const { explanation } of results) {
    expect(sum(explanation?.parts ?? []), told).toBeCloseTo(explanation?.total ?? Number.NaN, 9);
    expect(explanation?.parts.every(({ value }) => value !== 0)).toBe(true);
  }
  for (const { explanation, similarity } of results) {
    const total = explanation?.total ?? 0;
    expect(similarity, told).toBeLessThanOrEqual(
      similarityScale({ loudest: 0, even: EVEN / 5 })(total) + 1e-3,
    );
    expect(similarity, told).toBeGreaterThanOrEqual(
      similarityScale({ loudest: totals[0] ?? 0, even: EVEN * 1.15 })(total) - 1e-3,
    );
  }
  expect(totals, told).toEqual([...totals].sort((a, b) => b - a));
  const similarities = results.map(({ similarity }) => similarity);
  expect(similarities, told).toEqual([...similarities].sort((a, b) => b - a));
  for (const total of totals)
    expect(total, told).toBeGreaterThanOrEqual((explained?.least_total ?? 0) - 1e-3);
  const shown = new Set(results.map(({ id }) => id));
  for (const { id } of explained?.left_out ?? []) expect(shown.has(id), told).toBe(false);
}

const LAST_DIGITS = 1e-5;

/** Both indexes round cosines, so that the last digits may differ, and parts that consist of these alone. */
function expectAlike(one: Answer | undefined, other: Answer | undefined): void {
  const told = (parts: readonly { readonly name: string; readonly value: number }[] = []) =>
    parts.filter(({ value }) => Math.abs(value) > LAST_DIGITS).map(({ name }) => name);
  const partsOf = (answer: Answer | undefined) =>
    answer?.results.map(({ id, explanation }) => [id, told(explanation?.parts)]);
  expect(partsOf(other)).toEqual(partsOf(one));
  for (const [place, { explanation }] of (one?.results ?? []).entries()) {
    const total = other?.results[place]?.explanation?.total;
    expect(total).toBeCloseTo(explanation?.total ?? Number.NaN, 4);
  }
}

const WORDS =
  'violin piano Lisbon Berlin port 8080 9090 meeting yesterday coffee black Maya moved likes'.split(' ');
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 })
  .map((words) => words.join(' '));
const draft: fc.Arbitrary<Input<'remember'>> = fc.record({
  type: fc.constantFrom('semantic' as const, 'episodic' as const, 'working' as const),
  content: fc.oneof(
    text,
    text.map((words) => `Maya: ${words}?`),
    fc.constantFrom('The billing service listens on port 8080.', 'The billing service listens on port 9090.'),
  ),
  importance: fc.constantFrom(0, 0.5, 1),
  session_id: fc.constantFrom('s-1', 's-2'),
  occurred_at: fc.integer({ min: 1, max: 28 }).map((day) => `2026-02-${String(day).padStart(2, '0')}`),
});
const question = fc.record({
  query: fc.oneof(
    text,
    fc.constantFrom(
      'Which port does the billing service listen on?',
      'When did Maya say it last week?',
      'latest port',
    ),
  ),
  threshold: fc.constantFrom(0, 0.2, 0.5, 1),
  limit: fc.constantFrom(1, 3, 50),
  include_superseded: fc.boolean(),
});

describe('explain', () => {
  it('gives parts that add up to the total, by which results are ordered, in any store and both indexes', async () => {
    const holding = watched(kit, 8 * 1024 ** 2);
    // Always asks the database: an engine that began to hold the tenant between two calls would round otherwise in the second.
    const asking = watched(kit, 0).engine;
    await fc.assert(
      fc.asyncProperty(
        fc.array(draft, { minLength: 1, maxLength: 12 }),
        fc.array(question, { minLength: 1, maxLength: 4 }),
        async (memories, questions) => {
          const { tenantId, agent } = await kit.tenant();
          await agent().rememberBatch({ memories });
          await holding.untilHeld(tenantId);
          for (const asked of questions) {
            const answers: Answer[] = [];
            for (const one of [asking.agent(tenantId), holding.engine.agent(tenantId)]) {
              const answer = await one.recall({ ...asked, explain: true });
              expectSound(answer, { memories, asked });
              const plain = await one.recall(asked);
              expect(answer.results.map(({ explanation: _, ...result }) => result)).toEqual(plain.results);
              answers.push(answer);
            }
            expectAlike(answers[0], answers[1]);
          }
        },
      ),
      // Of what fails, a smaller case is looked for until then: without an end that took longer than the test may, which then named none.
      { numRuns: cases(6, 150), interruptAfterTimeLimit: 120_000 },
    );
  }, 600_000);

  const ask = async (agent: AgentMemory, input: Partial<Input<'recall'>> = {}) =>
    agent.recall({ query: 'Which port does the billing service listen on?', explain: true, ...input });

  it('names words, meaning and the rest; demotions are negative', async () => {
    const agent = (await kit.tenant()).agent();
    for (const port of [8080, 9090]) {
      await agent.remember({ type: 'semantic', content: `The billing service listens on port ${port}.` });
    }
    const { results } = await ask(agent, { include_superseded: true, threshold: 0 });
    const namesOf = (place: number) => results[place]?.explanation?.parts.map(({ name }) => name);
    expect(namesOf(0)).toEqual(expect.arrayContaining(['word: port', 'importance']));
    const demoted = results[1]?.explanation?.parts.find(({ name }) => name === 'supersession');
    expect(demoted?.value).toBeLessThan(0);
    await agent.remember({ type: 'semantic', content: 'Maya plays the violin.' });
    const meant = await ask(agent, { query: 'musical instruments', threshold: 0, limit: 1 });
    expect(meant.results[0]?.explanation?.parts.map(({ name }) => name)).toContain('meaning');
  });

  it('tells why the best of the others are no results', async () => {
    const agent = (await kit.tenant()).agent();
    const ids: string[] = [];
    for (const content of [
      'The billing service listens on port 8080.',
      'The billing service listens on port 9090.',
      'The billing service is written in Go.',
    ]) {
      ids.push((await agent.remember({ type: 'semantic', content })).memory.id);
    }
    const { explained, results } = await ask(agent, { threshold: 0, limit: 1 });
    expect(results.map(({ id }) => id)).toEqual([ids[1]]);
    expect(explained?.left_out).toEqual([
      { id: ids[0], total: expect.any(Number), reason: `superseded by ${ids[1]}` },
      { id: ids[2], total: expect.any(Number), reason: 'beyond the limit' },
    ]);
    const strict = await ask(agent, { threshold: 1 });
    expect(strict.explained).toMatchObject({ least_total: null });
    expect(strict.explained?.left_out.at(-1)?.reason).toBe('below the threshold');
    const narrow = await ask(agent, { threshold: 0, max_tokens: 8 });
    expect(narrow.explained?.left_out.map(({ reason }) => reason)).toContain('beyond max_tokens');
    expect((await agent.recall({ query: 'billing' })).explained).toBeUndefined();
  });
});
