import { beforeAll, describe, expect, it } from 'vitest';
import type { Api } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let api: Api;
beforeAll(async () => {
  api = await service.signUp();
});

/** A text of its own for each memory: the same said again makes no second one. */
let texts = 0;
const text = () => {
  texts += 1;
  return `x${texts}`;
};
const store = async (body: Record<string, unknown>) =>
  (await api.post<'remember'>('/memories', { type: 'semantic', content: text(), ...body })).body.memory;

describe('Spec: Resources and their fields, Memory — fields', () => {
  it.each(['core', 'working', 'episodic', 'semantic'])('type may be %s', async (type) => {
    const memory = await store({ type, ...(type === 'core' ? { category: 'tools' } : {}) });
    expect(memory.type).toBe(type);
  });

  it.each(['working', 'episodic', 'semantic'])('category is not required when type is %s', async (type) => {
    expect((await store({ type })).category).toBeNull();
  });

  it.each(['soul', 'identity', 'relationship', 'operations', 'tools', 'routine', 'reorient', 'accounts'])(
    'category may be %s',
    async (category) => {
      expect((await store({ type: 'core', category })).category).toBe(category);
    },
  );

  it('a valid category is accepted on other types too', async () => {
    expect((await store({ type: 'episodic', category: 'routine' })).category).toBe('routine');
  });

  it('key gives upsert behavior: the same id, the new content, one more version', async () => {
    const first = await api.post<'remember'>('/memories', { type: 'working', content: 'a', key: 'plan' });
    const second = await api.post<'remember'>('/memories', { type: 'working', content: 'b', key: 'plan' });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.memory).toMatchObject({ id: first.body.memory.id, content: 'b', version: 2 });
    expect(second.body.memory.created_at).toBe(first.body.memory.created_at);
    const { body } = await api.post<'query'>('/memories/query', { key: 'plan' });
    expect(body.memories.map(({ content }) => content)).toEqual(['b']);
  });

  it('without a key another content makes another memory', async () => {
    const [one, two] = [await store({ content: 'once' }), await store({ content: 'twice' })];
    expect(one.id).not.toBe(two.id);
    expect([one.key, two.key]).toEqual([null, null]);
  });

  it.each(['semantic', 'working'])('a %s memory said again is the one that is there', async (type) => {
    const say = (content: string, more = {}) => api.post<'remember'>('/memories', { type, content, ...more });
    const first = await say(`Said ${type} twice.`, { tags: ['one'] });
    const again = await say(`said  ${type} twice`);
    const more = await say(`Said ${type} twice.`, { tags: ['two'], importance: 0.9 });
    expect([first.status, again.status, more.status]).toEqual([201, 200, 200]);
    const { id } = first.body.memory;
    expect(again.body).toMatchObject({ outcome: 'unchanged', memory: { id, confirmations: 1, version: 1 } });
    expect(more.body).toMatchObject({
      outcome: 'merged',
      memory: { id, confirmations: 2, tags: ['one', 'two'], importance: 0.9 },
    });
  });

  it('an episode that happens twice makes two memories', async () => {
    const ok = () => store({ type: 'episodic', content: 'ok' });
    expect((await ok()).id).not.toBe((await ok()).id);
  });

  it('tags are trimmed, de-duplicated, kept in order, and empty by default', async () => {
    expect((await store({ tags: [' tea ', 'pot', 'tea'] })).tags).toEqual(['tea', 'pot']);
    expect((await store({})).tags).toEqual([]);
  });

  it('tags are searchable', async () => {
    const { id } = await store({ tags: ['only-this-one'] });
    const { body } = await api.post<'query'>('/memories/query', { tags: ['only-this-one'] });
    expect(body.memories.map((memory) => memory.id)).toEqual([id]);
  });

  it.each([0, 0.0, 0.25, 1, 1.0])('importance may be %d', async (importance) => {
    expect((await store({ importance })).importance).toBe(importance);
  });

  it('importance -0 is stored as 0', async () => {
    const raw = `{"type":"semantic","content":"${text()}","importance":-0}`;
    const headers = { 'Content-Type': 'application/json' };
    const { body } = await api.post<'remember'>('/memories', undefined, { raw, headers });
    expect(JSON.stringify(body.memory.importance)).toBe('0');
  });

  it.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2026-01-02T03:04:05.678+02:00', '2026-01-02T01:04:05.678Z'],
    ['2026-01-02T03:04:05.6789Z', '2026-01-02T03:04:05.678Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-05-01', '2026-05-01T00:00:00.000Z'],
    ['2026-05-01T10:00:00', '2026-05-01T10:00:00.000Z'],
  ])('occurred_at %s is answered as ISO 8601 in UTC with milliseconds', async (sent, answered) => {
    const { id, occurred_at } = await store({ occurred_at: sent });
    expect(occurred_at).toBe(answered);
    expect((await api.get<'get'>(`/memories/${id}`)).body.memory.occurred_at).toBe(answered);
  });

  it('similarity appears only on semantic search results', async () => {
    const { id } = await store({ content: 'The lighthouse keeper hums.' });
    const read = await api.get<'get'>(`/memories/${id}`);
    const queried = await api.post<'query'>('/memories/query', {});
    const recalled = await api.post<'recall'>('/memories/recall', { query: 'lighthouse keeper' });
    expect(read.body.memory).not.toHaveProperty('similarity');
    for (const memory of queried.body.memories) expect(memory).not.toHaveProperty('similarity');
    expect(recalled.body.results[0]).toMatchObject({ id, similarity: expect.any(Number) });
  });
});

describe('Design 5: limits and text of a memory', () => {
  it.each([
    ['emoji and joiners', '👩‍👩‍👧‍👦 family \u{1F3F4}\u{E0067}\u{E007F}'],
    ['right-to-left and bidi controls', 'שלום \u202Eevil\u202C مرحبا'],
    ['combining marks', 'Z\u0351\u036B\u0343 e\u0301 vs \u00E9'],
    ['white space and line ends', ' \t lead\r\nand trail \n'],
    ['noncharacters and controls', '\uFFFE\uFFFF\u{10FFFF}\u0001\u007F\u0085\u2028'],
    ['markup and SQL', `'; DROP TABLE memories; -- <script>alert(1)</script> \${x} {{y}} %s \\`],
    ['the byte order mark inside', 'a\uFEFFb'],
  ])('content is stored byte for byte: %s', async (_, content) => {
    const { id } = await store({ content });
    expect((await api.get<'get'>(`/memories/${id}`)).body.memory.content).toBe(content);
  });

  it('the largest memory allowed is stored whole', async () => {
    const tags = Array.from({ length: 32 }, (_, index) => `${'t'.repeat(62)}${index + 10}`);
    const memory = await store({ content: 'ü'.repeat(32_768), key: 'k'.repeat(256), tags });
    expect(memory.content).toHaveLength(32_768);
    expect(memory).toMatchObject({ key: 'k'.repeat(256), tags });
  });

  it.each(['__proto__', 'constructor', '../../etc/passwd', 'a%00b', "'; --", 'ключ 🔑'])(
    'the key %s is stored inert',
    async (key) => {
      const memory = await store({ key });
      expect(memory.key).toBe(key);
      const { body } = await api.post<'query'>('/memories/query', { key });
      expect(body.memories.map(({ id }) => id)).toEqual([memory.id]);
    },
  );
});
