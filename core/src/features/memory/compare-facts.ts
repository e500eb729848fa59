import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { inOrderOfTime, startOf } from '../records/row.ts';
import { FACT_TYPES } from '../search-index/fact-type.ts';
import type { IndexEntry } from '../search-index/index-memories.ts';
import { type Compared, changesAny, compareFact, type FactComparison } from '../supersession/compare-fact.ts';
import { findRelated } from '../supersession/find-related.ts';
import type { HeldMemories } from '../supersession/held-memories.ts';
import { currentView } from '../visibility/view.ts';
import type { NewMemory } from './contract.ts';
import type { Announce } from './facts-being-stored.ts';
import { type ComparedFact, FactsByTerm } from './facts-by-term.ts';
import { type Related, toFields } from './insert.ts';

interface Analyzed {
  readonly draft: NewMemory;
  readonly analysis: Pick<IndexEntry, 'terms'>;
}

/** How new facts stand to those that share words with them. */
export interface ComparisonResult {
  readonly comparisons: ReadonlyMap<NewMemory, FactComparison<Related>>;
  /** The memories in this process that they were compared with, where these were not read from the database. */
  readonly held?: HeldMemories;
}

const NOTHING: ComparisonResult = { comparisons: new Map() };

/** Compares a fact with related ones; undefined where it has none. A stored memory of the same key does not count: it is the fact itself. */
type CompareOne = (fact: ComparedFact, related: readonly Related[]) => FactComparison<Related> | undefined;

/**
 * Compares new facts with those that share words with them: stored ones, those that other calls are storing, and those before them in
 * the same call. What reflection writes repeats what is stored, and is compared with nothing.
 *
 * @param source Who the facts are recorded under.
 * @param announce Lets other calls know of these facts until they are stored; default: they do not.
 */
export async function compareFacts(
  context: Context,
  added: readonly Analyzed[],
  source: Source,
  announce?: Announce,
): Promise<ComparisonResult> {
  const facts = factsOf(context, added, source);
  if (facts.length === 0) return NOTHING;
  const compareOne = comparisonIn(context);
  const earlier = announce?.(facts) ?? [];
  const bearing = earlier.filter((call) =>
    facts.some((fact) => {
      const { key } = fact.draft;
      return (key !== undefined && call.keys.has(key)) || bears(compareOne(fact, call.facts.near(fact)));
    }),
  );
  const mayBeHeld = announce !== undefined && bearing.length === 0;
  const compared = mayBeHeld && (await compareWithHeld(context, added, facts, compareOne));
  if (compared) return compared;
  if (announce) context.heldMemories.noteCompared(context.tenantId, facts.length);
  if (bearing.length > 0) await Promise.all(bearing.map(({ ended }) => ended));
  return compareWithStored(context, facts, compareOne);
}

/**
 * Compares the new content of a stored memory with the other stored ones.
 *
 * @param id The memory.
 * @param source Who said it; default: the caller.
 * @param tx The transaction that changes it; default: none.
 */
export async function compareChanged(
  context: Context,
  changed: Analyzed,
  id: string,
  source: Source = context.actor.source,
  tx?: Tx,
): Promise<FactComparison<Related> | undefined> {
  const facts = factsOf(context, [changed], source);
  if (facts.length === 0) return undefined;
  const { comparisons } = await compareWithStored(context, facts, comparisonIn(context, id), tx);
  return comparisons.get(changed.draft);
}

/**
 * Compares facts with the database that were compared with what is outdated: with memories of this process, or with stored ones that
 * have changed since.
 *
 * @param tx The transaction that stores them; default: none.
 */
export function compareAgain(
  context: Context,
  added: readonly Analyzed[],
  source: Source,
  tx?: Tx,
): Promise<ComparisonResult> {
  return compareWithStored(context, factsOf(context, added, source), comparisonIn(context), tx);
}

