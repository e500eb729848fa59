import { type Input, type OperationName, type Route, type Routes, routes } from '@svc-memory/core/contract';
import { CANARY, CRANE, START, UNKNOWN, type World } from './withheld-world.fixture.ts';

/** Operations that a human may call. */
type HumanOperation = {
  [Name in OperationName]: Routes[Name]['access'] extends 'agent' | 'session' ? never : Name;
}[OperationName];

/** One call a human makes to find what is hidden. */
export interface Probe {
  readonly name: HumanOperation;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

type Given<Name extends HumanOperation> = Partial<Input<Name>>;
type Inputs = {
  readonly [Name in HumanOperation]: (world: World) => readonly (Given<Name> & {
    readonly headers?: Readonly<Record<string, string>>;
  })[];
};

/** Active and archived ones. */
const some = ({ hidden }: World) => [...hidden.memories.slice(0, 2), ...hidden.memories.slice(-2)];
const ids = (world: World) => [...some(world).map(({ id }) => id), UNKNOWN].map((id) => ({ id }));
const cursorsAt = (times: readonly (readonly [string, string])[]) =>
  times.map((position) => ({ cursor: Buffer.from(JSON.stringify(position)).toString('base64url') }));
/** Positions in lists right before, at and after what is hidden. */
const cursors = (world: World) =>
  cursorsAt(
    some(world).flatMap(({ id, occurred_at }) => [
      [occurred_at, id],
      [new Date(Date.parse(occurred_at) + 1).toISOString(), id],
    ]),
  );
const limits = [1, 3, 100].map((limit) => ({ limit }));
const texts = [CRANE, CANARY, 'barge timber berth', 'paint a brush'];
const period = { since: '2026-01-01', until: '2026-12-31' };
const moments = [new Date(START).toISOString(), new Date(START + 5 * 60_000).toISOString(), '2026-12-31'];
const none = () => [{}];
const inNoSpace = () => [{ space_id: UNKNOWN }];

/** For every operation a human may call, what would tell of hidden memories. A new one does not compile without. */
const INPUTS: Inputs = {
  get: (world) => [...ids(world), { id: world.visible[0] ?? UNKNOWN }, { id: world.archivedId }],
  similar: (world) => ids(world).map(({ id }) => ({ id, threshold: 0, limit: 20 })),
  history: (world) => [...ids(world), ...world.visible.map((id) => ({ id }))],
  archived: (world) => [{}, ...limits, ...cursors(world)],
  query: (world) => [
    ...limits,
    ...cursors(world),
    ...(['core', 'working', 'episodic', 'semantic'] as const).flatMap((type) => [
      { type },
      { type, limit: 1 },
    ]),
    ...(['soul', 'tools', 'accounts', 'identity'] as const).map((category) => ({ category })),
    ...['private', 'team', `${CANARY}-tag`].map((tag) => ({ tags: [tag] })),
    ...['taken', 'rival', 'gone', `${CANARY}-soul`, 'plan'].map((key) => ({ key })),
    ...[CANARY, 'crane', 'Ada', 'timber'].map((entity) => ({ entity })),
    ...['shared', 'night'].map((session_id) => ({ session_id })),
    ...[0, 0.5, 1].map((importance_min) => ({ importance_min })),
    ...(['agent', 'human', 'reflection'] as const).map((source) => ({ source })),
    ...(['updated_at', 'importance'] as const).flatMap((sort) => [
      { sort, limit: 1 },
      { sort, order: 'asc' as const, limit: 100 },
    ]),
    ...some(world).map(({ occurred_at }) => ({ since: occurred_at, until: occurred_at })),
    ...moments.flatMap((known_at) => [{ known_at }, { known_at, limit: 1 }, { known_at, tags: ['private'] }]),
  ],
  recall: () =>
    texts.flatMap((query) => [
      { query, limit: 1 },
      { query, threshold: 0, limit: 100, include_times: true },
      { query, threshold: 0, session_id: 'shared' },
      { query, threshold: 0, types: ['semantic', 'core'] },
      { query, threshold: 0, tags: ['private'] },
      { query, threshold: 0, max_tokens: 40 },
      ...moments.map((known_at) => ({ query, threshold: 0, known_at })),
    ]),
  recalls: (world) => [{}, ...limits, period, ...ids(world).map(({ id }) => ({ memory_id: id }))],
  conflicts: () => [{}, ...limits, { status: 'waiting' }],
  memoryMap: () => [{}, { limit: 1 }, { limit: 3 }],
  memoryCalendar: () => [
    period,
    { ...period, types: ['semantic', 'core'] },
    { since: '2026-02-26', until: '2026-02-28' },
  ],
  files: () => [{}, ...['/memories/working', '/memories/soul', '/memories/taken'].map((path) => ({ path }))],
  memoryFacets: () => [
    {},
    ...(['core', 'working', 'episodic', 'semantic'] as const).map((type) => ({ type })),
    { limit: 1 },
  ],
  learnt: (world) => [
    { since: world.since, limit: 50 },
    { since: world.since, limit: 1 },
    { ...period, limit: 50 },
    ...moments.map((since) => ({ since, limit: 50 })),
  ],
  users: () => [{}, ...limits],
  erasure: () => [{ id: UNKNOWN }],
  forgetUser: () => [{ user_id: 'nobody' }],
  // Of spaces that are there, the matrix of callers tells.
  spaces: none,
  space: inNoSpace,
  createSpace: () => [{ name: 'Probe' }],
  renameSpace: () => [{ space_id: UNKNOWN, name: 'Probe' }],
  deleteSpace: inNoSpace,
  setSpaceMember: () => [{ space_id: UNKNOWN, tenant_id: UNKNOWN, right: 'read' }],
  removeSpaceMember: () => [{ space_id: UNKNOWN, tenant_id: UNKNOWN }],
  spaceGuardianQueue: inNoSpace,
  approveSpaceChange: () => [{ space_id: UNKNOWN, id: UNKNOWN }],
  rejectSpaceChange: () => [{ space_id: UNKNOWN, id: UNKNOWN }],
  memoryGrowth: () => [{}, { days: 1 }],
  boot: () => [
    {},
    { context_hint: CRANE },
    { context_hint: CANARY, session_id: 'shared' },
    { max_characters: 20_000 },
    ...moments.flatMap((moment) => [
      { as_of: moment, context_hint: CANARY },
      { known_at: moment, context_hint: CANARY },
    ]),
  ],
  previewBoot: () => [{}, { token_budget: 256 }, { episodic_limit: 1 }],
  bootConfig: none,
  compactions: () => [{}, { session_id: 'shared' }],
  status: none,
  dashboard: none,
  stability: none,
  stabilityHistory: none,
  visibility: none,
  guardianQueue: (world) => [
    {},
    ...limits,
    ...(['added', 'cooling', 'applied'] as const).map((status) => ({ status })),
    ...ids(world).map(({ id }) => ({ memory_id: id })),
    ...cursorsAt(world.hidden.entryIds.map((id) => [world.since, id])),
  ],
  guardianEntry: (world) => [...world.hidden.entryIds, world.pendingId, UNKNOWN].map((id) => ({ id })),
  guardianSettings: none,
  export: () => [
    {},
    { format: 'markdown' },
    ...moments.flatMap((moment) => [{ as_of: moment }, { known_at: moment }]),
  ],
  jobs: () => [{}, ...limits],
  job: (world) => [...world.jobIds, UNKNOWN].map((id) => ({ id })),
  distressSignals: none,
  eventEndpoints: none,
  eventDeliveries: ({ endpointId: id }) => [
    { id },
    ...limits.map((limit) => ({ id, ...limit })),
    { id, status: 'dead' },
  ],
  scheduleItems: (world) => [
    {},
    ...limits,
    ...cursorsAt(world.hidden.scheduleIds.map((id) => [world.since, id])),
  ],
  scheduleItem: (world) => [...world.hidden.scheduleIds, UNKNOWN].map((id) => ({ id })),
  wipItems: (world) => [{}, ...limits, ...cursorsAt(world.hidden.wipIds.map((id) => [world.since, id]))],
  wipItem: (world) => [...world.hidden.wipIds, UNKNOWN].map((id) => ({ id })),
  reflectConfig: none,
  tools: none,
  setupScript: () => [{ framework: 'generic' }],
  apiKeys: none,
  auditLog: () => [{}, ...limits, { chain: 'agent' }, { act: 'guardian.*' }],
  verifyAuditLog: () => [{}, { chain: 'agent' }],
  exportAuditLog: () => [{}, { format: 'ndjson' }, { chain: 'agent' }],

  update: (world) => [
    ...ids(world).flatMap(({ id }) => [
      { id, importance: 0.7 },
      { id, tags: ['shown'] },
      { id, content: 'Overwritten.', headers: { 'If-Match': '"1"' } },
    ]),
    ...[some(world)[0]?.id, world.visible[0], world.visible[1]].flatMap((id = UNKNOWN) => [
      { id, type: 'working' as const },
      { id, category: 'routine' as const },
      { id, key: 'taken' },
      { id, key: 'free' },
      { id, importance: 0.9, headers: { 'Idempotency-Key': `update-${id}` } },
    ]),
  ],
  remember: () => [
    { type: 'working', content: 'By the human.' },
    ...['taken', 'rival', 'gone', 'free', `${CANARY}-soul`, 'plan'].flatMap((key) =>
      (['working', 'semantic'] as const).map((type) => ({ type, content: 'By the human under a key.', key })),
    ),
    { type: 'working', content: 'Repeated.', headers: { 'Idempotency-Key': 'repeated' } },
    { type: 'working', content: 'Repeated.', headers: { 'Idempotency-Key': 'repeated' } },
  ],
  rememberBatch: () => [
    { memories: [{ type: 'working', content: 'One of a batch.' }] },
    {
      memories: [
        { type: 'working', content: 'One.' },
        { type: 'working', content: 'Two.', key: 'taken' },
      ],
    },
    {
      memories: [
        { type: 'working', content: 'One.' },
        { type: 'working', content: 'Two.', key: 'free' },
      ],
    },
  ],
  forget: (world) => [
    ...ids(world).map(({ id }) => ({ id, headers: { 'If-Match': '"1"' } })),
    ...ids(world),
    { id: world.visible[3] ?? UNKNOWN },
  ],
  restore: (world) => [...ids(world), { id: world.rivalId }, { id: world.archivedId }],
  syncWorking: () => [
    { content: '# Plan\n\nMine.\n', key: 'taken' },
    { content: '# Plan\n\nMine.\n', key: 'free' },
  ],
  syncCore: () => [{ files: [{ path: 'SOUL.md', content: '# Soul\n\nI am Mallory.\n' }] }],
  compaction: () => [
    {},
    { phase: 'pre', session_id: 'shared' },
    { context_hint: CRANE, include_semantic: true, session_id: 'night' },
    { transcript: [{ role: 'user', content: CANARY }], session_id: 'shared' },
  ],
  import: () =>
    (['true', 'false'] as const).flatMap((dry) =>
      [
        [
          {
            name: 'notes.json',
            content: JSON.stringify([{ type: 'semantic', content: `${CANARY} imported` }]),
          },
        ],
        [
          {
            name: 'keys.json',
            content: JSON.stringify([{ type: 'working', content: 'Mine.', key: 'taken' }]),
          },
        ],
        [
          {
            name: 'keys.json',
            content: JSON.stringify([{ type: 'working', content: 'Mine.', key: 'free' }]),
          },
        ],
        [{ name: 'export.json', content: EXPORT }],
      ].map((files) => ({ files, dry_run: dry === 'true' })),
    ),
  fileCommand: () => [
    { command: 'view', path: '/memories' },
    { command: 'view', path: '/memories/soul' },
    ...['taken', 'free'].flatMap((name) => [
      { command: 'create' as const, path: `/memories/${name}`, file_text: 'By the human.' },
      { command: 'delete' as const, path: `/memories/${name}` },
      { command: 'str_replace' as const, path: `/memories/${name}`, old_str: CANARY, new_str: 'x' },
      { command: 'insert' as const, path: `/memories/${name}`, insert_line: 0, insert_text: 'x' },
      { command: 'rename' as const, old_path: `/memories/${name}`, new_path: '/memories/other' },
      { command: 'rename' as const, old_path: '/memories/plan.md', new_path: `/memories/${name}` },
    ]),
  ],
  approveChange: (world) => [...world.hidden.entryIds, UNKNOWN].map((id) => ({ id })),
  rejectChange: (world) => [...world.hidden.entryIds, world.pendingId, UNKNOWN].map((id) => ({ id })),
  setBootConfig: () => [{ episodic_limit: 5 }],
  setGuardianSettings: () => [{ categories: ['tools'] }],
  renameTenant: () => [{ display_name: 'Renamed' }],
  connections: none,
  readAuthorization: () => [{ client_id: UNKNOWN, redirect_uri: 'https://app.example/back' }],
  approveAuthorization: () => [
    { client_id: UNKNOWN, redirect_uri: 'https://app.example/back', grant: 'read' },
  ],
  revokeConnection: () => [{ id: UNKNOWN }],
  createApiKey: () => [{ name: 'one more' }],
  rotateApiKey: () => [{ id: UNKNOWN }],
  revokeApiKey: () => [{ id: UNKNOWN }],
  acknowledgeDistress: none,
  createEventEndpoint: () => [{ url: 'http://127.0.0.1:45999/other' }],
  updateEventEndpoint: ({ endpointId: id }) => [{ id, events: ['*'] }],
  rotateEventSecret: ({ endpointId: id }) => [{ id }],
  testEventEndpoint: ({ endpointId: id }) => [{ id }],
  replayEventDelivery: ({ endpointId: id, hidden }) =>
    [...hidden.deliveryIds, UNKNOWN].map((delivery_id) => ({ id, delivery_id })),
  deleteEventEndpoint: () => [{ id: UNKNOWN }],
  createScheduleItem: () => [{ title: 'Mine', due_at: '2026-03-05' }],
  updateScheduleItem: (world) => [...world.hidden.scheduleIds, UNKNOWN].map((id) => ({ id, status: 'done' })),
  deleteScheduleItem: (world) => [...world.hidden.scheduleIds, UNKNOWN].map((id) => ({ id })),
  createWipItem: () => [{ title: 'Mine' }],
  updateWipItem: (world) => [...world.hidden.wipIds, UNKNOWN].map((id) => ({ id, title: 'Mine now' })),
  deleteWipItem: (world) => [...world.hidden.wipIds, UNKNOWN].map((id) => ({ id })),
  reflect: () => [{ older_than_days: 3_000 }],
  setReflectConfig: () => [{ every_hours: 48 }],
  cancelJob: (world) => [...world.jobIds, UNKNOWN].map((id) => ({ id })),

  // Last, since it takes back what the agent did.
  undo: (world) => [
    { source: 'agent', since: world.since, dry_run: true },
    { source: 'human', since: world.since },
    { source: 'import', since: world.since },
    { source: 'agent', since: world.since },
  ],
};

const EXPORT = JSON.stringify({
  ...{ version: '1', exported_at: '2026-02-01T00:00:00.000Z', tenant_id: UNKNOWN, archived: [], history: [] },
  memories: { core: [], working: [], episodic: [], semantic: [] },
});

/** Every probe of one kind of operation, in the order of the table. */
export function probesOf(world: World, which: 'reads' | 'writes'): Probe[] {
  return Object.keys(INPUTS).flatMap((key) => {
    const name = key as HumanOperation;
    const route: Route = routes[name];
    const isRead = route.access === 'read' || route.method === 'GET';
    if (isRead !== (which === 'reads')) return [];
    const inputs = INPUTS[name](world) as readonly Record<string, unknown>[];
    return inputs.flatMap(({ headers, ...input }, index) => {
      const more = headers ? { headers: headers as Record<string, string> } : {};
      const main = { ...toRequest(name, route.method, route.path, input), ...more };
      if (route.alsoGet === undefined || index > 0) return [main];
      return [main, { ...toRequest(name, 'GET', route.alsoGet, input), ...more }];
    });
  });
}

/** Names of the operations that are probed. */
export const PROBED: readonly string[] = Object.keys(INPUTS);

function toRequest(
  name: HumanOperation,
  method: string,
  path: string,
  input: Record<string, unknown>,
): Probe {
  const fields = { ...input };
  const filled = path.replace(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = fields[parameter];
    delete fields[parameter];
    return String(value);
  });
  if (method !== 'GET') return { name, method, path: filled, body: fields };
  const query = new URLSearchParams(
    Object.entries(fields).map(([field, value]): [string, string] => [field, String(value)]),
  );
  return { name, method, path: query.size === 0 ? filled : `${filled}?${query}` };
}
