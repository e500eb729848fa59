import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createStaticEmbedder } from '../../features/embedding/static/static-embedder.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import type { Services } from '../context/context.ts';
import { SvcError } from '../contract/errors.ts';
import { createScheduler, type Scheduler } from './scheduler.ts';
import type { Task } from './task.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let kit: TestEngine;
const model = createStaticEmbedder();
const embedder = { ...model, away: false, poison: '' };
embedder.embed = async (texts, signal) => {
  if (embedder.away || (embedder.poison && texts.includes(embedder.poison)))
    throw new Error('embedder is away');
  return model.embed(texts, signal);
};

beforeAll(async () => {
  kit = await startTestEngine({ embedder });
});
afterAll(() => kit.close());

/** A runner like that of another process on the same database. */
function runner(jobs: readonly Task[], logged: unknown[] = [], database = kit.engine.database) {
  const keep = (facts: object) => logged.push(facts);
  const logger = { debug: keep, info: keep, warn: keep, error: keep };
  // The jobs of these tests use nothing else.
  const dependencies = { database, clock: kit.clock, logger } as unknown as Services;
  return createScheduler(dependencies, jobs);
}

function counting(name: string, everyMs: number): Task & { runs: number } {
  const job = {
    name,
    everyMs,
    runs: 0,
    run: async () => {
      job.runs += 1;
      return 1;
    },
  };
  return job;
}

/** A task of each second whose runs go on until they fail. */
function failing() {
  let started = 0;
  const inProgress: ((reason: Error) => void)[] = [];
  const task: Task = {
    name: 't.failing',
    everyMs: 1_000,
    overlapping: true,
    run: () => {
      started += 1;
      return new Promise((_, reject) => inProgress.push(reject));
    },
  };
  const fail = (reason: Error) => {
    for (const reject of inProgress.splice(0)) reject(reason);
  };
  return { task, fail, runs: () => started };
}

describe('a task that tells when it is due next', () => {
  let writes: number;
  let due: Date | undefined;
  const handled = { next: 0 };
  const looking = () => ({
    ...counting('t.looking', 1_000),
    overlapping: true as const,
    run: async () => handled.next,
    nextDue: async () => due,
  });
  const onEmbedded = () => runner([looking()], [], { ...kit.engine.database, writes: () => writes });
  const looks = async (background: Scheduler) => 't.looking' in (await background.runDue());
  beforeEach(() => {
    writes = 7;
    due = undefined;
    handled.next = 0;
  });

  it('rests until something is written', async () => {
    const background = onEmbedded();
    expect(await looks(background)).toBe(true);
    kit.clock.advance(10_000);
    expect(await looks(background)).toBe(false);
    writes += 1;
    expect(await looks(background)).toBe(true);
    kit.clock.advance(10_000);
    expect(await looks(background)).toBe(false);
  });

  it('rests until that time, and looks every ten minutes all the same', async () => {
    const background = onEmbedded();
    due = new Date(kit.clock().getTime() + 5_000);
    expect(await looks(background)).toBe(true);
    kit.clock.advance(4_999);
    expect(await looks(background)).toBe(false);
    kit.clock.advance(1);
    expect(await looks(background)).toBe(true);
    due = undefined;
    kit.clock.advance(1_000);
    expect(await looks(background)).toBe(true);
    kit.clock.advance(10 * 60_000 - 1);
    expect(await looks(background)).toBe(false);
    kit.clock.advance(1);
    expect(await looks(background)).toBe(true);
  });

  it('looks again when the clock is set back', async () => {
    const background = onEmbedded();
    await background.runDue();
    kit.clock.advance(-3 * DAY);
    expect(await looks(background)).toBe(true);
    kit.clock.advance(3 * DAY);
  });

  it('goes on while it finds something, and misses no write that comes while it looks', async () => {
    const background = onEmbedded();
    handled.next = 1;
    expect(await looks(background)).toBe(true);
    kit.clock.advance(1_000);
    expect(await looks(background)).toBe(true);
    const whileLooking = async () => {
      writes += 1;
      return 0;
    };
    const writing = runner([{ ...looking(), run: whileLooking }], [], {
      ...kit.engine.database,
      writes: () => writes,
    });
    await writing.runDue();
    kit.clock.advance(1_000);
    expect(await looks(writing)).toBe(true);
  });

  it('looks each time where other processes write', async () => {
    const { writes: _, ...shared } = kit.engine.database;
    const background = runner([looking()], [], shared);
    for (let round = 0; round < 3; round += 1) {
      expect(await looks(background)).toBe(true);
      kit.clock.advance(1_000);
    }
  });
});

