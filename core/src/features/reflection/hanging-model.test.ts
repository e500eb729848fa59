import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import type { LanguageModel } from '../../language-model/language-model.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

/** A model that never answers, not even that it was told to stop. */
function hanging(patienceMs: number) {
  const waiting: (() => void)[] = [];
  let asked = 0;
  const llm: LanguageModel = {
    model: 'hanging',
    patienceMs,
    complete: () => {
      asked += 1;
      for (const wake of waiting.splice(0)) wake();
      return new Promise(() => {});
    },
  };
  return {
    llm,
    asked: () => asked,
    whenAsked: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

const kits: TestEngine[] = [];
afterEach(async () => {
  for (const kit of kits.splice(0)) await kit.close();
});
const start = async (llm: LanguageModel, options: Parameters<typeof startTestEngine>[0] = {}) => {
  const kit = await startTestEngine({ llm, ...options });
  kits.push(kit);
  return kit;
};

/** Some sessions, each of which makes one digest. */
async function tell(agent: AgentMemory, sessions: number) {
  const said = ['Maya moved to Porto.', 'The boat is red.', 'Ines starts school in September.'];
  for (let session = 0; session < sessions; session += 1) {
    const memories = said.map((content) => ({
      ...{ type: 'episodic' as const, content: `${content} (${session})`, session_id: `session ${session}` },
      occurred_at: '2026-01-05T12:00:00Z',
    }));
    await agent.rememberBatch({ memories });
  }
}

const jobOf = async (agent: AgentMemory, id: string) => (await agent.job({ id })).job;

/** A reflection on six episodes that waits for such a model. */
async function stuck() {
  const { llm, whenAsked } = hanging(60_000);
  const kit = await start(llm);
  const agent = (await kit.tenant()).agent();
  await tell(agent, 2);
  const { job } = await agent.reflect();
  const working = kit.engine.background.run('jobs.work');
  await whenAsked();
  return { kit, agent, job, working };
}

describe('a model that hangs during reflection', () => {
  it('is waited for so long, then its episodes are quoted; after three times it is not asked any more', async () => {
    const { llm, asked } = hanging(20);
    const kit = await start(llm);
    const agent = (await kit.tenant()).agent();
    await tell(agent, 5);
    const { job } = await agent.reflect();
    await kit.engine.background.run('jobs.work');
    expect(await jobOf(agent, job.id)).toMatchObject({
      status: 'done',
      result: { episodes: 15, digests: 5 },
    });
    expect(asked()).toBe(3);
    const { memories } = await agent.query({ type: 'semantic' });
    expect(memories).toHaveLength(5);
    for (const { content } of memories) expect(content).toContain('Maya moved to Porto.');
  });

  it('leaves nothing behind that ends the process, where it threw before it answered with a promise', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const { llm } = hanging(20);
    let asked = 0;
    const complete: LanguageModel['complete'] = (...question) => {
      asked += 1;
      if (asked === 1) throw new Error('no such model');
      return llm.complete(...question);
    };
    const kit = await start({ ...llm, complete });
    const agent = (await kit.tenant()).agent();
    await tell(agent, 2);
    const { job } = await agent.reflect();
    // When the second question has taken too long, the time of the first is over, too.
    await kit.engine.background.run('jobs.work');
    expect(await jobOf(agent, job.id)).toMatchObject({ status: 'done', result: { digests: 2 } });
    expect([asked, unhandled]).toEqual([2, []]);
  });

  it('leaves nothing half-written when the job is cancelled meanwhile', async () => {
    const { kit, agent, job, working } = await stuck();
    await agent.cancelJob({ id: job.id });
    await kit.engine.background.stop();
    await working;
    expect(await jobOf(agent, job.id)).toMatchObject({ status: 'cancelled', result: { digests: 0 } });
    expect((await agent.status()).counts).toMatchObject({ episodic: 6, semantic: 0 });
  });

  it('does not hold up the end of the process, and leaves the job to another one', async () => {
    const { kit, agent, job, working } = await stuck();
    await kit.engine.background.stop();
    await working;
    expect(await jobOf(agent, job.id)).toMatchObject({ status: 'running', result: { digests: 0 } });
    expect((await agent.status()).counts).toMatchObject({ episodic: 6, semantic: 0 });
  });
});

it('a pair that the process stops at is not counted as asked about, and no failure', async () => {
  const { llm, whenAsked } = hanging(60_000);
  const logged: string[] = [];
  const log = (_: object, message: string) => void logged.push(message);
  const kit = await start(llm, { logger: { debug: log, info: log, warn: log, error: log } });
  const agent = (await kit.tenant()).agent();
  await agent.remember({ type: 'semantic', content: 'Invoices are written with Lexoffice.' });
  kit.clock.advance(60_000);
  await agent.remember({ type: 'semantic', content: 'Invoices are written with Sevdesk.' });
  const asked = whenAsked();
  const working = kit.engine.background.runDue();
  await asked;
  expect((await agent.conflicts()).asked.last_24_hours).toBe(1);
  await kit.engine.background.stop(10);
  await working;
  expect(await agent.conflicts()).toMatchObject({
    conflicts: [{ status: 'waiting', asked_at: null }],
    asked: { last_24_hours: 0 },
  });
  expect(logged).not.toContain('a background job failed');
});
