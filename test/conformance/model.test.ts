import { cases } from '@svc-memory/core/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Api, errorOf } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const SEED = 20_260_302;
const RUNS = cases(6, 60);
const KEYS = ['red', 'green', 'blue'];
const TAGS = ['tea', 'pot', 'cup'];
// Words that stem to themselves, so that each stands for one memory in recall.
const WORDS = [
  'zebra',
  'quartz',
  'walrus',
  'mango',
  'tundra',
  'saffron',
  'bamboo',
  'falcon',
  'ginger',
  'marble',
];

type MemoryType = 'core' | 'working' | 'episodic' | 'semantic';

/** What the model knows of one memory. */
interface Known {
  type: MemoryType;
  category: string | null;
  content: string;
  key: string | null;
  tags: string[];
  version: number;
  archived: boolean;
}

type Step =
  | { do: 'store'; type: MemoryType; word: string; key: string | null; tags?: string[] | undefined }
  | { do: 'batch'; words: string[] }
  | { do: 'patch'; at: number; word?: string; key?: string | null; tags?: string[] }
  | { do: 'forget' | 'restore' | 'read'; at: number }
  | { do: 'query'; type: MemoryType | undefined; tag: string | undefined }
  | { do: 'recall'; word: string };

const at = fc.nat({ max: 20 });
const key = fc.option(fc.constantFrom(...KEYS), { nil: null });
const word = fc.constantFrom(...WORDS);
const tags = fc.uniqueArray(fc.constantFrom(...TAGS), { maxLength: 2 });
const optionalTags = fc.option(tags, { nil: undefined });
const type = fc.constantFrom<MemoryType>('core', 'working', 'episodic', 'semantic');
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('store' as const), type, word, key, tags: optionalTags }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('batch' as const),
      words: fc.array(word, { minLength: 1, maxLength: 4 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ do: fc.constant('patch' as const), at, word, key, tags }, { requiredKeys: ['do', 'at'] })
      .filter((patch) => Object.keys(patch).length > 2) as fc.Arbitrary<Step>,
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('forget' as const, 'restore' as const, 'read' as const), at }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('query' as const),
      type: fc.option(type, { nil: undefined }),
      tag: fc.option(fc.constantFrom(...TAGS), { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('recall' as const), word }) },
);

/** Does steps on the service and on a map, and compares every answer. */
class Comparison {
  readonly #api: Api;
  readonly #known = new Map<string, Known>();

  constructor(api: Api) {
    this.#api = api;
  }

  async take(asked: Step): Promise<void> {
    switch (asked.do) {
      case 'store':
        return this.#store(asked);
      case 'batch':
        return this.#batch(asked.words);
      case 'patch':
        return this.#patch(asked);
      case 'query':
        return this.#query(asked);
      case 'recall':
        return this.#recall(asked.word);
      default:
        return this.#byId(asked);
    }
  }

