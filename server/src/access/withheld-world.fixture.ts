import type { AgentMemory, Input, Output } from '@svc-memory/core/contract';
import type { TestAccounts } from '../accounts/accounts.fixture.ts';

/** Stands in every text that the agent withholds. */
export const CANARY = 'xyzzy-canary';
export const CRANE = 'harbour crane painted green';

type Draft = Input<'remember'>;
type Item = Input<'createWipItem'>;

/** One kind of rule, and memories that it hides. */
export interface RuleKind {
  readonly settings: Input<'setVisibility'>;
  /** Whether a memory is withheld by it. */
  withholds(draft: Draft): boolean;
  readonly hidden: readonly Draft[];
  /** One more, without a key. */
  readonly extra: Draft;
  /** Works in progress and dates that go with hidden working memory. */
  readonly items?: readonly Item[];
  /** Whether the agent makes digests of what is hidden, and tags to give the episodes afterwards. */
  readonly digest?: { readonly tags?: readonly string[] };
}

const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 1, day, hour)).toISOString();
const secret = (what: string) => `${CANARY} ${what}: the ${CRANE}`;
const tagged = (draft: Draft): Draft => ({ ...draft, tags: ['private', `${CANARY}-tag`] });
const isTagged = ({ tags = [] }: Draft) => tags.includes('private');
const NOTHING_ELSE = { importance: 1, session_id: 'shared' } as const;

const hiddenSoul: Draft = { type: 'core', category: 'soul', content: secret('soul'), key: `${CANARY}-soul` };
const hiddenTools: Draft = { type: 'core', category: 'tools', content: secret('tools'), key: 'taken' };
const hiddenPlan: Draft = { type: 'working', content: secret('plan'), key: 'taken', ...NOTHING_ELSE };
const hiddenEpisode: Draft = {
  ...{ type: 'episodic', content: secret('episode'), occurred_at: at(27), ...NOTHING_ELSE },
};
const hiddenFact: Draft = { type: 'semantic', content: secret('fact'), occurred_at: at(26), ...NOTHING_ELSE };
const hiddenFile: Draft = {
  type: 'semantic',
  content: secret('file'),
  key: 'files/taken',
  occurred_at: at(24),
};
const episodes: Draft[] = [
  'The night shift moved the barge to berth four.',
  'The barge at berth four was loaded with timber.',
  'The timber at berth four was counted twice.',
  'The barge left berth four with the timber.',
].map((text, hour) => ({
  type: 'episodic',
  content: `${CANARY} ${text}`,
  session_id: 'night',
  occurred_at: at(2, hour),
}));

/** Every way in which settings can hide a memory. */
export const RULE_KINDS: Readonly<Record<string, RuleKind>> = {
  'the default': {
    settings: { default: 'hidden' },
    withholds: () => true,
    hidden: [hiddenSoul, hiddenTools, { ...hiddenPlan, key: 'plan' }, hiddenEpisode, hiddenFact, hiddenFile],
    extra: hiddenFact,
    items: [{ title: `${CANARY} work`, note: CANARY }],
  },
  'a type': {
    settings: { types: { semantic: 'hidden', core: 'hidden' } },
    withholds: ({ type }) => type === 'semantic' || type === 'core',
    hidden: [
      hiddenSoul,
      hiddenTools,
      hiddenFact,
      { ...hiddenFact, occurred_at: at(1), key: 'fact' },
      hiddenFile,
    ],
    extra: hiddenFact,
  },
  'the type of work': {
    settings: { types: { working: 'hidden' } },
    withholds: ({ type }) => type === 'working',
    hidden: [hiddenPlan, { ...hiddenPlan, key: 'other', importance: 0 }],
    extra: { ...hiddenFact, type: 'working' },
    items: [{ title: `${CANARY} work`, note: CANARY }],
  },
  'a category': {
    settings: { categories: { soul: 'hidden', tools: 'hidden', accounts: 'hidden' } },
    withholds: ({ category }) => ['soul', 'tools', 'accounts'].includes(category ?? ''),
    hidden: [hiddenSoul, hiddenTools, { ...hiddenEpisode, category: 'accounts' }],
    extra: { ...hiddenFact, category: 'accounts' },
  },
  'a tag': {
    settings: { tags: { private: 'hidden' } },
    withholds: isTagged,
    hidden: [hiddenSoul, hiddenPlan, hiddenEpisode, hiddenFact, hiddenFile].map(tagged),
    extra: tagged(hiddenFact),
  },
  'a digest of hidden episodes': {
    settings: { types: { episodic: 'hidden' } },
    withholds: ({ type }) => type === 'episodic',
    hidden: episodes,
    extra: hiddenEpisode,
    digest: {},
  },
  'a digest of episodes tagged later': {
    settings: { tags: { private: 'hidden' } },
    withholds: (draft) => isTagged(draft) || draft.type === 'episodic',
    hidden: episodes,
    extra: tagged(hiddenFact),
    digest: { tags: ['private'] },
  },
};