function factsOf({ now }: Context, added: readonly Analyzed[], source: Source): ComparedFact[] {
  return added
    .filter(({ draft }) => FACT_TYPES.includes(draft.type) && source !== 'reflection')
    .map(({ draft, analysis }) => {
      return { draft, compared: toCompared(now, draft, source), analysis: analysis.terms };
    });
}

/**
 * Compares facts with the memories that this process holds, without asking the database. These may be outdated, so storing the facts
 * must fail where they are (`HeldMemories.guard`).
 *
 * @returns undefined where the database must be asked: this process does not hold the memories, or not all that tell what supersedes
 *   them; the caller may not see all of them; a draft has a key or names what it supersedes; or a single fact changes others, and so cannot join the batch of those that
 *   do not.
 */
async function compareWithHeld(
  context: Context,
  added: readonly Analyzed[],
  facts: readonly ComparedFact[],
  compareOne: CompareOne,
): Promise<ComparisonResult | undefined> {
  const { tenantId, now, languageModel, heldMemories } = context;
  if (added.some(({ draft }) => draft.key !== undefined || draft.supersedes || draft.type === 'core'))
    return undefined;
  if (!(await currentView(context)).isFull) return undefined;
  const held = await heldMemories.of(tenantId);
  if (!held) return undefined;
  let isWhole = true;
  const comparisons = await compareAll(facts, compareOne, ({ draft, analysis }) => {
    const related = held.findRelated([{ type: draft.type, analysis }], now);
    isWhole &&= related !== undefined;
    return related?.[0] ?? [];
  });
  if (!isWhole) return undefined;
  const [only, ...others] = added;
  const alone = only && others.length === 0 ? comparisons.get(only.draft) : undefined;
  if (!alone) return { comparisons, held };
  const isUndecided = languageModel !== undefined && alone.undecided.length > 0;
  return isUndecided || changesAny(alone) ? undefined : { comparisons, held };
}

async function compareWithStored(
  context: Context,
  facts: readonly ComparedFact[],
  compareOne: CompareOne,
  tx?: Tx,
): Promise<ComparisonResult> {
  const related = await findRelated(
    context,
    facts.map(({ draft, analysis }) => ({ type: draft.type, analysis })),
    tx,
  );
  return { comparisons: await compareAll(facts, compareOne, (_, place) => related[place] ?? []) };
}

/**
 * Compares the facts of one call in the order in which they begin to hold: each with the stored facts that it is related to, and with
 * those before it. So it makes no difference in which order a call names them.
 */
async function compareAll(
  facts: readonly ComparedFact[],
  compareOne: CompareOne,
  relatedTo: (fact: ComparedFact, place: number) => readonly Related[],
): Promise<Map<NewMemory, FactComparison<Related>>> {
  const sameCall = new FactsByTerm();
  const comparisons = new Map<NewMemory, FactComparison<Related>>();
  const inTime = inOrderOfTime([...facts.entries()], ([, { compared }]) => compared.start);
  for (const [place, fact] of inTime) {
    await yieldToEventLoop();
    const outcome = compareOne(fact, [...sameCall.noted(relatedTo(fact, place)), ...sameCall.near(fact)]);
    if (outcome) {
      comparisons.set(fact.draft, outcome);
      sameCall.note(outcome, fact.compared.start);
    }
    if (!outcome?.same && facts.length > 1) sameCall.add(fact, outcome?.supersededBy?.other);
  }
  return comparisons;
}

function comparisonIn({ settings: { mergeRepeated: merges } }: Context, except?: string): CompareOne {
  return ({ compared }, related) => {
    const isItself = (one: Related) =>
      'id' in one && (one.id === except || (one.key !== null && one.key === compared.key));
    const others = related.filter((one) => !isItself(one));
    return others.length === 0 ? undefined : compareFact(compared, others, { merges });
  };
}

/** Whether a comparison found anything: a change, or a conflict. */
function bears(comparison: FactComparison<Related> | undefined): boolean {
  return comparison !== undefined && (changesAny(comparison) || comparison.conflicts.length > 0);
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
