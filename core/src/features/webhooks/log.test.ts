import { sql } from 'drizzle-orm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { must } from '../spaces/spaces.fixture.ts';
import { createSecretBox } from './secret-box.ts';

const kit = useTestEngine();

/** Begins a transaction that writes an event; what it answers commits it. */
async function beginWrite(tenantId: string): Promise<() => Promise<void>> {
  let commit: (() => void) | undefined;
  const writing = kit.engine.database.transaction(tenantId, async (tx) => {
    await tx.execute(sql`INSERT INTO events (tenant_id, id, type, data, created_at)
      VALUES (${tenantId}, gen_random_uuid(), 'memory.stored', '{}', now())`);
    await new Promise<void>((resolve) => {
      commit = resolve;
    });
  });
  await vi.waitFor(() => expect(commit).toBeDefined());
  onTestFinished(() => commit?.());
  return () => {
    commit?.();
    return writing;
  };
}

it('goes on from now, or right after an event, and shows every event once', async () => {
  const { tenantId, agent } = await kit.tenant();
  const { events } = kit.engine;
  const remember = (content: string) => agent().remember({ type: 'working', content });
  await remember('before');
  let position = await events.position(tenantId);
  if (!position) throw new Error('there is always a now');
  expect(await events.after(tenantId, position, 10)).toEqual([]);
  await agent().rememberBatch({
    memories: ['a', 'b', 'c'].map((content) => ({ type: 'working' as const, content })),
  });
  await remember('d');
  const seen: string[] = [];
  for (;;) {
    const page = await events.after(tenantId, position, 2);
    const last = page.at(-1);
    if (!last) break;
    position = last.position;
    seen.push(...page.map(({ event }) => event.id));
  }
  expect(seen).toHaveLength(4);
  expect(new Set(seen).size).toBe(4);
  const resumed = await events.position(tenantId, seen[1]);
  expect(resumed && (await events.after(tenantId, resumed, 10)).map(({ event }) => event.id)).toEqual(
    seen.slice(2),
  );
});

it('waits for what concurrent transactions began earlier, so that nothing appears behind a reader', async () => {
  const { tenantId, agent } = await kit.tenant();
  const { events, database } = kit.engine;
  // Only a server has transactions side by side.
  if (database.kind === 'pglite') return;
  const start = await events.position(tenantId);
  if (!start) throw new Error('there is always a now');
  const commit = await beginWrite(tenantId);
  await agent().remember({ type: 'working', content: 'x' });
  expect(await events.after(tenantId, start, 10)).toEqual([]);
  await commit();
  expect(await events.after(tenantId, start, 10)).toHaveLength(2);
});

it('shows what ended before concurrent transactions, and resumes from it, while several of them run', async () => {
  const { tenantId, agent } = await kit.tenant();
  const { events, database } = kit.engine;
  if (database.kind === 'pglite') return;
  const start = await events.position(tenantId);
  if (!start) throw new Error('there is always a now');
  await agent().remember({ type: 'working', content: 'x' });
  const commits = [await beginWrite(tenantId), await beginWrite(tenantId)];
  const [seen] = await events.after(tenantId, start, 10);
  expect(seen?.event.type).toBe('memory.stored');
  expect(await events.position(tenantId, seen?.event.id)).toEqual(seen?.position);
  const now = await events.position(tenantId);
  expect(now && (await events.after(tenantId, now, 10))).toEqual([]);
  for (const commit of commits) await commit();
  expect(now && (await events.after(tenantId, now, 10))).toHaveLength(2);
});

it("never shows another tenant's events, nor resumes from one of them", async () => {
  const mine = await kit.tenant();
  const other = await kit.tenant();
  const { events } = kit.engine;
  const start = await events.position(mine.tenantId);
  const theirs = await events.position(other.tenantId);
  await other.agent().remember({ type: 'working', content: 'x' });
  if (!start || !theirs) throw new Error('there is always a now');
  expect(await events.after(mine.tenantId, start, 10)).toEqual([]);
  const [foreign] = await events.after(other.tenantId, theirs, 10);
  expect(foreign).toBeDefined();
  expect(await events.position(mine.tenantId, foreign?.event.id)).toBeUndefined();
});