const VISIBLE: readonly Draft[] = [
  { type: 'working', content: `Plan: the ${CRANE} on Friday.`, key: 'plan', tags: ['team'] },
  { type: 'working', content: 'Spare: buy paint.', key: 'spare', importance: 0.4 },
  {
    ...{ type: 'episodic', content: `We saw the ${CRANE}.`, occurred_at: at(10) },
    ...{ session_id: 'shared', tags: ['team'] },
  },
  { type: 'episodic', content: 'We bought brushes.', occurred_at: at(11), session_id: 'shared' },
  { type: 'semantic', content: `Fact: a ${CRANE} lasts ten years.`, occurred_at: at(12), tags: ['team'] },
  { type: 'semantic', content: 'Paint dries in a day.', occurred_at: at(13) },
  { type: 'core', category: 'identity', content: 'I am Ada, who paints cranes.' },
  { type: 'core', category: 'routine', content: 'Every morning: check the weather.', key: 'routine' },
  { type: 'semantic', content: 'A file that the human may see.', key: 'files/plan.md' },
];

/** Where a human looks for what the agent of one of two tenants hides. */
export interface World {
  readonly agent: AgentMemory;
  readonly tenantId: string;
  readonly since: string;
  /** Ids of memories that the human may see, in the order they were stored. */
  readonly visible: readonly string[];
  /** Visible and archived; of the second the agent hides something under the same key. */
  readonly archivedId: string;
  readonly rivalId: string;
  /** A Guardian entry that waits for the human. */
  readonly pendingId: string;
  readonly endpointId: string;
  readonly jobIds: readonly string[];
  readonly hidden: Hidden;
}

/** What the agent hides. */
export interface Hidden {
  readonly memories: readonly Memory[];
  readonly entryIds: readonly string[];
  readonly deliveryIds: readonly string[];
  readonly wipIds: readonly string[];
  readonly scheduleIds: readonly string[];
}
type Memory = Output<'get'>['memory'];

/** The first moment of a world. */
export const START = Date.UTC(2026, 2, 1, 12);
/** An id that nothing has. */
export const UNKNOWN = '01a1fd19-0000-7000-8000-00000000ffff';

/**
 * Gives a tenant memories, some of which its agent hides.
 *
 * @param hidden What the agent of another tenant hides: this one hides nothing then, and all else is the same.
 */
