import type { Input, OperationName } from '@svc-memory/core/contract';
import type { Caller, World } from './world.ts';

const NOBODY = '00000000-0000-4000-8000-00000000dead';

/** Makes what a call names: in the place of the caller's column, new for each call, so that no call meets the work of another. */
export class Things {
  readonly #world: World;
  readonly #place: { readonly user_id: string } | { readonly space_id: string };
  readonly #owner: World['agent'];
  readonly space_id: string;

  constructor(world: World, { names }: Caller) {
    this.#world = world;
    this.space_id = world.space_id;
    this.#owner = names === 'space' ? world.manager : world.agent;
    this.#place = names === 'space' ? { space_id: world.space_id } : { user_id: 'u1' };
  }

  get #word() {
    return 'space_id' in this.#place ? 'seeadler' : 'zwergkolibri';
  }

  async memory(): Promise<string> {
    const content = `Saw the ${this.#word} for the ${this.#world.nextNumber()}th time.`;
    const draft = { type: 'episodic', content } as const;
    return (await this.#owner.remember({ ...draft, ...this.#place })).memory.id;
  }

  async archived(): Promise<string> {
    const id = await this.memory();
    await this.#owner.forget({ id, ...this.#place });
    return id;
  }

  async scheduleItem(): Promise<string> {
    const item = { title: `Vet for the zwergkolibri`, due_at: '2026-03-04', user_id: 'u1' };
    return (await this.#world.agent.createScheduleItem(item)).item.id;
  }

  async wipItem(): Promise<string> {
    const item = { title: `Cage for the zwergkolibri`, user_id: 'u1' };
    return (await this.#world.agent.createWipItem(item)).item.id;
  }

  async job(): Promise<string> {
    const { agent } = this.#world;
    const user_id = 'u1';
    // Only some imports may wait at once.
    for (const { id } of (await agent.jobs({ user_id, status: 'queued' })).jobs)
      await agent.cancelJob({ id, user_id });
    const files = [{ name: 'zwergkolibri.md', content: 'It sings.' }];
    return (await agent.import({ files, user_id })).job?.id ?? NOBODY;
  }

  async erasure(): Promise<string> {
    return (await this.#world.agent.forgetUser({ user_id: await this.user() })).receipt.id;
  }

  /** A change to what the agent is that waits for its human. */
  async change(): Promise<string> {
    const { agent } = this.#world;
    // A memory has one such change at a time.
    for (const { id } of (await agent.guardianQueue({ status: 'cooling' })).entries)
      await agent.withdrawChange({ id });
    const { memory } = await agent.remember({
      type: 'core',
      category: 'identity',
      content: 'I keep the ankerkran.',
      key: 'keeper',
    });
    const { entry } = await agent.update({ id: memory.id, content: `I keep ${crypto.randomUUID()}.` });
    return entry?.id ?? NOBODY;
  }

  agentOfAccount(): Promise<string> {
    return this.#world.newAgent();
  }

  /** An agent that reads in the space. */
  async member(): Promise<string> {
    const tenant_id = await this.#world.newAgent();
    await this.#world.manager.setSpaceMember({ space_id: this.space_id, tenant_id, right: 'read' });
    return tenant_id;
  }

  /** A user of the agent. */
  async user(): Promise<string> {
    const user_id = crypto.randomUUID();
    await this.#world.agent.remember({ type: 'working', content: 'x', user_id });
    return user_id;
  }

  async distress(): Promise<void> {
    await this.#world.agent.distress({ context: 'The ankerkran is gone.' });
  }

  /** A change to a protected memory of the space that waits for a manager. */
  async sharedChange(): Promise<string> {
    const { entry } = await this.#world.writer.remember({
      type: 'core',
      category: 'operations',
      content: `Feed the seeadler ${crypto.randomUUID()}.`,
      space_id: this.space_id,
    });
    return entry?.id ?? NOBODY;
  }
}

/** What each route is called with, beside the user or the space. A new route does not compile without. */
type Inputs = {
  readonly [Name in OperationName]: (things: Things) => Partial<Input<Name>> | Promise<Partial<Input<Name>>>;
};

const none = () => ({});
const byNobody = () => ({ id: NOBODY });
const memory = async (things: Things) => ({ id: await things.memory() });
const schedule = async (things: Things) => ({ id: await things.scheduleItem() });
const wip = async (things: Things) => ({ id: await things.wipItem() });
const job = async (things: Things) => ({ id: await things.job() });
const change = async (things: Things) => ({ id: await things.change() });
const space = ({ space_id }: Things) => ({ space_id });
const sharedChange = async (things: Things) => ({ ...space(things), id: await things.sharedChange() });
const files = [{ name: 'a.md', content: 'It rains.' }];

const INPUTS: Inputs = {
  remember: () => ({ type: 'working', content: 'It rains.' }),
  rememberBatch: () => ({ memories: [{ type: 'working', content: 'It snows.' }] }),
  get: memory,
  update: async (things) => ({ id: await things.memory(), importance: 0.9 }),
  forget: memory,
  history: memory,
  archived: none,
  restore: async (things) => ({ id: await things.archived() }),
  undo: () => ({ source: 'agent', since: '2026-01-01', dry_run: true }),
  recall: () => ({ query: 'who sleeps by day?', threshold: 0, limit: 100 }),
  similar: async (things) => ({ id: await things.memory(), threshold: 0, limit: 20 }),
  recalls: none,
  query: () => ({ limit: 100 }),
  memoryMap: none,
  memoryCalendar: () => ({ since: '2026-01-01', until: '2026-12-31' }),
  memoryFacets: none,
  learnt: () => ({ since: '2026-01-01' }),
  memoryGrowth: none,
  boot: () => ({ preview: true, context_hint: 'who sleeps by day?' }),
  bootConfig: none,
  previewBoot: none,
  setBootConfig: () => ({ token_budget: 4_000 }),
  compaction: () => ({ session_id: 'night', context_hint: 'who sleeps by day?' }),
  compactions: none,
  reportMoments: () => ({
    moments: [{ id: crypto.randomUUID(), kind: 'flush', outcome: 'ok', at: '2026-03-01T12:00:00Z' }],
  }),
  syncWorking: () => ({ content: '# Plan\n\nWait for the sun.' }),
  syncCore: () => ({ files: [{ path: 'TOOLS.md', content: '# Tools\n\nA lamp.' }] }),
  files: none,
  fileCommand: () => ({ command: 'view', path: '/memories' }),
  guardianQueue: none,
  guardianSettings: none,
  setGuardianSettings: () => ({ categories: ['soul', 'identity'] }),
  guardianEntry: change,
  approveChange: change,
  rejectChange: change,
  withdrawChange: change,
  stability: none,
  stabilityHistory: none,
  dismissDriftCheck: () => ({ reason: 'I am well.' }),
  status: none,
  renameTenant: () => ({ display_name: 'Ada' }),
  apiKeys: none,
  createApiKey: () => ({ name: 'more' }),
  rotateApiKey: byNobody,
  revokeApiKey: byNobody,
  readAuthorization: () => ({ client_id: 'x', redirect_uri: 'https://app.example/back' }),
  approveAuthorization: () => ({ client_id: 'x', redirect_uri: 'https://app.example/back', grant: 'read' }),
  connections: none,
  revokeConnection: byNobody,
  users: none,
  forgetUser: async (things) => ({ user_id: await things.user() }),
  erasure: async (things) => ({ id: await things.erasure() }),
  createSpace: () => ({ name: 'Mine' }),
  spaces: none,
  space,
  renameSpace: (things) => ({ ...space(things), name: 'Crew' }),
  deleteSpace: space,
  setSpaceMember: async (things) => ({
    ...space(things),
    tenant_id: await things.agentOfAccount(),
    right: 'read',
  }),
  removeSpaceMember: async (things) => ({ ...space(things), tenant_id: await things.member() }),
  spaceGuardianQueue: space,
  approveSpaceChange: sharedChange,
  rejectSpaceChange: sharedChange,
  auditLog: none,
  verifyAuditLog: none,
  exportAuditLog: none,
  export: none,
  import: () => ({ files, dry_run: true }),
  sessionKey: none,
  visibility: none,
  setVisibility: () => ({ default: 'full' }),
  distress: () => ({ context: 'It is dark.' }),
  distressSignals: none,
  acknowledgeDistress: async (things) => {
    await things.distress();
    return {};
  },
  dashboard: none,
  eventEndpoints: none,
  createEventEndpoint: () => ({ url: 'https://hooks.example.com/in' }),
  updateEventEndpoint: () => ({ id: NOBODY, enabled: false }),
  deleteEventEndpoint: byNobody,
  rotateEventSecret: byNobody,
  testEventEndpoint: byNobody,
  eventDeliveries: byNobody,
  replayEventDelivery: () => ({ id: NOBODY, delivery_id: NOBODY }),
  scheduleItems: none,
  createScheduleItem: () => ({ title: 'Rest', due_at: '2026-03-09' }),
  scheduleItem: schedule,
  updateScheduleItem: async (things) => ({ ...(await schedule(things)), status: 'done' }),
  deleteScheduleItem: schedule,
  wipItems: none,
  createWipItem: () => ({ title: 'Rest' }),
  wipItem: wip,
  updateWipItem: async (things) => ({ ...(await wip(things)), status: 'done' }),
  deleteWipItem: wip,
  conflicts: none,
  reflect: none,
  reflectConfig: none,
  setReflectConfig: () => ({ enabled: true }),
  jobs: none,
  job,
  cancelJob: job,
  tools: none,
  setupScript: none,
};

/** The input of a caller for a route, with the user or the space that it calls for, where the route takes them. */
export async function inputFor(
  name: OperationName,
  fields: readonly string[],
  { world, caller }: { readonly world: World; readonly caller: Caller },
): Promise<object> {
  const input = await INPUTS[name](new Things(world, caller));
  const target = Object.entries(caller.target).filter(([field]) => fields.includes(field));
  return { ...input, ...Object.fromEntries(target.filter(([field]) => !(field in input))) };
}
