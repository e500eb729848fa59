import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { isLong } from '../../testing/index.ts';
import { analyzeDocument } from '../../text/analyze-document.ts';
import { mayShareWords, outlineOf, sharedWords, sketchOf } from '../search-index/sketch.ts';
import { copiesOf, MORE_VARIANTS, OTHERS, ROTATION, VARIANTS, type Variant } from './flood.fixture.ts';
import { watched } from './in-memory-index/index-cache.fixture.ts';

describe('threat 5: memory flooding', () => {
  const kit = useTestEngine();

  it('copies cannot crowd a memory out of recall', async () => {
    const { agent: actingAs } = await kit.tenant();
    const agent = actingAs();
    await agent.remember({ type: 'semantic', content: 'The release manager of Orchard is Maya.' });
    const copies = Array.from({ length: 60 }, (_, n) => ({
      type: 'semantic' as const,
      content: `The release manager${' '.repeat((n % 3) + 1)}of ORCHARD is Mallory.`,
    }));
    await actingAs({ source: 'import', credentialId: null }).rememberBatch({ memories: copies });
    const { results } = await agent.recall({ query: 'who is the release manager of Orchard?', limit: 5 });
    expect(results.map(({ content }) => content.toLowerCase().replace(/\s+/g, ' '))).toEqual(
      expect.arrayContaining([
        'the release manager of orchard is maya.',
        'the release manager of orchard is mallory.',
      ]),
    );
    expect(results).toHaveLength(2);
  });

  it('what only looks alike stays', async () => {
    const agent = (await kit.tenant()).agent();
    const contents = ['Port 8080 is taken.', 'Port 8081 is taken.', '部署在星期五', '部署在星期四'];
    await agent.rememberBatch({ memories: contents.map((content) => ({ type: 'semantic', content })) });
    await agent.remember({ type: 'working', content: 'Port 8080 is taken.' });
    const query = 'which port is taken 部署在';
    const { results } = await agent.recall({ query, threshold: 0, include_superseded: true });
    expect(results.map(({ content }) => content).sort()).toEqual([...contents, 'Port 8080 is taken.'].sort());
  });

  /** A tenant that knows a truth among other things, and then a flood of copies that are newer and more important. */
  const flooded = async (variant: Variant, count: number) => {
    const { tenantId, agent } = await kit.tenant();
    const known = [...OTHERS, variant.story.truth].map((content) => ({
      type: 'semantic' as const,
      content,
      occurred_at: '2026-01-01T00:00:00Z',
    }));
    await agent().rememberBatch({ memories: known });
    const copies = copiesOf(variant, count).map((content) => ({
      type: 'semantic' as const,
      content,
      importance: 1,
    }));
    for (let done = 0; done < count; done += 500) {
      await agent().rememberBatch({ memories: copies.slice(done, done + 500) });
    }
    return { tenantId, agent: agent() };
  };

  // The short form looks at every other one.
  it.each(isLong() ? [...VARIANTS, ...MORE_VARIANTS] : VARIANTS.filter((_, index) => index % 2 === 0))(
    'near-copies leave a place for the truth in recall and boot: $name',
    async (variant) => {
      const { truth, questions } = variant.story;
      const { tenantId, agent } = await flooded(variant, 150);
      const holding = watched(kit, 8 * 1024 ** 2);
      await holding.untilHeld(tenantId);
      for (const query of questions) {
        for (const engine of [agent, holding.engine.agent(tenantId)]) {
          const { results } = await engine.recall({ query });
          const contents = results.map(({ content }) => content);
          expect(contents, query).toContain(truth);
        }
      }
      expect((await agent.boot({})).injection).toContain(truth);
    },
    60_000,
  );

  // Not those of which each is of a time of its own and says another thing than the one before.
  it.each(VARIANTS.filter(({ story }) => story === ROTATION))(
    'near-copies that come one by one leave the truth in force: $name',
    async (variant) => {
      const agent = (await kit.tenant()).agent();
      const { truth } = variant.story;
      await agent.remember({ type: 'semantic', content: truth, occurred_at: '2026-01-01T00:00:00Z' });
      for (const content of copiesOf(variant, 12)) {
        kit.clock.advance(1_000);
        await agent.remember({ type: 'semantic', content });
      }
      const { memories } = await agent.query({ type: 'semantic', limit: 100 });
      expect(memories.map(({ content }) => content)).toContain(truth);
    },
  );

  it.each([
    ['a port', [8080, 8081, 8082, 8083, 8084, 8085].map((n) => `The billing service listens on port ${n}.`)],
    ['a status', ['red', 'green', 'failing', 'passing', 'red', 'blue'].map((n) => `The build is ${n}.`)],
    ['a place', ['Graz', 'Rome', 'Paris', 'Oslo', 'Bergen', 'Turin'].map((n) => `Maya lives in ${n}.`)],
    ['an owner', ['Ann', 'Bob', 'Cy', 'Dee', 'Eve', 'Flo'].map((n) => `The owner of the release is ${n}.`)],
  ])('what changes often is no flood, one by one or in a batch with its times: %s', async (_, contents) => {
    const told = contents.map((content, n) => ({ type: 'semantic' as const, content, minute: n }));
    for (const inBatch of [false, true]) {
      const agent = (await kit.tenant()).agent();
      const memories = told.map(({ minute, ...one }) => {
        return inBatch ? { ...one, occurred_at: `2026-01-01T00:0${minute}:00Z` } : one;
      });
      for (const some of inBatch ? [memories] : memories.map((one) => [one])) {
        kit.clock.advance(1_000);
        await agent.rememberBatch({ memories: some });
      }
      const left = (await agent.query({ type: 'semantic' })).memories;
      expect(left.map(({ content }) => content)).toEqual(contents.slice(-1));
    }
  });

  it('a list in one batch is no flood that ends what is in it', async () => {
    const agent = (await kit.tenant()).agent();
    const memories = ['Ann', 'Bob', 'Cy', 'Dee', 'Eve', 'Flo', 'Gus', 'Hana'].map((name) => {
      return { type: 'semantic' as const, content: `The owner of the release is ${name}.` };
    });
    await agent.rememberBatch({ memories });
    expect((await agent.query({ type: 'semantic' })).memories).toHaveLength(memories.length);
  });

  it('a memory that is stored after the flood is found too', async () => {
    const [numbered] = VARIANTS;
    if (!numbered) throw new TypeError('there are variants');
    const { agent } = await flooded(numbered, 150);
    const content = 'Since June the release password is rotated by Olga from the security desk.';
    await agent.remember({ type: 'semantic', content });
    const { results } = await agent.recall({ query: 'who rotates the release password since June?' });
    expect(results[0]?.content).toBe(content);
  });

  // More than any recall has candidates.
  const MANY = isLong() ? 3_000 : 250;

  it(`${MANY} copies are no more than some hundreds`, async () => {
    const [numbered] = VARIANTS;
    if (!numbered) throw new TypeError('there are variants');
    const { tenantId, agent } = await flooded(numbered, MANY);
    const holding = watched(kit, 64 * 1024 ** 2);
    await holding.untilHeld(tenantId);
    for (const query of ROTATION.questions) {
      for (const engine of [agent, holding.engine.agent(tenantId)]) {
        const { results } = await engine.recall({ query });
        expect(results.map(({ content }) => content)).toContain(ROTATION.truth);
      }
    }
    expect((await agent.boot({})).injection).toContain(ROTATION.truth);
  }, 180_000);

  it('an identifier tells near-copies apart, however long its memory is', async () => {
    const { tenantId, agent } = await kit.tenant();
    const contents = Array.from({ length: 90 }, (_, n) => {
      const lines = 'The harbour master wrote this line down. '.repeat(1 + (n % 30));
      return `markr0b${n % 3}in${n} ${lines}end`;
    });
    await agent().rememberBatch({
      memories: contents.map((content) => ({ type: 'episodic' as const, content })),
    });
    const holding = watched(kit, 8 * 1024 ** 2);
    await holding.untilHeld(tenantId);
    for (const content of contents) {
      const query = content.split(' ', 1)[0] ?? '';
      for (const engine of [agent(), holding.engine.agent(tenantId)]) {
        const { results } = await engine.recall({ query });
        expect(results[0]?.content, query).toBe(content);
      }
    }
  }, 60_000);

  it('facts that differ by a number or a name are all found, the one that is asked for first', async () => {
    const agent = (await kit.tenant()).agent();
    const names = ['Alice', 'Bob', 'Chen', 'Dara', 'Eve', 'Farid', 'Gus', 'Hana'];
    const facts = names.flatMap((name, n) => [
      `${name}'s birthday is on ${n + 3} May.`,
      `The port of server ${n} is ${8080 + n}.`,
    ]);
    await agent.rememberBatch({ memories: facts.map((content) => ({ type: 'semantic', content })) });
    for (const n of names.keys()) {
      const birthday = await agent.recall({ query: `when is ${names[n]}'s birthday?` });
      expect(birthday.results[0]?.content).toBe(facts[2 * n]);
      const port = await agent.recall({ query: `which server has port ${8080 + n}?` });
      expect(port.results[0]?.content).toBe(facts[2 * n + 1]);
    }
    const { results } = await agent.recall({ query: 'birthday' });
    expect(results.filter(({ content }) => content.includes('birthday'))).toHaveLength(names.length);
  });

  it('one source leaves places for the others, and alone takes all', async () => {
    const { agent } = await kit.tenant();
    const colours = ['red', 'blue', 'green', 'white', 'black', 'brown', 'pink', 'grey', 'golden', 'violet'];
    const things = [
      'shelf',
      'garage',
      'cellar',
      'drawer',
      'basket',
      'attic',
      'suitcase',
      'kitchen',
      'office',
      'shed',
    ];
    const say = (place: number) =>
      `The lantern, ${colours[place]} as ever, hides behind ${things[place]} wood.`;
    const flood = agent({ source: 'webhook', credentialId: null, readOnly: false });
    await flood.rememberBatch({
      memories: colours.map((_, place) => ({ type: 'semantic', content: say(place), importance: 1 })),
    });
    const ask = async () =>
      (await agent().recall({ query: 'where is the lantern?', threshold: 0.1 })).results;
    expect(await ask()).toHaveLength(10);
    const own = [
      'Maya put the lantern into the boat yesterday evening.',
      'Tomas repaired our lantern twice.',
    ];
    await agent().rememberBatch({
      memories: own.map((content) => ({ type: 'semantic', content, importance: 0 })),
    });
    expect((await ask()).map(({ content }) => content)).toEqual(expect.arrayContaining(own));
  });
});

