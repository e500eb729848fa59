import { createHash, randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AgentMemory } from '../../app/contract.ts';
import { createEngine, type Engine } from '../../app/engine.ts';
import { systemContext } from '../../kernel/commit/system-context.ts';
import type { Actor } from '../../kernel/context/call.ts';
import type { Event } from '../../kernel/context/hooks.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Database } from '../../kernel/database/database.ts';
import { LEASE_MS } from '../../kernel/queue/claim.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { servicesOf } from '../guardian/background.fixture.ts';
import { prepareMemories, storePrepared } from '../memory/store.ts';
import { account, must, type Somebody } from '../spaces/spaces.fixture.ts';
import { defineJobHandler } from './job-handler.ts';
import type { NewJob } from './start.ts';
import { startJob } from './start.ts';

const DAY_MS = 86_400_000;

/** What the test does to a step before it is written. */
type Meddle = (item: number, signal: AbortSignal) => unknown;
let meddle: Meddle = () => {};
let inSteps = 0;
let mostInSteps = 0;

/** Writes one memory a step. */
const counting = defineJobHandler({
  kind: 'import',
  source: 'import',
  input: z.object({ items: z.int(), bad: z.array(z.int()).default([]) }),
  checkpoint: z.object({ next: z.int() }),
  step: async (context, job, signal) => {
    const item = job.checkpoint?.next ?? 0;
    inSteps += 1;
    mostInSteps = Math.max(mostInSteps, inSteps);
    try {
      await meddle(item, signal);
    } finally {
      inSteps -= 1;
    }
    const bad = job.input.bad.includes(item);
    const drafts = bad
      ? []
      : [{ type: 'working' as const, content: `item ${item}`, tags: [], importance: 0.5 }];
    const prepared = await prepareMemories(context, drafts);
    return async (tx) => ({
      checkpoint: { next: item + 1 },
      done: item + 1,
      total: job.input.items,
      stored: await storePrepared(tx, context, prepared),
      errors: bad ? [{ item: `${item}`, code: 'VALIDATION_ERROR', message: 'is bad' }] : [],
      result: { last: item },
      finished: item + 1 >= job.input.items,
    });
  },
});

const kit = useTestEngine({ jobHandlers: [counting] });
let other: Engine;
const heard: Event[] = [];
beforeAll(async () => {
  const { clock } = kit;
  other = createEngine({ database: kit.engine.database, clock, jobHandlers: [counting] });
  const event = (happened: Event) => {
    if (happened.type === 'job.finished') heard.push(happened);
  };
  for (const engine of [kit.engine, other]) engine.use({ name: 'listener', hooks: { event } });
});
beforeEach(() => {
  meddle = () => {};
  inSteps = 0;
  heard.length = 0;
});

async function start(tenantId: string, input: object, options: Partial<NewJob> & { actor?: Actor } = {}) {
  const { actor, ...named } = options;
  const context = await systemContext(servicesOf(kit), tenantId, actor);
  return context.write((tx) => startJob(tx, context, { kind: 'import', input, ...named }));
}

const work = (engine = kit.engine) => engine.background.run('jobs.work');
const contentsOf = async (engine: Engine, tenantId: string) => {
  const { memories } = await engine.agent(tenantId).query({ limit: 100 });
  return memories.map(({ content }) => content).sort();
};
const items = (count: number) => Array.from({ length: count }, (_, index) => `item ${index}`).sort();

/** Runs a job in an engine that never comes back from one of its steps, as a killed process does not. */
async function dieIn(item: number): Promise<void> {
  const { database } = kit.engine;
  const dying = createEngine({ database, clock: kit.clock, jobHandlers: [counting] });
  await new Promise<void>((resolve) => {
    meddle = (now) => (now === item ? new Promise(() => resolve()) : undefined);
    // Never ends; nobody waits for it.
    void dying.background.run('jobs.work');
  });
  meddle = () => {};
}

