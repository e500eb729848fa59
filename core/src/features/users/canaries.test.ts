import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OperationName } from '../../app/contract.ts';
import { routes } from '../../app/contract.ts';
import { AGENT } from '../../kernel/commit/system-context.ts';
import type { Actor } from '../../kernel/context/call.ts';
import type { Route } from '../../kernel/contract/route.ts';
import { rows } from '../../kernel/database/database.ts';
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
/** The same of two spaces. */
const SPACES: Readonly<Record<string, string>> = { one: 'seeadler', two: 'wasseramsel' };
const PLACES = [...USERS, ...Object.keys(SPACES)];
const wordOf = (place: string) => CANARIES[place] ?? SPACES[place] ?? '';
const SHARED = ['The gate opens at nine.', 'Lunch is served at noon.', 'The tram stops at the corner.'];
const MEMORIES = 12;
/** SVC_TEST_TIMES=34 makes a hundred thousand of the long form. */
const CALLS = cases(300, 3_000);
/** Most milliseconds that a call takes on average where other programs are busy. */
const CALL_MS = 50;

interface Caller {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly userId?: string | undefined;
  readonly spaceId?: string | undefined;
  /** The users and spaces whose words the answer may hold. */
  readonly sees: readonly string[];
}

let kit: TestEngine;
let own: string;
let other: string;
/** Agents of the account: one reads in space one, one writes there, one manages both. */
let reader: string;
let writer: string;
let manager: string;
const spaces = new Map<string, string>();
const logged: string[] = [];
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
  const log = (fields: object, message: string) => void logged.push(JSON.stringify([fields, message]));
  kit = await startTestEngine({ logger: { debug: log, info: log, warn: log, error: log } });
  const tenants = [];
  for (let n = 0; n < 5; n += 1) tenants.push((await kit.tenant()).tenantId);
  [own = '', other = '', reader = '', writer = '', manager = ''] = tenants;
  await fillSpaces();
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

async function fillSpaces(): Promise<void> {
  const managing = kit.engine.agent(manager);
  for (const [name, word] of Object.entries(SPACES)) {
    const space_id = (await managing.createSpace({ name })).space.id;
    spaces.set(name, space_id);
    const { memories } = await managing.rememberBatch({
      space_id,
      memories: Array.from({ length: MEMORIES }, (_, n) => ({
        type: n % 3 === 0 ? ('episodic' as const) : ('semantic' as const),
        content: n < SHARED.length ? `${SHARED[n]} ${word}` : `Note ${n}: the ${word} likes plum ${n}.`,
        key: `note-${n}`,
        tags: ['note', `${word}-tag`],
        session_id: 'shared',
        metadata: { pet: word },
      })),
    });
    ids.set(
      name,
      memories.map(({ id }) => id),
    );
  }
  const space_id = spaces.get('one') ?? '';
  await managing.setSpaceMember({ space_id, tenant_id: reader, right: 'read' });
  await managing.setSpaceMember({ space_id, tenant_id: writer, right: 'write' });
}

const anyId = () => one([...ids.values()].flat());
const anyWord = () => one(PLACES.map(wordOf));
const anySpace = () => ({ space_id: one([...spaces.values()]) });
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
  files: () => ({ path: '/memories' }),
  fileCommand: () =>
    one<object>([
      { command: 'create', path: `/memories/${random(9)}.md`, file_text: `Plum ${random(99)}.` },
      { command: 'view', path: one(['/memories', `/memories/${random(9)}.md`]) },
      { command: 'delete', path: `/memories/${random(9)}.md` },
    ]),
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
  memoryFacets: () => ({ limit: 200 }),
  space: anySpace,
  renameSpace: () => ({ ...anySpace(), name: one(['Crew', 'Team']) }),
  // Rights change and return, so that they are tried with those of a moment ago in memory.
  setSpaceMember: () => ({
    space_id: spaces.get('one'),
    ...one([
      { tenant_id: reader, right: 'read' },
      { tenant_id: writer, right: 'write' },
    ]),
  }),
  removeSpaceMember: () => ({ space_id: spaces.get('two'), tenant_id: one([reader, writer]) }),
  deleteSpace: () => ({ space_id: anyId() }),
  spaceGuardianQueue: anySpace,
  approveSpaceChange: () => ({ ...anySpace(), id: anyId() }),
  rejectSpaceChange: () => ({ ...anySpace(), id: anyId() }),
  // What is about the agent, and serves neither users nor spaces.
  spaces: () => ({}),
  users: page,
  status: () => ({}),
  dashboard: () => ({}),
  memoryMap: () => ({}),
  memoryCalendar: () => ({}),
  auditLog: page,
};