it('marks what is about a memory the agent hides from its human', async () => {
  const { tenantId, agent } = await kit.tenant();
  const { events } = kit.engine;
  const { session_key } = await agent().sessionKey();
  const start = await events.position(tenantId);
  await agent().remember({ type: 'working', content: 'x' });
  await agent().remember({ type: 'episodic', content: 'y' });
  await agent().setVisibility({ types: { working: 'hidden' } }, { sessionKey: session_key });
  if (!start) throw new Error('there is always a now');
  const seen = await events.after(tenantId, start, 10);
  expect(seen.map(({ event, forHuman }) => [event.type, forHuman])).toEqual([
    ['memory.stored', undefined],
    ['memory.stored', seen[1]?.event],
    ['visibility.changed', seen[2]?.event],
  ]);
});

it.each(['hidden', 'redacted'] as const)(
  'tells the human of no memory that a %s one took the place of',
  async (level) => {
    const { tenantId, agent } = await kit.tenant();
    const { events } = kit.engine;
    const { session_key } = await agent().sessionKey();
    await agent().setVisibility({ tags: { private: level } }, { sessionKey: session_key });
    const fact = { type: 'semantic', occurred_at: '2026-01-10' } as const;
    const moved = { type: 'semantic', occurred_at: '2026-02-10' } as const;
    await agent().remember({ ...fact, content: 'Anna lives in Leipzig.' });
    await agent().remember({ ...fact, content: 'Bert lives in Leipzig.' });
    const start = await events.position(tenantId);
    if (!start) throw new Error('there is always a now');
    const secret = { ...moved, content: 'Anna moved to Berlin.', tags: ['private'] };
    const { memory } = await agent().remember(secret);
    await agent().remember({ ...moved, content: 'Bert moved to Berlin.' });
    const seen = await events.after(tenantId, start, 10);
    const told = seen.filter(({ event }) => event.type === 'memory.superseded');
    expect(told.map(({ forHuman }) => forHuman !== undefined)).toEqual([false, true]);
    expect(told[0]?.event.data).toMatchObject({ superseded_by: memory.id });
  },
);

describe('a reader that was away for long', () => {
  const DAY = 24 * 3_600_000;
  const webhooks = { secrets: createSecretBox('secret of the test'), allowPrivate: true };
  const dated = useTestEngine({ webhooks });
  const pass = (days: number) => dated.clock.advance(days * DAY);
  const forgetOld = () => dated.engine.background.run('events.forget-old');

  it('goes on from where it began while all later events are kept, and not any more when they are forgotten', async () => {
    const { tenantId, agent } = await dated.tenant();
    const { events } = dated.engine;
    const start = must(await events.position(tenantId));
    const text = must(events.toText(tenantId, start));
    pass(0.5);
    await agent().remember({ type: 'working', content: 'x' });
    pass(5);
    await forgetOld();
    expect(await events.position(tenantId, text)).toEqual(start);
    expect(await events.after(tenantId, start, 10)).toHaveLength(1);
    pass(3);
    await forgetOld();
    expect(await events.after(tenantId, start, 10)).toEqual([]);
    expect(await events.position(tenantId, text)).toBeUndefined();
  });

  it('does not go on from an event that only its delivery keeps, when those after it are forgotten', async () => {
    const { tenantId, agent } = await dated.tenant();
    const { events } = dated.engine;
    const start = must(await events.position(tenantId));
    const human = agent({ source: 'human', credentialId: null });
    await human.createEventEndpoint({ url: 'http://127.0.0.1:9999', events: ['memory.stored'] });
    const { memory } = await agent().remember({ type: 'working', content: 'x' });
    await agent().forget({ id: memory.id });
    const [delivered, after] = await events.after(tenantId, start, 10);
    expect([delivered?.event.type, after?.event.type]).toEqual(['memory.stored', 'memory.archived']);
    expect(await events.position(tenantId, delivered?.event.id)).toEqual(delivered?.position);
    pass(8);
    await forgetOld();
    expect((await events.after(tenantId, start, 10)).map(({ event }) => event.type)).toEqual([
      'memory.stored',
    ]);
    expect(await events.position(tenantId, delivered?.event.id)).toBeUndefined();
  });
});
