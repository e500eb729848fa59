import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperationName } from '../../app/contract.ts';
import { routes } from '../../app/contract.ts';
import { AGENT } from '../../kernel/commit/system-context.ts';
import type { Actor } from '../../kernel/context/call.ts';
import type { Route } from '../../kernel/contract/route.ts';
import { cases, startTestEngine, type TestEngine } from '../../testing/index.ts';

/** Similar ids, and for each a word that only what concerns the user holds. */
const CANARIES: Readonly<Record<string, string>> = {
  u1: 'zwergkolibri',
  u10: 'brillenpinguin',
  'u1 ': 'never a user of its own',
  U1: 'kaiseradler',
  'u.1': 'steinkauz',
};
const USERS = Object.keys(CANARIES).filter((id) => id === id.trim());
const SHARED = ['The gate opens at nine.', 'Lunch is served at noon.', 'The tram stops at the corner.'];
const MEMORIES = 12;

interface Caller {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly userId?: string;
  /** The users whose words the answer may hold. */
  readonly sees: readonly string[];
}

let kit: TestEngine;
let own: string;
let other: string;
const ids = new Map<string, string[]>();
const cursors: string[] = [];
// The same run each time.
let state = 20_260_301;
const random = (below: number) => {
  state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
  return Math.floor((state / 2_147_483_648) * below);
};
const one = <T>(list: readonly T[]): T => list[random(list.length)] as T;

beforeAll(async () => {
  kit = await startTestEngine();
  const tenants = [await kit.tenant(), await kit.tenant()];
  [own = '', other = ''] = tenants.map(({ tenantId }) => tenantId);
  const agent = kit.engine.agent(own);
  for (const content of SHARED) await agent.remember({ type: 'semantic', content });
  for (const user_id of USERS) {
    const word = CANARIES[user_id];
    const stored = await agent.rememberBatch({
      user_id,
      memories: Array.from({ length: MEMORIES }, (_, n) => ({
        type: n % 3 === 0 ? ('episodic' as const) : ('semantic' as const),
        content: n < SHARED.length ? `${SHARED[n]} ${word}` : `Note ${n}: the ${word} likes plum ${n}.`,
        key: `note-${n}`,
        tags: ['note', `${word}-tag`],
        session_id: 'shared',
        metadata: { pet: word ?? '' },
      })),
    });
    ids.set(
      user_id,
      stored.memories.map(({ id }) => id),
    );
    await agent.createWipItem({ title: `Feed the ${word}`, user_id });
    await agent.createScheduleItem({ title: `Vet for the ${word}`, due_at: '2026-03-04', user_id });
  }
});
afterAll(() => kit.close());

const anyId = () => one([...ids.values()].flat());
const anyWord = () => one(Object.values(CANARIES));
const page = () => ({
  limit: 1 + random(20),
  ...(cursors.length > 0 && random(3) === 0 ? { cursor: one(cursors) } : {}),
});

