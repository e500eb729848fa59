import type { Context } from '../../kernel/context/context.ts';
import type { MemoryType, Source } from '../../kernel/contract/fields.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { startOf } from '../records/row.ts';
import type { IndexEntry } from '../search-index/index-memories.ts';
import type { Fact } from '../supersession/fact.ts';
import { findRelated } from '../supersession/find-related.ts';
import { readFact } from '../supersession/read-fact.ts';
import { type Compared, type Settled, settle } from '../supersession/settle.ts';
import type { NewMemory } from './contract.ts';
import type { Tell } from './facts-being-stored.ts';
import { type ComparedFact, FactsByTerm } from './facts-by-term.ts';
import { type Related, toFields } from './insert.ts';

/** Types whose memories say what is so. Episodes say what was, and core memories are for the Guardian. */
const FACTS: readonly MemoryType[] = ['semantic', 'working'];

interface Analyzed {
  readonly draft: NewMemory;
  readonly analysis: IndexEntry;
}

type AllSettled = ReadonlyMap<NewMemory, Settled<Related>>;

/** Compares a fact with its kin; undefined where it has none. */
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
  tell: Tell = () => [],
): Promise<AllSettled> {
  const facts = added
    .filter(({ draft }) => FACTS.includes(draft.type) && source !== 'reflection')
    .map(({ draft, analysis }): ComparedFact => {
      return { draft, compared: toCompared(context.now, draft, source), analysis: analysis.terms };
    });
  if (facts.length === 0) return new Map();
  const settleWith = createSettle(context);
  const earlier = tell(facts);
  const settled = await compareWithStored(context, facts, settleWith);
  const bearing = earlier.filter((call) =>
    facts.some((fact) => bears(settleWith(fact, call.facts.near(fact)))),
  );
  if (bearing.length === 0) return settled;
  await Promise.all(bearing.map(({ ended }) => ended));
  return compareWithStored(context, facts, settleWith);
}

async function compareWithStored(
  context: Context,
  facts: readonly ComparedFact[],
  settleWith: Settle,
): Promise<AllSettled> {
  const related = await findRelated(
    context,
    facts.map(({ draft, analysis }) => ({ type: draft.type, analysis })),
  );
  const sameCall = new FactsByTerm();
  const settled = new Map<NewMemory, Settled<Related>>();
  for (const [place, fact] of facts.entries()) {
    await yieldToEventLoop();
    const outcome = settleWith(fact, [...(related[place] ?? []), ...sameCall.near(fact)]);
    if (outcome) settled.set(fact.draft, outcome);
    if (!outcome?.same) sameCall.add(fact);
  }
  return settled;
}

/** What a text says is read once a call, and only where there is kin: that takes longer than all else. */
function createSettle({ settings: { mergeRepeated: merges } }: Context): Settle {
  const known = new Map<string, Fact>();
  const factOf = (content: string) => {
    const fact = known.get(content) ?? readFact(content);
    known.set(content, fact);
    return fact;
  };
  return ({ compared }, kin) => (kin.length === 0 ? undefined : settle(compared, kin, { factOf, merges }));
}

/** Whether a comparison says anything of the kin. */
function bears(settled: Settled<Related> | undefined): boolean {
  if (!settled) return false;
  const { same, supersededBy, supersedes, conflicts, released } = settled;
  return Boolean(same || supersededBy) || [...supersedes, ...conflicts, ...released].length > 0;
}

function toCompared(now: Date, draft: NewMemory, source: Source): Compared {
  const { key, valid_from, valid_to, expires_at, metadata, supersedes } = draft;
  return {
    content: draft.content,
    category: draft.category ?? null,
    source,
    now,
    start: startOf(toFields(draft, now)),
    isDistinct: [key, valid_from, valid_to ?? undefined, expires_at ?? undefined, metadata, supersedes].some(
      (field) => field !== undefined,
    ),
  };
}