describe('a sketch', () => {
  const sketch = (text: string) => sketchOf(analyzeDocument(text));
  // Without vowels none is a word of a language: one that tells the language of the others would change the stems of all.
  const letters = 'bcdfghjklmnpqrstvwxz'.split('');
  const word = fc
    .array(fc.constantFrom(...letters), { minLength: 4, maxLength: 9 })
    .map((all) => all.join(''));
  // Enough that some may have a stem in common.
  const text = fc.uniqueArray(word, { minLength: 8, maxLength: 60 });

  it('is the same whatever the numbers, the order, the case, the punctuation and the repetitions', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.constantFrom('. ', ', ', ' - ', '\n', '!  '), (words, n, glue) => {
        const copy = `${[...words].reverse().join(glue).toUpperCase()} (${n}) ${words[0]}`;
        expect(sketch(copy)).toEqual(sketch(words.join(' ')));
      }),
    );
  });

  it('resembles that of a text with one word replaced, and no other', () => {
    fc.assert(
      fc.property(text, text, (words, others) => {
        const [first = '', ...rest] = words;
        const replaced = sketch([`${first}zz`, ...rest].join(' '));
        expect(sharedWords(sketch(words.join(' ')), replaced)).toBeGreaterThan(0.58);
        const different = others.filter((other) => !words.includes(other));
        fc.pre(different.length > 4);
        expect(sharedWords(sketch(words.join(' ')), sketch(different.join(' ')))).toBe(0);
      }),
    );
  });

  it('is told apart by its outline only from those that it does not resemble', () => {
    const count = { min: 0, max: 6 };
    fc.assert(
      fc.property(text, text, fc.integer(count), (words, others, changed) => {
        const [a, b] = [words, [...words.slice(changed), ...others.slice(0, changed)]].map((all) =>
          sketch(all.join(' ')),
        );
        fc.pre(a !== undefined && b !== undefined && sharedWords(a, b) > 0);
        expect(mayShareWords(outlineOf(a), outlineOf(b))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