describe('a job', () => {
  it('is done by the background work, with its progress, result, errors and event', async () => {
    const { tenantId, agent } = await kit.tenant();
    const queued = await start(tenantId, { items: 5, bad: [1, 3] });
    expect(queued).toMatchObject({ status: 'queued', progress: { done: 0, total: null }, started_at: null });
    expect(await work()).toBe(5);
    const { job } = await agent().job({ id: queued.id });
    expect(job).toMatchObject({
      kind: 'import',
      status: 'done',
      progress: { done: 5, total: 5 },
      result: { last: 4 },
      errors: [{ item: '1', code: 'VALIDATION_ERROR', message: 'is bad' }, { item: '3' }],
      errors_count: 2,
    });
    expect(job.finished_at).not.toBeNull();
    expect(await contentsOf(kit.engine, tenantId)).toEqual(['item 0', 'item 2', 'item 4']);
    expect(heard).toMatchObject([{ tenantId, data: { job_id: job.id, kind: 'import', status: 'done' } }]);
  });

  it('tells how far it is, once a second at most', async () => {
    const { tenantId } = await kit.tenant();
    const told: Event[] = [];
    kit.engine.use({
      name: 'progress',
      hooks: {
        event: (happened) => {
          if (happened.type === 'job.progress') told.push(happened);
        },
      },
    });
    const { id } = await start(tenantId, { items: 9 });
    meddle = () => kit.clock.advance(400);
    await work();
    expect(told).toMatchObject([
      { tenantId, data: { job_id: id, kind: 'import', done: 4, total: 9 } },
      { tenantId, data: { job_id: id, kind: 'import', done: 7, total: 9 } },
    ]);
  });

  it('keeps the first 100 errors and counts all', async () => {
    const { tenantId, agent } = await kit.tenant();
    const bad = Array.from({ length: 130 }, (_, index) => index);
    const { id } = await start(tenantId, { items: 130, bad });
    await work();
    const { job } = await agent().job({ id });
    expect([job.errors.length, job.errors_count, job.errors.at(-1)?.item]).toEqual([100, 130, '99']);
  });

  it('is listed newest first, page by page, by kind and status', async () => {
    const { tenantId, agent } = await kit.tenant();
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      ids.unshift((await start(tenantId, { items: 1 })).id);
      kit.clock.advance(1);
    }
    const first = await agent().jobs({ limit: 3 });
    const second = await agent().jobs({ limit: 3, cursor: first.next_cursor ?? '' });
    expect([...first.jobs, ...second.jobs].map(({ id }) => id)).toEqual(ids);
    expect(second.next_cursor).toBeNull();
    expect((await agent().jobs({ kind: 'import' })).jobs).toHaveLength(5);
    await expect(agent().jobs({ kind: 'nothing' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'kind: must be one of import',
    });
    expect((await agent().jobs({ status: 'queued' })).jobs).toHaveLength(5);
    await work();
    expect((await agent().jobs({ status: 'queued' })).jobs).toHaveLength(0);
  });

  it('is seen and cancelled by its own tenant only', async () => {
    const [mine, theirs] = [await kit.tenant(), await kit.tenant()];
    const { id } = await start(mine.tenantId, { items: 1 });
    await expect(theirs.agent().job({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(theirs.agent().cancelJob({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await theirs.agent().jobs()).jobs).toEqual([]);
    await work();
    expect(await contentsOf(kit.engine, theirs.tenantId)).toEqual([]);
    expect((await mine.agent().job({ id })).job.status).toBe('done');
  });

  it('with a name is there once while it is not finished', async () => {
    const { tenantId } = await kit.tenant();
    const once = () => start(tenantId, { items: 1 }, { singleton: 'nightly' });
    const started = await Promise.all([once(), once(), once()]);
    expect(new Set(started.map(({ id }) => id)).size).toBe(1);
    const { tenantId: elsewhere } = await kit.tenant();
    expect((await start(elsewhere, { items: 1 }, { singleton: 'nightly' })).id).not.toBe(started[0]?.id);
    await work();
    expect((await once()).id).not.toBe(started[0]?.id);
    await work();
  });

  it('of a clock that ran ahead by minutes is done when the clock is right again', async () => {
    const { tenantId, agent } = await kit.tenant();
    const right = kit.clock();
    kit.clock.advance(10 * 60_000);
    const { id } = await start(tenantId, { items: 1 });
    kit.clock.set(right);
    await work();
    expect((await agent().job({ id })).job.status).toBe('done');
  });

  it('can be read for 30 days after its end', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 1 });
    await work();
    kit.clock.advance(30 * DAY_MS);
    await kit.engine.background.run('jobs.forget-old');
    expect((await agent().job({ id })).job.status).toBe('done');
    kit.clock.advance(1);
    await kit.engine.background.run('jobs.forget-old');
    await expect(agent().job({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('a job shown to the human', () => {
  const human: Actor = { source: 'human', credentialId: randomUUID() };

  it('tells neither what the agent gave to it nor how much it found while the agent withholds anything', async () => {
    const { tenantId, agent } = await kit.tenant();
    const mine = await start(tenantId, { items: 1, bad: [0] }, { actor: human });
    const { id } = await start(tenantId, { items: 1, bad: [0] });
    await work();
    const seen = async (which: string) => (await agent(human).job({ id: which })).job.errors[0];
    expect(await seen(id)).toMatchObject({ item: '0', message: 'is bad' });
    const sessionKey = (await agent().sessionKey()).session_key;
    await agent().setVisibility({ types: { working: 'redacted' } }, { sessionKey });
    expect((await agent(human).job({ id })).job).toMatchObject({
      ...{ id, status: 'done', progress: { done: 0, total: null } },
      ...{ result: null, errors: [], errors_count: 0 },
    });
    expect(await seen(mine.id)).toMatchObject({ item: '0', message: 'is bad' });
    expect((await agent().job({ id })).job.errors[0]).toMatchObject({ item: '0' });
  });
});

describe('a job whose process dies', () => {
  it('is taken over when the lease ends, goes on where it was, and writes nothing twice', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 6 });
    await dieIn(3);
    expect(await work()).toBe(0);
    expect((await agent().job({ id })).job).toMatchObject({ status: 'running', progress: { done: 3 } });
    kit.clock.advance(LEASE_MS - 1);
    expect(await work()).toBe(0);
    kit.clock.advance(1);
    expect(await work()).toBe(3);
    expect((await agent().job({ id })).job).toMatchObject({
      status: 'done',
      progress: { done: 6, total: 6 },
    });
    expect(await contentsOf(kit.engine, tenantId)).toEqual(items(6));
    expect(heard).toHaveLength(1);
  });
});

describe('background work that rests', () => {
  // Where other processes write, it looks each time.
  const nothing = () => (kit.engine.database.writes ? undefined : 0);
  const lookAfter = async (milliseconds: number) => {
    kit.clock.advance(milliseconds);
    return (await kit.engine.background.runDue())['jobs.work'];
  };

  it('does at the next look what is queued, what is tried again, and what a process that died has left', async () => {
    await lookAfter(60_000);
    expect(await lookAfter(1_000)).toBe(nothing());
    const { tenantId } = await kit.tenant();
    await start(tenantId, { items: 2 });
    let failed = false;
    meddle = () => {
      if (failed) return;
      failed = true;
      throw new Error('away');
    };
    expect(await lookAfter(1_000)).toBe(0);
    expect(await lookAfter(1_000)).toBe(0);
    expect(await lookAfter(3_999)).toBe(nothing());
    expect(await lookAfter(1_000)).toBe(2);
    await start(tenantId, { items: 6 });
    await dieIn(3);
    expect(await lookAfter(1_000)).toBe(0);
    expect(await lookAfter(LEASE_MS - 1_001)).toBe(nothing());
    expect(await lookAfter(1_000)).toBe(3);
  });
});

describe('many jobs of one agent', () => {
  it('let the job of another go first when one of them has had its turn', async () => {
    const [busy, waiting] = [await kit.tenant(), await kit.tenant()];
    for (let n = 0; n < 5; n += 1) await start(busy.tenantId, { items: 1 });
    kit.clock.advance(1_000);
    for (let n = 0; n < 2; n += 1) await start(waiting.tenantId, { items: 1 });
    await work();
    const [a, b] = [busy.tenantId, waiting.tenantId];
    expect(heard.map(({ tenantId }) => tenantId)).toEqual([a, b, a, b, a, a, a]);
  });

  it('are those of its users, too', async () => {
    const [busy, waiting] = [await kit.tenant(), await kit.tenant()];
    for (const name of ['Ann', 'Bob', 'Cid']) {
      await busy.agent().remember({ type: 'working', content: 'x', user_id: name });
      const user = await servicesOf(kit).users.find(busy.tenantId, name);
      await start(user?.tenantId ?? '', { items: 1 });
    }
    kit.clock.advance(1_000);
    await start(waiting.tenantId, { items: 1 });
    await work();
    const [a, b] = [busy.tenantId, waiting.tenantId];
    expect(heard.map(({ tenantId }) => tenantId)).toEqual([a, b, a, a]);
  });
});

describe('a job of two processes', () => {
  it('is never run by both at once', async () => {
    const { tenantId } = await kit.tenant();
    await start(tenantId, { items: 20 });
    mostInSteps = 0;
    await Promise.all([work(), work(other), work(), work(other)]);
    expect(mostInSteps).toBe(1);
    expect(await contentsOf(kit.engine, tenantId)).toEqual(items(20));
  });

  it('is written by the one that holds it, not by one that was too slow', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 3 });
    let goOn = () => {};
    let late: Promise<number> | undefined;
    await new Promise<void>((begun) => {
      meddle = () => {
        meddle = () => {};
        begun();
        return new Promise<void>((resolve) => {
          goOn = resolve;
        });
      };
      late = work(other);
    });
    kit.clock.advance(LEASE_MS);
    expect(await work()).toBe(3);
    goOn();
    expect(await late).toBe(0);
    expect((await agent().job({ id })).job).toMatchObject({ status: 'done', progress: { done: 3 } });
    expect(await contentsOf(kit.engine, tenantId)).toEqual(items(3));
  });
});

describe('a step that fails', () => {
  it('is tried again after growing waits, and the job goes on', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 3 });
    let failures = 0;
    meddle = (item) => {
      if (item === 1 && failures < 3) throw new Error(`secret ${++failures}`);
    };
    expect(await work()).toBe(1);
    const { job } = await agent().job({ id });
    expect(job).toMatchObject({ status: 'running', progress: { done: 1 }, error: { code: 'INTERNAL' } });
    expect(JSON.stringify(job)).not.toContain('secret');
    for (const wait of [5_000, 10_000, 20_000]) {
      kit.clock.advance(wait - 1);
      await work();
      const before = failures;
      kit.clock.advance(1);
      await work();
      expect(failures).toBe(Math.min(3, before + 1));
    }
    const { job: done } = await agent().job({ id });
    expect(done.status).toBe('done');
    expect(done.error).toBeUndefined();
    expect(await contentsOf(kit.engine, tenantId)).toEqual(items(3));
  });

  it('again and again ends the job with its reason; what was written stays', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 3 });
    let tries = 0;
    meddle = (item) => {
      if (item !== 2) return;
      tries += 1;
      throw new SvcError('UNAVAILABLE', 'The source does not answer.');
    };
    for (let round = 0; round < 20; round += 1) {
      await work();
      kit.clock.advance(3_600_000);
    }
    expect(tries).toBe(8);
    expect((await agent().job({ id })).job).toMatchObject({
      status: 'failed',
      progress: { done: 2, total: 3 },
      error: { code: 'UNAVAILABLE', message: 'The source does not answer.' },
    });
    expect(await contentsOf(kit.engine, tenantId)).toEqual(items(2));
    expect(heard).toMatchObject([{ data: { status: 'failed' } }]);
  });

  it('for a mistake in what was asked ends the job at once', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 1 });
    meddle = () => {
      throw new SvcError('VALIDATION_ERROR', 'file: is no archive');
    };
    await work();
    expect((await agent().job({ id })).job).toMatchObject({
      status: 'failed',
      error: { code: 'VALIDATION_ERROR', message: 'file: is no archive' },
    });
  });
});

