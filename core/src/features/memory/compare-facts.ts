import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { startOf } from '../records/row.ts';
import { FACT_TYPES } from '../search-index/fact-type.ts';
import type { IndexEntry } from '../search-index/index-memories.ts';
import { findRelated } from '../supersession/find-related.ts';
import type { HeldMemories } from '../supersession/held-memories.ts';
import { type Compared, type Settled, settle } from '../supersession/settle.ts';
import { currentView } from '../visibility/view.ts';
import type { NewMemory } from './contract.ts';
import type { Tell } from './facts-being-stored.ts';
import { type ComparedFact, FactsByTerm } from './facts-by-term.ts';
import { type Related, toFields } from './insert.ts';

interface Analyzed {
  readonly draft: NewMemory;
  readonly analysis: IndexEntry;
}

/** How new facts stand to those that share words with them. */
export interface ComparisonResult {
  readonly settled: ReadonlyMap<NewMemory, Settled<Related>>;
  /** What they were compared with, where that was not what is stored: then they change none of it. */
  readonly held?: HeldMemories;
}

const NOTHING: ComparisonResult = { settled: new Map() };

/** Compares a fact with its kin; undefined where it has none. What stands under its key already is no kin, but itself. */
type Settle = (fact: ComparedFact, kin: readonly Related[]) => Settled<Related> | undefined;

/**
 * Compares new facts with those that share words with them: stored, being stored, or before them in the same call. What
 * reflection writes tells again what is there, and is compared with nothing.
 *
 * @param source Who is to have written them.
 * @param tell Tells other calls of these facts until they are stored; without it these do not know of them.
 */
export async function compareFacts(
  context: Context,
  added: readonly Analyzed[],
  source: Source,
  tell?: Tell,
): Promise<ComparisonResult> {
  const facts = factsOf(context, added, source);
  if (facts.length === 0) return NOTHING;
  const settleWith = createSettle(context);
  const earlier = tell?.(facts) ?? [];
  const bearing = earlier.filter((call) =>
    facts.some((fact) => bears(settleWith(fact, call.facts.near(fact)))),
  );
  const mayBeHeld = tell !== undefined && bearing.length === 0;
  const compared = mayBeHeld && (await compareWithHeld(context, added, facts, settleWith));
  if (compared) return compared;
  if (tell) context.heldMemories.noteCompared(context.tenantId, facts.length);
  if (bearing.length > 0) await Promise.all(bearing.map(({ ended }) => ended));
  return compareWithStored(context, facts, settleWith);
}

/**
 * Compares what a stored memory says from now on with what is stored.
 *
 * @param id The memory.
 */
export async function compareChanged(
  context: Context,
  changed: Analyzed,
  id: string,
): Promise<Settled<Related> | undefined> {
  const facts = factsOf(context, [changed], context.actor.source);
  if (facts.length === 0) return undefined;
  const { settled } = await compareWithStored(context, facts, createSettle(context, id));
  return settled.get(changed.draft);
}

/** Compares with what is stored by now those that were compared with what had been held before. */
export function compareAgain(
  context: Context,
  added: readonly Analyzed[],
  source: Source,
): Promise<ComparisonResult> {
  return compareWithStored(context, factsOf(context, added, source), createSettle(context));
}

function factsOf({ now }: Context, added: readonly Analyzed[], source: Source): ComparedFact[] {
  return added
    .filter(({ draft }) => FACT_TYPES.includes(draft.type) && source !== 'reflection')
    .map(({ draft, analysis }) => {
      return { draft, compared: toCompared(now, draft, source), analysis: analysis.terms };
    });
}

/**
 * Compares facts with the memories that this process holds, which takes no wait for the database. These may be outdated: what is
 * stored by it is stored under their guard. Undefined for one fact where something would come of it: one that changes nothing
 * is stored together with those of other calls.
 */
async function compareWithHeld(
  context: Context,
  added: readonly Analyzed[],
  facts: readonly ComparedFact[],
  settleWith: Settle,
): Promise<ComparisonResult | undefined> {
  const { tenantId, now, languageModel, heldMemories } = context;
  if (added.some(({ draft }) => draft.key !== undefined || draft.supersedes || draft.type === 'core'))
    return undefined;
  if (!(await currentView(context)).isFull) return undefined;
  const held = await heldMemories.of(tenantId);
  if (!held) return undefined;
  const settled = await settleAll(facts, settleWith, ({ draft, analysis }) => {
    const [kin = []] = held.findRelated([{ type: draft.type, analysis }], now);
    return kin;
  });
  const [only, ...others] = added;
  const alone = only && others.length === 0 ? settled.get(only.draft) : undefined;
  if (!alone) return { settled, held };
  const isUndecided = languageModel !== undefined && alone.undecided.length > 0;
  return isUndecided || changesAny(alone) ? undefined : { settled, held };
}

async function compareWithStored(
  context: Context,
  facts: readonly ComparedFact[],
  settleWith: Settle,
): Promise<ComparisonResult> {
  const related = await findRelated(
    context,
    facts.map(({ draft, analysis }) => ({ type: draft.type, analysis })),
  );
  return { settled: await settleAll(facts, settleWith, (_, place) => related[place] ?? []) };
}

/** Compares facts of one call in their order: each with its stored kin, and with those before it. */
async function settleAll(
  facts: readonly ComparedFact[],
  settleWith: Settle,
  kinOf: (fact: ComparedFact, place: number) => readonly Related[],
): Promise<Map<NewMemory, Settled<Related>>> {
  const sameCall = new FactsByTerm();
  const settled = new Map<NewMemory, Settled<Related>>();
  for (const [place, fact] of facts.entries()) {
    await yieldToEventLoop();
    const outcome = settleWith(fact, [...kinOf(fact, place), ...sameCall.near(fact)]);
    if (outcome) {
      settled.set(fact.draft, outcome);
      sameCall.note(outcome, fact.compared.start);
    }
    if (!outcome?.same && place < facts.length - 1) sameCall.add(fact);
  }
  return settled;
}

function createSettle({ settings: { mergeRepeated: merges } }: Context, except?: string): Settle {
  return ({ compared }, kin) => {
    const isItself = (one: Related) =>
      'id' in one && (one.id === except || (one.key !== null && one.key === compared.key));
    const others = kin.filter((one) => !isItself(one));
    return others.length === 0 ? undefined : settle(compared, others, { merges });
  };
}

/** Whether a comparison says anything of the kin. */
function bears(settled: Settled<Related> | undefined): boolean {
  return settled !== undefined && (changesAny(settled) || settled.conflicts.length > 0);
}

/** Whether a new fact changes one that is there, or is stored otherwise because of it. */
function changesAny({ same, supersededBy, supersedes, released }: Settled<Related>): boolean {
  return Boolean(same || supersededBy) || supersedes.length > 0 || released.length > 0;
}

function toCompared(now: Date, draft: NewMemory, source: Source): Compared {
  const { key, valid_from, valid_to, expires_at, metadata, supersedes } = draft;
  return {
    content: draft.content,
    category: draft.category ?? null,
    source,
    now,
    start: startOf(toFields(draft, now)),
    key: key ?? null,
    metadata: metadata ?? null,
    isDistinct: [key, valid_from, valid_to ?? undefined, expires_at ?? undefined, metadata, supersedes].some(
      (field) => field !== undefined,
    ),
  };
}