  /** Compares everything at the end. */
  async finish(): Promise<void> {
    const active = this.#active();
    const { memories } = (await this.#api.get<'export'>('/export')).body.export;
    const exported = Object.values(memories).flat();
    expect(exported.map(({ id }) => id).sort()).toEqual(active.map(([id]) => id).sort());
    for (const memory of exported) expect(memory).toMatchObject(shown(this.#known.get(memory.id)));
    const { counts } = (await this.#api.get<'status'>('/status')).body;
    for (const [name, count] of Object.entries(counts)) {
      expect(count).toBe(active.filter(([, known]) => known.type === name).length);
    }
    for (const [id, { version }] of this.#known) {
      const { versions } = (await this.#api.get<'history'>(`/memories/${id}/history`)).body;
      expect(versions.map((entry) => entry.version)).toEqual(
        Array.from({ length: version }, (_, index) => version - index),
      );
    }
  }

  async #store({ type, word, key, tags }: Extract<Step, { do: 'store' }>): Promise<void> {
    const content = sentence(word);
    const category = type === 'core' ? 'tools' : null;
    const answer = await this.#api.post<'remember'>('/memories', {
      type,
      content,
      ...(tags === undefined ? {} : { tags }),
      ...(key === null ? {} : { key }),
      ...(category === null ? {} : { category }),
    });
    const known = this.#active().find(([, memory]) => key !== null && memory.key === key);
    expect(answer.status).toBe(known ? 200 : 201);
    if (known) expect(answer.body.memory.id).toBe(known[0]);
    const before = known?.[1] ?? { category: null, tags: [], version: 0 };
    const next = {
      ...{ type, category: category ?? before.category, content, key, tags: tags ?? before.tags },
      ...{ version: before.version, archived: false },
    };
    const changed = JSON.stringify(next) !== JSON.stringify(before);
    expect(answer.body.outcome).toBe(known ? (changed ? 'updated' : 'unchanged') : 'created');
    this.#known.set(answer.body.memory.id, { ...next, version: before.version + (changed ? 1 : 0) });
    expect(answer.body.memory).toMatchObject(shown(this.#known.get(answer.body.memory.id)));
  }

  async #batch(words: string[]): Promise<void> {
    const memories = words.map((word) => ({ type: 'episodic' as const, content: sentence(word) }));
    const { status, body } = await this.#api.post<'rememberBatch'>('/memories/batch', { memories });
    expect([status, body.memories.map(({ content }) => content)]).toEqual([
      201,
      memories.map(({ content }) => content),
    ]);
    for (const { id, content, type } of body.memories) {
      this.#known.set(id, {
        type,
        category: null,
        content,
        key: null,
        tags: [],
        version: 1,
        archived: false,
      });
    }
  }

  async #patch({ at, word, key, tags }: Extract<Step, { do: 'patch' }>): Promise<void> {
    const [id, known] = this.#pick(at);
    if (!known) return;
    const changes = {
      ...(word === undefined ? {} : { content: sentence(word) }),
      ...(key === undefined ? {} : { key }),
      ...(tags === undefined ? {} : { tags }),
    };
    const answer = await this.#api.patch(`/memories/${id}`, changes);
    if (known.archived) {
      expect(errorOf(answer).code).toBe('NOT_FOUND');
      return;
    }
    const next = { ...known, ...changes };
    const changed = JSON.stringify(next) !== JSON.stringify(known);
    if (changed && this.#taken(next.key, id)) {
      expect(errorOf(answer).code).toBe('CONFLICT');
      return;
    }
    expect(answer.body.outcome).toBe(changed ? 'updated' : 'unchanged');
    if (changed) this.#known.set(id, { ...next, version: known.version + 1 });
    expect(answer.body.memory).toMatchObject(shown(this.#known.get(id)));
  }

  async #byId({ do: what, at }: { do: 'forget' | 'restore' | 'read'; at: number }): Promise<void> {
    const [id, known] = this.#pick(at);
    if (!known) return;
    const answer = await {
      forget: () => this.#api.delete(`/memories/${id}`),
      restore: () => this.#api.post(`/memories/${id}/restore`),
      read: () => this.#api.get(`/memories/${id}`),
    }[what]();
    const refusal = {
      forget: known.archived ? 'NOT_FOUND' : undefined,
      read: known.archived ? 'NOT_FOUND' : undefined,
      restore: !known.archived || this.#taken(known.key, id) ? 'CONFLICT' : undefined,
    }[what];
    if (refusal) {
      expect(errorOf(answer).code).toBe(refusal);
      return;
    }
    expect(answer.status).toBe(200);
    if (what === 'read') expect(answer.body).toMatchObject({ memory: shown(known) });
    else this.#known.set(id, { ...known, archived: what === 'forget', version: known.version + 1 });
  }

  async #query({ type, tag }: Extract<Step, { do: 'query' }>): Promise<void> {
    const filters = { ...(type ? { type } : {}), ...(tag ? { tags: [tag] } : {}) };
    const { memories } = (await this.#api.post<'query'>('/memories/query', { ...filters, limit: 100 })).body;
    const expected = this.#active().filter(
      ([, known]) => (!type || known.type === type) && (!tag || known.tags.includes(tag)),
    );
    expect(memories.map(({ id }) => id).sort()).toEqual(expected.map(([id]) => id).sort());
  }

  async #recall(word: string): Promise<void> {
    const body = { query: sentence(word), threshold: 0, limit: 100 };
    const { results } = (await this.#api.post<'recall'>('/memories/recall', body)).body;
    const active = new Map(this.#active());
    const found = new Set(results.map(({ id }) => id));
    expect(found.size).toBe(results.length);
    for (const { id, content } of results) expect(content).toBe(active.get(id)?.content);
    // Of memories that say the same one is answered for each type.
    const types = (known: Iterable<{ type: string; content: string }>) =>
      [...known].filter(({ content }) => content === sentence(word)).map(({ type }) => type);
    expect(types(results).sort()).toEqual([...new Set(types(active.values()))].sort());
  }

  #active(): [string, Known][] {
    return [...this.#known].filter(([, { archived }]) => !archived);
  }

  #taken(key: string | null, id: string): boolean {
    return key !== null && this.#active().some(([other, known]) => other !== id && known.key === key);
  }

  #pick(at: number): [string, Known | undefined] {
    const ids = [...this.#known.keys()];
    const id = ids[at % Math.max(1, ids.length)] ?? '';
    return [id, this.#known.get(id)];
  }
}

const sentence = (word: string) => `The ${word} is here.`;

function shown(known: Known | undefined): Omit<Known, 'archived'> {
  if (!known) throw new TypeError('the model does not know this memory');
  const { archived: _, ...fields } = known;
  return fields;
}

const service = useService();

describe('Any sequence of operations answers as a plain map would', () => {
  it('store, upsert, batch, patch, forget, restore, read, query, recall, export, history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
        const comparison = new Comparison(await service.signUp());
        for (const asked of steps) await comparison.take(asked);
        await comparison.finish();
      }),
      { seed: SEED, numRuns: RUNS },
    );
  }, 300_000);
});