/** An app that a human lets in; its calls are made with this id. */
async function connectApp(human: AgentMemory): Promise<string> {
  const { connections } = kit.engine;
  const redirectUri = 'https://app.example/back';
  const app = await connections.registerClient({ client_name: 'App', redirect_uris: [redirectUri] });
  const verifier = 'v'.repeat(43);
  const { redirect_url } = await human.approveAuthorization(
    {
      ...{ client_id: app.id, redirect_uri: redirectUri, response_type: 'code', grant: 'full' },
      ...{ code_challenge_method: 'S256' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    },
    { serviceUrl: 'https://svc.example' },
  );
  const code = new URL(redirect_url).searchParams.get('code') ?? '';
  await connections.redeemCode({ clientId: app.id, redirectUri, verifier, code });
  return must((await human.connections()).connections[0]).id;
}

describe('threat 2: a job', () => {
  interface Asker extends Somebody {
    readonly userId: string;
    readonly keyId: string;
  }
  const newAsker = async (): Promise<Asker> => {
    const somebody = must((await account(kit, 1))[0]);
    const { tenantId } = somebody;
    const { id: userId } = must((await kit.engine.accounts.humansOf(tenantId)).get(tenantId)?.[0]);
    const { id: keyId } = await kit.engine.apiKeys.create(tenantId, { name: 'k', scope: 'full' });
    return { ...somebody, userId, keyId };
  };
  const byKey = ({ keyId }: Asker): Actor => ({ source: 'agent', credentialId: keyId });
  const byHuman = ({ userId }: Asker): Actor => ({ source: 'human', credentialId: userId });
  const byApp = async ({ human }: Asker): Promise<Actor> => ({
    source: 'agent',
    credentialId: await connectApp(human),
  });
  const revoke = ({ tenantId, keyId }: Asker) => kit.engine.apiKeys.revoke(tenantId, keyId);
  const rotate = (overlapHours: number) => async (asker: Asker) => {
    await kit.engine.apiKeys.rotate(asker.tenantId, asker.keyId, overlapHours);
    kit.clock.advance(2 * 3_600_000);
  };

  it.each<[string, (asker: Asker) => Actor | Promise<Actor>, (asker: Asker) => Promise<unknown>]>([
    ['a key that is revoked', byKey, revoke],
    ['a key that is rotated without overlap', byKey, rotate(0)],
    [
      'an app that is shut out',
      byApp,
      async ({ human }) =>
        human.revokeConnection({ id: must((await human.connections()).connections[0]).id }),
    ],
    [
      'a human whom the agent is taken from',
      byHuman,
      ({ tenantId, userId }) => kit.engine.accounts.takeAgent(tenantId, userId),
    ],
  ])('of %s writes nothing more, and says why', async (_, actorOf, end) => {
    const asker = await newAsker();
    const { tenantId, memory } = asker;
    const { id } = await start(tenantId, { items: 5 }, { actor: await actorOf(asker) });
    meddle = (item) => (item === 2 ? end(asker) : undefined);
    expect(await work()).toBe(2);
    expect(await contentsOf(kit.engine, tenantId)).toEqual(items(2));
    const { job } = await memory.job({ id });
    expect(job).toMatchObject({ status: 'failed', error: { code: 'FORBIDDEN' } });
    expect(job.error?.message).toContain('revoked');
    expect(heard).toMatchObject([{ data: { job_id: id, status: 'failed' } }]);
  });

  it.each<[string, (asker: Asker) => Actor | Promise<Actor>, (asker: Asker) => Promise<unknown>]>([
    ['a key that is revoked', byKey, revoke],
    [
      'an app that is shut out',
      byApp,
      async ({ human }) =>
        human.revokeConnection({ id: must((await human.connections()).connections[0]).id }),
    ],
    [
      'a human whom the agent is taken from',
      byHuman,
      ({ tenantId, userId }) => kit.engine.accounts.takeAgent(tenantId, userId),
    ],
  ])('of %s writes nothing more, also where that happens just before its commit', async (_, actorOf, end) => {
    const asker = await newAsker();
    const { tenantId, memory } = asker;
    const { id } = await start(tenantId, { items: 5 }, { actor: await actorOf(asker) });
    const { clock } = kit;
    const { database } = kit.engine;
    let ending = false;
    meddle = (item) => {
      ending = item === 2;
    };
    const transaction: Database['transaction'] = async (...given) => {
      if (ending) {
        ending = false;
        await end(asker);
      }
      return database.transaction(...given);
    };
    const engine = createEngine({ database: { ...database, transaction }, clock, jobHandlers: [counting] });
    await engine.background.run('jobs.work');
    expect(await contentsOf(kit.engine, tenantId)).toEqual(items(2));
    expect((await memory.job({ id })).job).toMatchObject({ status: 'failed', error: { code: 'FORBIDDEN' } });
  });

  it('in the tenant of a user ends with the key of the agent', async () => {
    const asker = await newAsker();
    await asker.memory.remember({ type: 'working', content: 'x', user_id: 'Ann' });
    const user = must(await servicesOf(kit).users.find(asker.tenantId, 'Ann'));
    const { id } = await start(user.tenantId, { items: 5 }, { actor: byKey(asker) });
    await revoke(asker);
    await work();
    expect((await asker.memory.job({ id, user_id: 'Ann' })).job.status).toBe('failed');
  });

  it.each<[string, (asker: Asker) => Actor, (asker: Asker) => Promise<unknown>]>([
    ['a key that was rotated goes on after its overlap', byKey, rotate(1)],
    [
      'one key goes on when another one is revoked',
      byKey,
      async ({ tenantId }) => {
        const { id } = await kit.engine.apiKeys.create(tenantId, { name: 'other', scope: 'full' });
        await kit.engine.apiKeys.revoke(tenantId, id);
      },
    ],
    [
      'a human goes on when the agent is taken from another one',
      byHuman,
      async ({ tenantId }) => {
        const other = await newAsker();
        await kit.engine.accounts.giveAgent(tenantId, other.userId);
        await kit.engine.accounts.takeAgent(tenantId, other.userId);
      },
    ],
  ])('of %s', async (_, actorOf, happen) => {
    const asker = await newAsker();
    const { id } = await start(asker.tenantId, { items: 5 }, { actor: actorOf(asker) });
    meddle = (item) => (item === 2 ? happen(asker) : undefined);
    await work();
    await work();
    expect((await asker.memory.job({ id })).job).toMatchObject({ status: 'done', progress: { done: 5 } });
  });
});

describe('a cancelled job', () => {
  it('does not start', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 3 });
    const { job } = await agent().cancelJob({ id });
    expect(job).toMatchObject({ status: 'cancelled' });
    expect(await work()).toBe(0);
    expect((await agent().cancelJob({ id })).job).toEqual(job);
    expect(heard).toMatchObject([{ data: { status: 'cancelled' } }]);
  });

  it('does not write the step in progress, and keeps what it has written', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 5 });
    meddle = (item) => (item === 2 ? agent().cancelJob({ id }) : undefined);
    expect(await work()).toBe(2);
    expect((await agent().job({ id })).job).toMatchObject({ status: 'cancelled', progress: { done: 2 } });
    expect(await contentsOf(kit.engine, tenantId)).toEqual(items(2));
  });

  it('must not have ended', async () => {
    const { tenantId, agent } = await kit.tenant();
    const { id } = await start(tenantId, { items: 1 });
    await work();
    await expect(agent().cancelJob({ id })).rejects.toMatchObject({ code: 'CONFLICT' });
  });
});

it.each([
  ['one job of six steps', [6]],
  ['six jobs of one step', [1, 1, 1, 1, 1, 1]],
])('leaves most of the time to calls that come while it works: %s', async (_, steps) => {
  const { id } = await kit.engine.tenants.create({ displayName: 'Busy', plan: 'local' });
  for (const count of steps) await start(id, { items: count });
  meddle = () => {
    for (const until = performance.now() + 40; performance.now() < until; );
  };
  let working = true;
  const worked = work().finally(() => {
    working = false;
  });
  let calls = 0;
  for (; working; calls += 1) await kit.engine.agent(id).query({ limit: 1 });
  expect(await worked).toBe(6);
  // A step lets one or two in where it waits for the database.
  expect(calls).toBeGreaterThan(6 * 5);
});