describe('background work', () => {
  it('runs when its time has come by the clock, and not before', async () => {
    const job = counting('t.interval', MINUTE);
    const background = runner([job]);
    expect(await background.runDue()).toEqual({ 't.interval': 1 });
    kit.clock.advance(MINUTE - 1);
    expect(await background.runDue()).toEqual({});
    kit.clock.advance(1);
    expect(await background.runDue()).toEqual({ 't.interval': 1 });
  });

  it('runs in one of several processes at a time, and in the others when that one is gone', async () => {
    const job = counting('t.shared', MINUTE);
    const processes = Array.from({ length: 5 }, () => runner([job]));
    await Promise.all(processes.map((one) => one.runDue()));
    expect(job.runs).toBe(1);
    for (const [index, one] of processes.entries()) {
      kit.clock.advance(MINUTE);
      await one.runDue();
      expect(job.runs).toBe(index + 2);
    }
  });

  it('that fails is logged, waits longer each time, and keeps no other from running', async () => {
    const logged: object[] = [];
    const good = counting('t.good', MINUTE);
    let failures = 0;
    const bad: Task = {
      name: 't.bad',
      everyMs: MINUTE,
      run: async () => {
        failures += 1;
        throw new Error('out of order');
      },
    };
    const background = runner([bad, good], logged);
    for (let minute = 0; minute < 32; minute += 1) {
      await background.runDue();
      kit.clock.advance(MINUTE);
    }
    expect(good.runs).toBe(32);
    expect(failures).toBe(5);
    expect(logged[0]).toMatchObject({ job: 't.bad', retry_in_ms: 2 * MINUTE });
  });

  it('of which many runs fail together waits as after one failure', async () => {
    const { task, fail, runs } = failing();
    const background = runner([task]);
    const all: Promise<unknown>[] = [];
    for (let second = 0; second < 15; second += 1) {
      all.push(background.runDue());
      kit.clock.advance(1_000);
    }
    fail(new Error('all lost their connection'));
    await Promise.all(all);
    expect(runs()).toBe(15);
    kit.clock.advance(1_000);
    void background.runDue();
    expect(runs()).toBe(16);
  });

  it('goes on within a minute when the database is back, however long it was away', async () => {
    const { task, fail, runs } = failing();
    const background = runner([task]);
    for (let second = 0; second < 3_600; second += 1) {
      const run = background.runDue();
      fail(new SvcError('UNAVAILABLE', 'the database cannot be reached'));
      await run;
      kit.clock.advance(1_000);
    }
    const before = runs();
    kit.clock.advance(MINUTE);
    void background.runDue();
    expect(runs()).toBe(before + 1);
  });

  it.each([
    ['an hour', 60 * MINUTE],
    ['a year', 365 * DAY],
  ])('goes on when the clock was %s ahead', async (ahead, milliseconds) => {
    const job = counting(`t.clock, ${ahead}`, MINUTE);
    const background = runner([job]);
    const right = kit.clock();
    kit.clock.advance(milliseconds);
    await background.runDue();
    kit.clock.set(right);
    await background.runDue();
    expect(job.runs).toBe(2);
    // Also where another process has run it.
    await runner([job]).runDue();
    expect(job.runs).toBe(2);
  });

  it('that deletes what is old does so only at its second run after the clock jumped ahead', async () => {
    const runs: Date[] = [];
    const run = async () => runs.push(kit.clock());
    const deleting: Task = { name: 't.deleting', everyMs: MINUTE, deletesByAge: true, run };
    const background = runner([deleting]);
    await background.runDue();
    const right = kit.clock();
    kit.clock.advance(365 * DAY);
    await background.runDue();
    await runner([deleting]).runDue();
    kit.clock.set(right);
    kit.clock.advance(MINUTE);
    await background.runDue();
    kit.clock.advance(2 * DAY);
    await background.runDue();
    kit.clock.advance(MINUTE);
    await background.runDue();
    const after = (milliseconds: number) => new Date(right.getTime() + milliseconds);
    expect(runs).toEqual([right, after(MINUTE), after(2 * DAY + 2 * MINUTE)]);
  });

  it('that is stopped ends what runs and starts nothing more', async () => {
    const job: Task = {
      name: 't.long',
      everyMs: 1,
      overlapping: true,
      run: (_, signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(1))),
    };
    const background = runner([job]);
    const run = background.runDue();
    await background.stop(0);
    expect(await run).toEqual({ 't.long': 1 });
    expect(await background.runDue()).toEqual({});
  });
});

