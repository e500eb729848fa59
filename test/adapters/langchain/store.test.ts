import { tool } from '@langchain/core/tools';
import type { LangGraphRunnableConfig } from '@langchain/langgraph';
import { InMemoryStore, InvalidNamespaceError, type Operation } from '@langchain/langgraph-checkpoint';
import type { AgentMemory } from '@svc-memory/core';
import { cases } from '@svc-memory/core/testing';
import { AgentMemoryStore } from '@svc-memory/langchain';
import fc from 'fast-check';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { useService } from '../../kit/service.ts';
import { waysTo } from '../memories.ts';
import { calling, ScriptedModel } from './scripted-model.ts';

const SEED = 20_261_121;
const RUNS = cases(4, 40);

const service = useService();

// InMemoryStore takes "user-1" for the start of "user-10"; no label here is the start of another.
const LABELS = ['users', 'docs', 'ä b', "o'%_"];
const KEYS = ['a', 'b', 'prefs', ''];
const FIRST = 'first';

const label = fc.constantFrom(...LABELS);
const namespace = fc.array(label, { minLength: 1, maxLength: 3 });
const scalar = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.constantFrom('red', 'blue', true, null));
const value = fc.record({ rank: scalar, colour: scalar, note: fc.json() }, { requiredKeys: ['note'] });
const comparison = fc.oneof(
  scalar,
  fc.dictionary(fc.constantFrom('$eq', '$ne', '$gt', '$gte', '$lt', '$lte'), scalar, { maxKeys: 2 }),
  fc.record({ $in: fc.array(scalar, { maxLength: 2 }) }),
  fc.record({ $nin: fc.array(scalar, { maxLength: 2 }) }),
);
const filter = fc.dictionary(fc.constantFrom('rank', 'colour', 'missing'), comparison, { maxKeys: 2 });
const few = fc.integer({ min: 0, max: 4 });
const path = fc.array(fc.oneof(label, fc.constant('*' as const)), { minLength: 1, maxLength: 2 });

const put = fc.record({ namespace, key: fc.constantFrom(...KEYS), value });
const deletion = fc.record({ namespace, key: fc.constantFrom(...KEYS), value: fc.constant(null) });
const get = fc.record({ namespace, key: fc.constantFrom(...KEYS) });
const search = fc.record(
  { namespacePrefix: fc.array(label, { maxLength: 3 }), filter, limit: few, offset: few },
  { requiredKeys: ['namespacePrefix'] },
);
const list = fc.record({
  matchConditions: fc.array(
    fc.record({ matchType: fc.constantFrom('prefix' as const, 'suffix' as const), path }),
    { maxLength: 2 },
  ),
  maxDepth: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  limit: fc.integer({ min: 0, max: 6 }),
  offset: few,
});
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: put },
  { weight: 2, arbitrary: deletion },
  { weight: 2, arbitrary: get },
  { weight: 3, arbitrary: search },
  { weight: 2, arbitrary: list as fc.Arbitrary<Operation> },
);

/** An answer without times, as JSON gives it back. */
const plain = (answer: unknown) =>
  JSON.parse(
    JSON.stringify(answer ?? null, (name, part) => (/^(created|updated)At$/.test(name) ? undefined : part)),
  );

/** InMemoryStore goes on listing namespaces that are empty: here each keeps an item from the first write on. */
function withFirst(batch: readonly Operation[], known: Set<string>): Operation[] {
  const added = batch.flatMap((one): Operation[] => {
    if (!('value' in one) || known.has(JSON.stringify(one.namespace))) return [];
    known.add(JSON.stringify(one.namespace));
    return [{ namespace: one.namespace, key: FIRST, value: { rank: 0 } }];
  });
  return [...added, ...batch];
}