/** What each route that serves users is called with. A new one does not pass without. */
const INPUTS: Readonly<Partial<Record<OperationName, () => object>>> = {
  remember: () =>
    one<object>([
      { type: 'semantic', content: `${one(SHARED)} ${anyWord()}`.replace(/ \S+$/, '') },
      {
        type: 'semantic',
        key: `note-${random(MEMORIES)}`,
        importance: random(10) / 10,
        content: `Note ${random(20)}: plums.`,
      },
      { type: 'semantic', content: `Plum ${random(99)}.`, supersedes: [anyId()] },
    ]),
  rememberBatch: () => ({ memories: [{ type: 'working', content: `Plum ${random(999)}.` }] }),
  get: () => ({ id: anyId() }),
  similar: () => ({ id: anyId(), threshold: 0, limit: 20 }),
  history: () => ({ id: anyId() }),
  update: () => ({ id: anyId(), importance: random(10) / 10 }),
  forget: () => ({ id: anyId() }),
  restore: () => ({ id: anyId() }),
  archived: page,
  undo: () => ({ source: 'agent', since: '2026-03-01', dry_run: true }),
  recall: () => ({
    query: one([anyWord(), 'who likes plums?', 'when does the gate open?', `note-${random(12)}`]),
    threshold: 0,
    limit: 100,
    explain: random(2) === 0,
    include_superseded: random(2) === 0,
    ...(random(4) === 0 ? { session_id: 'shared' } : {}),
    ...(random(4) === 0 ? { tags: ['note'] } : {}),
    ...(random(4) === 0 ? { known_at: '2026-03-02' } : {}),
  }),
  query: () => ({
    ...page(),
    ...one<object>([
      {},
      { entity: anyWord() },
      { key: `note-${random(12)}` },
      { tags: [`${anyWord()}-tag`] },
      { session_id: 'shared' },
      { metadata: { pet: anyWord() } },
      { known_at: '2026-03-02' },
      { sort: 'importance' },
    ]),
  }),
  boot: () => ({ preview: true, context_hint: anyWord(), session_id: 'shared', explain: true }),
  compaction: () => ({ session_id: 'shared', context_hint: anyWord(), phase: one(['pre', 'post']) }),
  syncWorking: () => ({ content: '# Plan\n\nPick plums.', key: `note-${random(12)}` }),
  export: () => ({}),
  import: () => ({ files: [{ name: 'a.md', content: `Plum ${random(9)}.` }], dry_run: true }),
  recalls: () => ({ ...page(), ...(random(2) === 0 ? { memory_id: anyId() } : {}) }),
  jobs: page,
  job: () => ({ id: anyId() }),
  cancelJob: () => ({ id: anyId() }),
  compactions: page,
  reportMoments: () => ({ moments: [] }),
  scheduleItems: page,
  createScheduleItem: () => ({ title: 'Pick plums', due_at: '2026-03-05' }),
  scheduleItem: () => ({ id: anyId() }),
  updateScheduleItem: () => ({ id: anyId(), status: 'done' }),
  deleteScheduleItem: () => ({ id: anyId() }),
  wipItems: page,
  createWipItem: () => ({ title: 'Pick plums' }),
  wipItem: () => ({ id: anyId() }),
  updateWipItem: () => ({ id: anyId(), status: 'done' }),
  deleteWipItem: () => ({ id: anyId() }),
};

const NAMES = (Object.keys(routes) as OperationName[]).filter((name) => {
  const { users }: Route = routes[name];
  return users !== undefined && users !== 'open';
});

function anyCaller(): Caller {
  const user = one(USERS);
  const key = { source: 'agent', credentialId: null } as const;
  return one<Caller>([
    { tenantId: own, actor: AGENT, sees: [] },
    { tenantId: own, actor: AGENT, userId: user, sees: [user] },
    { tenantId: own, actor: AGENT, userId: `${user}0`, sees: CANARIES[`${user}0`] ? [`${user}0`] : [] },
    { tenantId: own, actor: { ...key, boundTo: user }, sees: [user] },
    { tenantId: own, actor: { ...key, boundTo: user }, userId: one(USERS), sees: [user] },
    { tenantId: own, actor: { source: 'human', credentialId: null }, userId: user, sees: [user] },
    { tenantId: other, actor: AGENT, userId: user, sees: [] },
  ]);
}

/** What a caller gets who calls a route with an input, as text; that of a refusal too. */
async function answerOf(
  name: OperationName,
  { tenantId, actor, userId }: Caller,
  input: object,
): Promise<string> {
  const user = userId === undefined ? {} : { user_id: userId };
  const answer = await kit.engine
    .call(name, { tenantId, actor }, { ...input, ...user })
    .catch((error: Error & { details?: unknown }) => ({ message: error.message, details: error.details }));
  const { next_cursor: cursor } = answer as { next_cursor?: string };
  if (cursor) cursors.push(cursor);
  // The log tells a caller again what it asked for.
  return JSON.stringify(answer, (field, value) => (name === 'recalls' && field === 'query' ? '' : value));
}

it('serves every route that knows users', () => {
  expect(NAMES.filter((name) => INPUTS[name] === undefined)).toEqual([]);
});

it('tells nobody a word, an id or a number of another user, whatever is called', async () => {
  const told = new Set<string>();
  for (let n = 0; n < cases(300, 3_000); n += 1) {
    const [name, caller] = [NAMES[n % NAMES.length] as OperationName, anyCaller()];
    const input = INPUTS[name]?.() ?? {};
    const given = JSON.stringify(input);
    const answer = await answerOf(name, caller, input);
    for (const user of USERS) {
      const word = CANARIES[user] ?? '';
      if (caller.sees.includes(user)) {
        if (answer.includes(word)) told.add(name);
        continue;
      }
      // What a caller says itself, it may be told again.
      if (given.includes(word)) continue;
      expect(answer, `${name} ${given} for ${JSON.stringify(caller)}`).not.toContain(word);
      for (const id of ids.get(user) ?? []) {
        if (!given.includes(id)) expect(answer).not.toContain(id);
      }
    }
  }
  // The answers do hold such words where they may.
  expect([...told]).toEqual(expect.arrayContaining(['recall', 'query', 'boot']));
});