describe('the jobs of the service', () => {
  const run = (name: string) => kit.engine.background.run(name);

  it('forget what an Idempotency-Key answered after 24 hours', async () => {
    const agent = (await kit.tenant()).agent();
    const store = () => agent.remember({ type: 'working', content: 'once' }, { idempotencyKey: 'k' });
    await store();
    kit.clock.advance(DAY - 1);
    expect(await run('idempotency.forget-old')).toBe(0);
    kit.clock.advance(2);
    expect(await run('idempotency.forget-old')).toBe(1);
    expect(await run('idempotency.forget-old')).toBe(0);
  });

  it('make missing vectors when the embedder is back, after growing waits', async () => {
    const agent = (await kit.tenant()).agent();
    embedder.away = true;
    await agent.remember({ type: 'semantic', content: 'The kettle whistles in the kitchen.' });
    expect(await run('embedding.catch-up')).toBe(0);
    embedder.away = false;
    expect(await run('embedding.catch-up')).toBe(0);
    kit.clock.advance(MINUTE);
    expect(await run('embedding.catch-up')).toBe(1);
    kit.clock.advance(DAY);
    expect(await run('embedding.catch-up')).toBe(0);
    const { results } = await agent.recall({ query: 'kettle in the kitchen' });
    expect(results).toHaveLength(1);
  });

  it('make the vector of what a memory says now, not of what it said', async () => {
    const agent = (await kit.tenant()).agent();
    embedder.away = true;
    const { memory } = await agent.remember({ type: 'semantic', content: 'first' });
    await agent.update({ id: memory?.id ?? '', content: 'second' });
    await agent.remember({ type: 'semantic', content: 'third' });
    embedder.away = false;
    expect(await run('embedding.catch-up')).toBe(2);
  });

  it('make the other vectors when one text is refused', async () => {
    const agent = (await kit.tenant()).agent();
    embedder.away = true;
    const contents = ['a', 'poison', 'b', 'c'];
    await agent.rememberBatch({
      memories: contents.map((content) => ({ type: 'semantic' as const, content })),
    });
    embedder.away = false;
    embedder.poison = 'poison';
    let made = await run('embedding.catch-up');
    kit.clock.advance(2 * MINUTE);
    made += await run('embedding.catch-up');
    embedder.poison = '';
    expect(made).toBe(3);
  });

  it('forget events after 7 days, and those sent to an endpoint after 30', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.remember({ type: 'working', content: 'x' });
    kit.clock.advance(7 * DAY - 1);
    await run('events.forget-old');
    await agent.remember({ type: 'working', content: 'y' });
    kit.clock.advance(2);
    expect(await run('events.forget-old')).toBeGreaterThan(0);
    expect(await run('events.forget-old')).toBe(0);
    kit.clock.advance(7 * DAY);
    expect(await run('events.forget-old')).toBeGreaterThan(0);
  });

  it('erase archived memories after 30 days, and settle cooled changes', async () => {
    const agent = (await kit.tenant()).agent();
    const { memory } = await agent.remember({ type: 'working', content: 'old' });
    await agent.forget({ id: memory?.id ?? '' });
    kit.clock.advance(31 * DAY);
    const done = await kit.engine.background.runDue();
    expect(done['memory.erase-expired']).toBe(1);
    expect(done['guardian.expire-cooling']).toBe(0);
    expect((await agent.archived()).memories).toHaveLength(0);
  });
});