export async function buildWorld(
  { kit }: TestAccounts,
  { tenantId, endpointId }: { readonly tenantId: string; readonly endpointId: string },
  kind: RuleKind,
  hidden?: Hidden,
): Promise<World> {
  const hides = hidden === undefined;
  const agent = kit.engine.agent(tenantId);
  // What is hidden has times of its own, and takes none of the others'.
  let minute = 0;
  const tick = () => kit.clock.set(new Date(START + ++minute * 60_000));
  const tickHidden = () => kit.clock.advance(1_000);
  tick();
  const since = kit.clock().toISOString();
  const { session_key: sessionKey } = await agent.sessionKey();
  await agent.setVisibility(kind.settings, { sessionKey });
  const work = () => kit.engine.background.run('jobs.work');
  const hide = async (drafts: readonly Draft[]) => {
    const ids: string[] = [];
    for (const draft of hides ? drafts : []) {
      tickHidden();
      ids.push((await agent.remember(draft)).memory.id);
    }
    return ids;
  };

  const open = VISIBLE.filter((draft) => !kind.withholds(draft));
  const half = Math.ceil(kind.hidden.length / 2);
  const ids = await hide(kind.hidden.slice(0, half));
  const visible: string[] = [];
  for (const draft of open) {
    tick();
    visible.push((await agent.remember(draft)).memory.id);
  }
  ids.push(...(await hide(kind.hidden.slice(half))));

  const archive = async (key?: string) => {
    const [like] = open;
    if (!like) return UNKNOWN;
    tick();
    const draft = { type: like.type, content: `Archived ${key ?? 'brush'}.`, ...(key ? { key } : {}) };
    const { memory } = await agent.remember({
      ...draft,
      ...(like.category ? { category: like.category } : {}),
    });
    await agent.forget({ id: memory.id });
    return memory.id;
  };
  const [archivedId, rivalId] = [await archive(), await archive('rival')];
  const identity = visible[open.findIndex(({ category }) => category === 'identity')];
  tick();
  const changed = 'I am Eve, who steals cranes.';
  const pending = identity ? await agent.update({ id: identity, content: changed }) : undefined;

  const [rival, gone] = await hide([
    { ...kind.extra, key: 'rival' },
    { ...kind.extra, content: `${CANARY} forgotten`, key: 'gone' },
  ]);
  if (rival && gone) {
    tickHidden();
    await agent.update({ id: rival, content: `${CANARY} revised` });
    await agent.forget({ id: gone });
    await kit.engine.database.transaction(tenantId, async (tx) => {
      await tx.execute(
        `UPDATE memories SET superseded_by = '${rival}' WHERE id = '${visible[4] ?? visible[0] ?? UNKNOWN}'`,
      );
      await tx.execute(`UPDATE memories SET merged_into = '${rival}' WHERE id = '${archivedId}'`);
    });
  }
  const items = open
    .slice(0, 1)
    .map(({ type, category, content }) => ({ type, category, content: `${content} (imported)` }));
  if (items.length > 0) {
    tick();
    const { type, category, tags } = kind.extra;
    const hiddenOne = { type, category, tags, content: `${CANARY} imported`, occurred_at: at(20) };
    const more = hides ? [hiddenOne] : [];
    await agent.import({ files: [{ name: 'notes.json', content: JSON.stringify([...items, ...more]) }] });
    await work();
  }
  if (kind.digest) {
    tick();
    await agent.reflect({ older_than_days: 0 });
    await work();
    const { tags } = kind.digest;
    if (hides && tags) for (const id of ids) await agent.update({ id, tags: [...tags] });
  }
  tick();
  // Whole, since what says of a cut entry where the rest is would differ by its id.
  await agent.setBootConfig({ truncate_at: 32_768 });
  for (const use of [
    () => agent.boot(),
    () => agent.recall({ query: CRANE }),
    () => agent.query({ limit: 100 }),
    () => agent.compaction({ session_id: 'shared' }),
    () => agent.reflect({ older_than_days: 3_000 }),
    work,
  ]) {
    tick();
    await use();
  }
  tick();
  const { export: everything } = await agent.export();
  const made = hides ? (kind.items ?? []) : [];
  for (const item of made) {
    tickHidden();
    await agent.createWipItem(item);
    await agent.createScheduleItem({ ...item, due_at: at(28) });
  }
  const secret = (value: object) => JSON.stringify(value).includes(CANARY);
  const memories = [...Object.values(everything.memories).flat(), ...everything.archived].filter(secret);
  const entries = (await agent.guardianQueue({ limit: 100 })).entries.filter(secret);
  return {
    ...{ agent, tenantId, since, visible, archivedId, rivalId, endpointId },
    pendingId: pending?.entry?.id ?? UNKNOWN,
    jobIds: (await agent.jobs()).jobs.map(({ id }) => id),
    hidden: hidden ?? {
      memories,
      entryIds: entries.map(({ id }) => id),
      deliveryIds: await deliveriesAbout(kit, tenantId, memories),
      wipIds: (await agent.wipItems()).items.map(({ id }) => id),
      scheduleIds: (await agent.scheduleItems()).items.map(({ id }) => id),
    },
  };
}

async function deliveriesAbout(
  { engine }: TestAccounts['kit'],
  tenantId: string,
  memories: readonly Memory[],
) {
  const ids = memories.map(({ id }) => `'${id}'`).join(', ');
  const found: unknown = await engine.database.read(tenantId, (tx) =>
    tx.execute(`SELECT delivery.id FROM event_deliveries delivery JOIN events event ON event.id = delivery.event_id
      WHERE event.data ->> 'memory_id' IN (${ids})`),
  );
  // The drivers wrap rows differently.
  const list = Array.isArray(found) ? found : (found as { rows: unknown[] }).rows;
  return (list as { id: string }[]).map(({ id }) => id);
}