const NAMES = (Object.keys(routes) as OperationName[]).filter((name) => {
  const { users, spaces: right }: Route = routes[name];
  return (users !== undefined && users !== 'open') || right !== undefined || name in INPUTS;
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
    { tenantId: own, actor: AGENT, userId: '*', sees: USERS },
    { tenantId: own, actor: AGENT, spaceId: one([...spaces.values()]), sees: [] },
    { tenantId: other, actor: AGENT, userId: user, sees: [] },
    ...inSpaces(),
  ]);
}

/** Agents that read, write or manage, each with a space, with its own only, or without either, or for a user of its own. */
function inSpaces(): Caller[] {
  const target = one<object>([
    {},
    { spaceId: 'own' },
    { spaceId: one([...spaces.values()]) },
    { userId: 'u1' },
  ]);
  const bound: Actor = { source: 'agent', credentialId: null, boundTo: 'u1' };
  return [
    { tenantId: reader, actor: AGENT, sees: ['one'], ...target },
    { tenantId: writer, actor: AGENT, sees: ['one'], ...target },
    { tenantId: manager, actor: AGENT, sees: ['one', 'two'], ...target },
    { tenantId: manager, actor: bound, sees: [], ...target },
  ];
}

/** What a caller gets who calls a route with an input, as text; that of a refusal too. */
async function answerOf(
  name: OperationName,
  { tenantId, actor, userId, spaceId }: Caller,
  input: object,
): Promise<string> {
  const { request }: Route = routes[name];
  const user = userId === undefined || !('user_id' in request.shape) ? {} : { user_id: userId };
  const space = spaceId === undefined || !('space_id' in request.shape) ? {} : { space_id: spaceId };
  const answer = await kit.engine
    .call(name, { tenantId, actor }, { ...space, ...input, ...user })
    .catch((error: Error & { details?: unknown }) => ({ message: error.message, details: error.details }));
  const { next_cursor: cursor } = answer as { next_cursor?: string };
  if (cursor) cursors.push(cursor);
  // The log tells a caller again what it asked for.
  return JSON.stringify(answer, (field, value) => (name === 'recalls' && field === 'query' ? '' : value));
}

it('serves every route that knows users', () => {
  expect(NAMES.filter((name) => INPUTS[name] === undefined)).toEqual([]);
});

/** Whether a text holds what is a user's or a space's and nobody may be told. */
function expectNothingOf(place: string, text: string, { said, why }: { said: string; why: string }): void {
  const word = wordOf(place);
  // What a caller says itself, it may be told again.
  if (!said.includes(word)) expect(text.includes(word) ? `${why} told ${text}` : '').toBe('');
  for (const id of ids.get(place) ?? []) {
    if (!said.includes(id)) expect(text.includes(id) ? `${why} told ${text}` : '').toBe('');
  }
}

it(
  'tells nobody a word, an id or a number of another user or space, whatever is called',
  async () => {
    const told = new Set<string>();
    const before = logged.length;
    for (let n = 0; n < CALLS; n += 1) {
      const [name, caller] = [NAMES[n % NAMES.length] as OperationName, anyCaller()];
      const input = INPUTS[name]?.() ?? {};
      const said = JSON.stringify(input);
      const answer = await answerOf(name, caller, input);
      for (const place of PLACES) {
        if (!caller.sees.includes(place)) {
          expectNothingOf(place, answer, { said, why: `${name} ${said} for ${JSON.stringify(caller)}` });
        } else if (answer.includes(wordOf(place))) told.add(name).add(place);
      }
      // Jobs and the log of recalls work behind the calls.
      if (n % 500 === 499) await kit.engine.background.run('jobs.work');
    }
    // The answers do hold such words where they may.
    expect([...told]).toEqual(expect.arrayContaining(['recall', 'query', 'boot', ...USERS, 'one']));
    for (const text of logged.slice(before)) {
      for (const place of PLACES) expectNothingOf(place, text, { said: '', why: 'the log' });
    }
  },
  120_000 + CALLS * CALL_MS,
);

it('and no event says a word of it, or an id to another agent', async () => {
  for (const tenantId of [own, other, reader, writer, manager]) {
    const sees = tenantId === own ? USERS : tenantId === manager ? Object.keys(SPACES) : ['one'];
    const events = await kit.engine.database.read(tenantId, (tx) =>
      rows<{ data: object }>(tx, sql`SELECT data FROM events`),
    );
    const text = JSON.stringify(events);
    for (const place of PLACES) {
      expect(text.includes(wordOf(place))).toBe(false);
      if (!sees.includes(place) || tenantId === other)
        expectNothingOf(place, text, { said: '', why: 'events' });
    }
  }
});