describe.each(waysTo(service))('the store $way', ({ reach }) => {
  test(`answers any sequence of operations as InMemoryStore does (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { minLength: 1, maxLength: 5 }), { maxLength: 12 }),
        async (batches) => {
          const model = new InMemoryStore();
          const store = new AgentMemoryStore({ memory: await reach() });
          const known = new Set<string>();
          for (const batch of batches) {
            const operations = withFirst(batch, known);
            // The model shares its values and its items with who asks.
            const expected = plain(await model.batch(structuredClone(operations)));
            expect(plain(await store.batch(operations))).toEqual(expected);
          }
        },
      ),
      { seed: SEED, numRuns: RUNS },
    );
  }, 240_000);

  test('its methods answer as those of InMemoryStore do', async () => {
    const stores = [new InMemoryStore(), new AgentMemoryStore({ memory: await reach() })];
    const answers = await Promise.all(
      stores.map(async (store) => {
        for (let place = 0; place < 13; place += 1) {
          await store.put(['docs', `d${place % 3}x`], `k${place}`, { place, even: place % 2 === 0 });
        }
        await store.put(['docs', 'd1x'], 'k1', { place: 100 });
        await store.delete(['docs', 'd2x'], 'k2');
        return plain([
          await store.get(['docs', 'd1x'], 'k1'),
          await store.get(['docs', 'd2x'], 'k2'),
          await store.get(['docs'], 'k1'),
          await store.search(['docs']),
          await store.search(['docs'], { limit: 5, offset: 9 }),
          await store.search([], { filter: { even: true, place: { $gt: 3, $lte: 10 } } }),
          await store.listNamespaces(),
          await store.listNamespaces({ prefix: ['docs'], maxDepth: 1 }),
          await store.listNamespaces({ suffix: ['d1x'], limit: 1 }),
          await store.listNamespaces({ prefix: ['*', 'd2x'], offset: 1 }),
        ]);
      }),
    );
    expect(answers[1]).toEqual(answers[0]);
  });

  test('of an item with secrets the rest is kept; one that is named by a secret is refused', async () => {
    const store = new AgentMemoryStore({ memory: await reach() });
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await store.put(['files'], '.env', { text: `PASSWORD=h7${token}\nKEY="${token}"\n`, mode: 600 });
    expect((await store.get(['files'], '.env'))?.value).toMatchObject({ mode: 600 });
    await expect(store.put(['tokens', token], 'a', { mode: 1 })).rejects.toThrow(
      /\["tokens",.*holds a secret/,
    );
    await expect(store.put(['tokens'], token, { mode: 1 })).rejects.toThrow(TypeError);
    expect(await store.search([])).toHaveLength(1);
    expect(await store.search(['files'], { filter: { mode: { toString: 1 } } })).toEqual([]);
  });

  test('user-1 never sees user-10, whatever the labels look like', async () => {
    const labels = [
      'user-1',
      'user-10',
      'user-',
      'ab',
      'a',
      'b',
      '%',
      '_',
      '["a"]',
      'a","b',
      ' a',
      'A',
      '\ud800',
    ];
    const store = new AgentMemoryStore({ memory: await reach() });
    const namespaces = labels.flatMap((first) => [[first], [first, 'b'], [first, 'b', '']].slice(0, 2));
    for (const one of namespaces) await store.put(one, 'k', { in: one });
    for (const one of namespaces) {
      expect((await store.get(one, 'k'))?.value).toEqual({ in: one });
      const found = await store.search(one, { limit: 100 });
      const expected = namespaces.filter((other) => one.every((part, place) => other[place] === part));
      expect(found.map((item) => item.namespace).sort()).toEqual([...expected].sort());
    }
    expect(await store.search(['user'])).toEqual([]);
    expect((await store.listNamespaces()).map((one) => JSON.stringify(one)).sort()).toEqual(
      namespaces.map((one) => JSON.stringify(one)).sort(),
    );
  });

  test('finds by meaning under a prefix, best first, with a score', async () => {
    const memory = await reach();
    const store = new AgentMemoryStore({ memory });
    await store.put(['users', '1'], 'food', { text: 'Likes noodle soup with ginger.' });
    await store.put(['users', '1'], 'sport', { text: 'Runs along the river each morning.' });
    await store.put(['users', '1'], 'hidden', { text: 'Noodle soup recipe.' }, false);
    await store.put(['users', '10'], 'food', { text: 'Noodle soup is what they cook.' });
    const found = await store.search(['users', '1'], { query: 'noodle soup' });
    expect(found.map(({ key }) => key)).toEqual(['food', 'sport', 'hidden']);
    expect(found[0]?.score).toBeGreaterThan(found[1]?.score ?? 1);
    expect(found[2]?.score).toBeUndefined();
    expect(await store.search(['users', '1'], { query: 'noodle soup', limit: 1, offset: 1 })).toMatchObject([
      { key: 'sport' },
    ]);
    const { results } = await memory.recall({ query: 'who likes noodle soup with ginger?' });
    expect(results[0]?.content).toContain('Likes noodle soup');
  });

  test('a search by meaning is one call, and answers what each item is when it is read alone', async () => {
    const called: string[] = [];
    const memory = await reach();
    const watched = new Proxy(memory, {
      get: (target, name: keyof AgentMemory) => {
        const method = target[name];
        if (typeof method !== 'function') return method;
        return (...args: never[]) => {
          called.push(name);
          return Reflect.apply(method, target, args);
        };
      },
    });
    const store = new AgentMemoryStore({ memory: watched });
    const puts = Array.from({ length: 120 }, (_, number) => ({
      ...{ namespace: ['notes'], key: `${number}` },
      value: { text: `Noodle soup number ${number}.` },
    }));
    await store.batch(puts);
    await store.put(['notes'], '7', { text: 'Noodle soup number 7, with ginger.' });
    called.length = 0;
    const found = await store.search(['notes'], { query: 'noodle soup with ginger', limit: 3 });
    expect(called).toEqual(['recall']);
    expect(found[0]).toMatchObject({ key: '7', value: { text: 'Noodle soup number 7, with ginger.' } });
    for (const { score: _score, ...item } of found) {
      expect(item).toEqual(await store.get(['notes'], item.key));
    }
  });

  test('refuses what it cannot hold, and then writes nothing of the batch', async () => {
    const memory = await reach();
    const store = new AgentMemoryStore({ memory });
    const refused: [Operation, new (message: string) => Error, RegExp][] = [
      [{ namespace: [], key: 'k', value: {} }, InvalidNamespaceError, /at least one label/],
      [{ namespace: null as never, key: 'k', value: {} }, InvalidNamespaceError, /list of labels/],
      [{ namespace: ['a'], key: null as never, value: {} }, TypeError, /must be a text/],
      [{ namespace: ['a'], key: 7 as never, value: {} }, TypeError, /must be a text/],
      [{ namespace: ['a.b'], key: 'k', value: {} }, InvalidNamespaceError, /period/],
      [{ namespace: ['langgraph'], key: 'k', value: {} }, InvalidNamespaceError, /langgraph/],
      [{ namespace: Array(31).fill('a'), key: 'k', value: {} }, InvalidNamespaceError, /more than 30 labels/],
      [{ namespace: ['a'], key: 'k', value: { text: 'x'.repeat(32_768) } }, RangeError, /at most 32768/],
      [{ namespace: ['a'], key: 'k', value: [] }, TypeError, /must be an object/],
      [{ namespace: ['a'], key: 'k', value: new Date() }, TypeError, /\["a","k"\] must be an object/],
      [{ namespace: ['a'], key: 'k', value: { toJSON: () => [1] } }, TypeError, /must be an object/],
      [{ namespace: ['a'], key: 'k', value: { many: 1n } }, TypeError, /\["a","k"\].* no BigInt/],
    ];
    for (const [operation, type, message] of refused) {
      const batch = store.batch([{ namespace: ['fine'], key: 'k', value: {} }, operation]);
      await expect(batch).rejects.toThrow(type);
      await expect(batch).rejects.toThrow(message);
    }
    expect(await store.listNamespaces()).toEqual([]);
    await store.put(Array(30).fill('a'), 'k', { text: '🦉'.repeat(32_500) });
    expect(await store.search(Array(29).fill('a'))).toHaveLength(1);
  });
});

test('what is stored belongs to the agent whose memory it is', async () => {
  const [one, other] = await Promise.all([service.kit.tenant(), service.kit.tenant()]);
  await new AgentMemoryStore({ memory: one.agent() }).put(['users'], 'k', { text: 'mine' });
  const store = new AgentMemoryStore({ memory: other.agent() });
  expect(await store.get(['users'], 'k')).toBeNull();
  expect(await store.search([], { query: 'mine' })).toEqual([]);
  expect(await store.listNamespaces()).toEqual([]);
});

test('serves the tools of an agent', async () => {
  const store = new AgentMemoryStore({ memory: (await service.kit.tenant()).agent() });
  const note = tool(
    async ({ text }, config: LangGraphRunnableConfig) => {
      await config.store?.put(['notes'], 'latest', { text });
      return String((await config.store?.get(['notes'], 'latest'))?.value.text);
    },
    { name: 'note', description: 'Notes.', schema: z.object({ text: z.string() }) },
  );
  const model = new ScriptedModel((_, call) =>
    call === 0 ? calling({ name: 'note', args: { text: 'Buy salt.' }, id: 'n1' }) : 'Noted.',
  );
  const { messages } = await createAgent({ model, tools: [note], store }).invoke({
    messages: [{ role: 'user', content: 'Note: buy salt.' }],
  });
  expect(messages.at(-2)?.text).toBe('Buy salt.');
  expect(await store.search(['notes'])).toMatchObject([{ key: 'latest', value: { text: 'Buy salt.' } }]);
});

test('memories that are no items, or no longer, are passed over', async () => {
  const memory: AgentMemory = (await service.kit.tenant()).agent();
  const store = new AgentMemoryStore({ memory });
  await store.put(['a'], 'k', { text: 'one' });
  await store.put(['a'], 'other', { text: 'two' });
  const { memories } = await memory.query({ tags: ['langgraph-store'] });
  await memory.update({
    id: memories.find(({ content }) => content.includes('one'))?.id ?? '',
    content: 'changed',
  });
  await memory.remember({ type: 'semantic', content: '["a","forged"]\n{}', tags: memories[0]?.tags ?? [] });
  expect(await store.get(['a'], 'k')).toBeNull();
  expect((await store.search(['a'], { query: 'two' })).map(({ key }) => key)).toEqual(['other']);
  expect(await store.listNamespaces()).toEqual([['a']]);
});
