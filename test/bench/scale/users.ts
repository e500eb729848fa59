import { randomUUID } from 'node:crypto';
import { createStaticEmbedder, type Database, type Engine } from '@svc-memory/core';
import { uuidV7 } from '../../../core/src/kernel/runtime/runtime.ts';
import { createUsers } from '../../../core/src/kernel/tenancy/users.ts';
import { endlessMemories, questionsOf, take } from '../corpus.ts';
import { median } from '../measure.ts';
import type { Progress } from '../report.ts';
import { createCaller } from '../service.ts';
import { inTurn, quantile, underLoad } from './load.ts';
import { type Load, openLoader } from './loader.ts';
import { startApi } from './processes.ts';

/** Users of one agent, and memories of each. The agent has none of its own. */
export const USERS = { users: 10_000, memories: 200 };

const BATCH = 20_000;
const WARM_UP = 300;
/** Users that are asked in turn, so that each is seldom asked. */
const ASKED = 2_000;

interface Place {
  readonly url: string;
  readonly database: Database;
  readonly engine: Engine;
}

interface Effort {
  readonly clients: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly calls: number;
  readonly users: number;
}

/** Told a figure of a user of many, and the same of a tenant that has as many memories alone. */
type Note = (what: string, ours: number, alone: number, goal?: string) => void;

/** Measures recall for one of many users of an agent beside recall of a tenant with as many memories. */
export async function measureUsers(
  { url, database, engine }: Place,
  { clients, seconds, rounds, calls, users: count }: Effort,
  progress: Progress,
  note: Note,
): Promise<void> {
  const loader = openLoader({ url, database, embedder: createStaticEmbedder() });
  const agent = await engine.tenants.create({ displayName: 'of many users', plan: 'local' });
  const single = await engine.tenants.create({ displayName: 'alone', plan: 'local' });
  await loader.load([{ tenantId: single.id, memories: take(endlessMemories(1), USERS.memories) }]);
  const users = createUsers({ database, clock: () => new Date(), ids: uuidV7 });
  const ids: string[] = [];
  let waiting: Load[] = [];
  for (let place = 0; place < count; place += 1) {
    const user = await users.ensure(agent.id, randomUUID(), { source: 'agent', credentialId: null });
    ids.push(user.id);
    waiting.push({ tenantId: user.tenantId, memories: take(endlessMemories(1 + place), USERS.memories) });
    if (waiting.length * USERS.memories < BATCH && place + 1 < count) continue;
    await loader.load(waiting);
    waiting = [];
    progress(`users: ${place + 1} of ${count} users`);
  }
  await loader.close();
  const keyOf = async (tenantId: string) =>
    (await engine.apiKeys.create(tenantId, { name: 'benchmark', scope: 'full' })).secret;
  const [agentKey, singleKey] = [await keyOf(agent.id), await keyOf(single.id)];
  const service = await startApi(url, agentKey);
  const base = `${service.url}/api/v1`;
  const [many, one] = [createCaller(base, agentKey, clients), createCaller(base, singleKey, clients)];
  const questions = questionsOf(500);
  const ask = (call: number) => ({ query: questions[call % questions.length] ?? '', threshold: 0 });
  const recall = (user_id: (call: number) => string | undefined) => ({
    ours: (call: number) => many.call('POST', '/memories/recall', { ...ask(call), user_id: user_id(call) }),
    alone: (call: number) => one.call('POST', '/memories/recall', ask(call)),
  });
  for (const [what, user] of [
    ['one user', () => ids[0]],
    ['another user each time', (call: number) => ids[call % Math.min(count, ASKED)]],
  ] as const) {
    progress(`users: ${what}`);
    const calling = recall(user);
    const timed = await inTurn(calling, calls, { warmUp: WARM_UP });
    note(`recall p50, ms, ${what}`, median(timed.ours), median(timed.alone), '<= 1.3x');
    note(`recall p95, ms, ${what}`, quantile(timed.ours, 0.95), quantile(timed.alone, 0.95));
    const load = await underLoad(calling, { clients, seconds, rounds });
    note(`recalls/s, ${clients} clients, ${what}`, load.ours.perSecond, load.alone.perSecond);
  }
  many.close();
  one.close();
  await service.stop();
}
