import { randomInt } from 'node:crypto';
import { endlessMemories, questionsOf } from '../corpus.ts';
import { median } from '../measure.ts';
import type { Progress } from '../report.ts';
import { createCaller, residentMemory } from '../service.ts';
import { fillUsersAndTenants, type Place, userId } from './fill-users.ts';
import { inTurn, quantile, type Sides, underLoad } from './load.ts';
import { startApi } from './processes.ts';

/** Users of one agent, and memories of each. */
export const USERS = { users: 10_000, memories: 200 };

const WARM_UP = 300;
/** Tenants that take turns, and as many users. More than one client calls before and while it is timed: each is called once. */
const TURNS = 1_000;

interface Effort {
  readonly clients: number;
  readonly seconds: number;
  readonly rounds: number;
  readonly calls: number;
  readonly users: number;
}

/** Told a figure of a user of many, and the same of a tenant that has as many memories alone. */
type Note = (what: string, ours: number, alone?: number, goal?: string) => void;

/** Whom calls concern: always the same user of the agent or another one each time, the same tenant or another one each time. */
type Side = 'user' | 'users' | 'tenant' | 'tenants';

/** What is compared with what. The process holds in memory what is called again and again, and of the others nothing. */
const COMPARED = [
  ['again and again', 'user', 'tenant'],
  ['another each time', 'users', 'tenants'],
  ['another user, one tenant', 'users', 'tenant'],
] as const;

const GOAL = '<= 1.3x';

/** Measures recall and writing for users of one agent beside tenants that have as many memories each. */
export async function measureUsers(
  place: Place,
  { clients, seconds, rounds, calls, users }: Effort,
  progress: Progress,
  note: Note,
): Promise<void> {
  const size = { users, tenants: Math.min(TURNS, users), memories: USERS.memories };
  const filled = await fillUsersAndTenants(place, size, progress);
  const [agentKey = '', ...tenantKeys] = await Promise.all(
    [filled.agentId, ...filled.tenantIds].map(async (tenantId) => {
      const { secret } = await place.engine.apiKeys.create(tenantId, { name: 'benchmark', scope: 'full' });
      return secret;
    }),
  );
  const service = await startApi(place.url, agentKey);
  const base = `${service.url}/api/v1`;
  const agent = createCaller(base, agentKey, clients);
  const tenants = tenantKeys.map((key) => createCaller(base, key, clients));
  // Which are called again and again, and with whom the others begin: by chance, since an earlier run in a kept database wrote to
  // some.
  const first = randomInt(tenants.length);
  const userAt = (turn: number) =>
    userId(Math.floor((((first + turn) % tenants.length) * users) / tenants.length));
  const tenantAt = (turn: number) => tenants[(first + turn) % tenants.length];
  const call: Record<Side, (turn: number, path: string, body: object) => Promise<unknown> | undefined> = {
    user: (_turn, path, body) => agent.call('POST', path, { ...body, user_id: userAt(0) }),
    users: (turn, path, body) => agent.call('POST', path, { ...body, user_id: userAt(1 + turn) }),
    tenant: (_turn, path, body) => tenantAt(0)?.call('POST', path, body),
    tenants: (turn, path, body) => tenantAt(1 + turn)?.call('POST', path, body),
  };
  const sidesOf = (path: string, body: (turn: number) => object): Sides<Side> => {
    const side = (name: Side) => async (turn: number) => call[name](turn, path, body(turn));
    return { user: side('user'), tenant: side('tenant'), users: side('users'), tenants: side('tenants') };
  };
  const questions = questionsOf(500);
  // Never the same twice: what is said again makes no second memory.
  const unsaid = endlessMemories(99);
  const asked = {
    recall: sidesOf('/memories/recall', (turn) => ({
      query: questions[turn % questions.length],
      threshold: 0,
    })),
    write: sidesOf('/memories', () => ({ type: 'semantic', content: unsaid.next().value.content })),
  };
  for (const [what, sides] of Object.entries(asked)) {
    progress(`users: ${what}`);
    const timed = await inTurn(sides, calls, { warmUp: WARM_UP });
    for (const [which, ours, other] of COMPARED) {
      note(`${what} p50, ms, ${which}`, median(timed[ours]), median(timed[other]), GOAL);
      note(`${what} p95, ms, ${which}`, quantile(timed[ours], 0.95), quantile(timed[other], 0.95));
    }
    const load = await underLoad(sides, { clients, seconds, rounds });
    for (const [which, ours, other] of COMPARED) {
      note(`${what}s/s, ${clients} clients, ${which}`, load[ours].perSecond, load[other].perSecond);
    }
  }
  note('process, MiB', await residentMemory(service.pid));
  for (const caller of [agent, ...tenants]) caller.close();
  await service.stop();
}
