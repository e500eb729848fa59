import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

let kit: TestEngine;
beforeAll(async () => {
  kit = await startTestEngine();
});
afterAll(() => kit.close());

it('puts a newer fact before an older one that it leaves in doubt, which names it', async () => {
  const agent = (await kit.tenant()).agent();
  const say = async (content: string, occurred_at: string) =>
    (await agent.remember({ type: 'semantic', content, occurred_at })).memory.id;
  const older = await say('The login page is slow', '2026-01-01');
  const newer = await say('The login page is blue now', '2026-01-02');
  const { results } = await agent.recall({ query: 'How is the login page?', threshold: 0, explain: true });
  expect(results.map(({ id }) => id)).toEqual([newer, older]);
  const [first, second] = results;
  expect(first).not.toHaveProperty('conflicts_with');
  expect(second).toMatchObject({ conflicts_with: [newer] });
  expect(first?.similarity).toBeGreaterThanOrEqual(second?.similarity ?? 1);
  const parts = first?.explanation?.parts.reduce((sum, { value }) => sum + value, 0) ?? 0;
  expect(parts).toBeCloseTo(first?.explanation?.total ?? -1, 5);
});

it('marks nothing where both hold', async () => {
  const agent = (await kit.tenant()).agent();
  await agent.remember({ type: 'semantic', content: 'My brother Tom is 30', occurred_at: '2026-01-01' });
  await agent.remember({ type: 'semantic', content: 'My sister Ann is 27', occurred_at: '2026-01-02' });
  const { results } = await agent.recall({ query: 'How old are my brother and sister?', threshold: 0 });
  expect(results).toHaveLength(2);
  for (const result of results) expect(result).not.toHaveProperty('conflicts_with');
});

it('lets what comes from outside put nothing in doubt that the agent wrote', async () => {
  const tenant = await kit.tenant();
  const agent = tenant.agent();
  await agent.remember({ type: 'semantic', content: 'The login page is slow', occurred_at: '2026-01-01' });
  const outside = tenant.agent({ source: 'webhook', credentialId: null });
  await outside.remember({
    type: 'semantic',
    content: 'The login page is blue now',
    occurred_at: '2026-01-02',
  });
  const { results } = await agent.recall({ query: 'How is the login page?', threshold: 0 });
  expect(results).toHaveLength(2);
  for (const result of results) expect(result).not.toHaveProperty('conflicts_with');
});

it('leaves the older one first where the newer one says little of what is asked', async () => {
  const agent = (await kit.tenant()).agent();
  const say = async (content: string, occurred_at: string) =>
    (await agent.remember({ type: 'semantic', content, occurred_at })).memory.id;
  const older = await say('The login page is painfully slow', '2026-01-01');
  await say('The login page is blue now', '2026-01-02');
  const { results } = await agent.recall({ query: 'what is painfully slow?', threshold: 0 });
  expect(results[0]?.id).toBe(older);
});
