import { beforeAll, describe, expect, it } from 'vitest';
import { type Api, expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

const service = useService();
let api: Api;

beforeAll(async () => {
  api = await service.signUp();
  await api.post('/memories/batch', {
    memories: [
      { type: 'semantic', content: 'We buy tea from Priya.', tags: ['shop'], importance: 0.9 },
      { type: 'semantic', content: 'The phone of Priya is blue.', tags: ['shop', 'phone'] },
      { type: 'episodic', content: 'It rained.', occurred_at: '2020-05-01' },
    ],
  });
});

describe('GET /memories/facets, /memories/learnt and /memories/growth', () => {
  it('count what there is', async () => {
    const { body: facets } = await api.get<'memoryFacets'>('/memories/facets?type=semantic');
    expect(facets.tags[0]).toEqual({ value: 'shop', memories: 2 });
    expect(facets.names).toEqual([{ value: 'Priya', memories: 2 }]);
    const { body: learnt } = await api.get<'learnt'>('/memories/learnt?since=2020-01-01&limit=1');
    expect(learnt.counts.facts).toBe(2);
    expect(learnt.facts).toHaveLength(1);
    const { body: growth } = await api.get<'memoryGrowth'>('/memories/growth?days=1');
    expect(growth.days).toMatchObject([{ semantic: 2, episodic: 1 }]);
    const { body: sorted } = await api.get<'query'>('/memories/query?sort=importance&limit=1');
    expect(sorted.memories[0]?.content).toBe('We buy tea from Priya.');
  });

  it('refuse what they do not understand', async () => {
    for (const [path, field] of [
      ['/memories/facets?limit=0', 'limit'],
      ['/memories/facets?type=soul', 'type'],
      ['/memories/learnt', 'since'],
      ['/memories/learnt?since=yesterday', 'since'],
      ['/memories/learnt?since=2026-02-01&until=2026-01-01', 'since'],
      ['/memories/growth?days=91', 'days'],
      ['/memories/query?sort=content', 'sort'],
      ['/memories/query?source=nobody', 'source'],
    ] as const) {
      await expectRefused(api, () => api.get(path), 'VALIDATION_ERROR', field);
    }
  });
});
