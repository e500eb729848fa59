import { createEngine, openPglite, RECALL_SIGNALS, type RecallSignal } from '@svc-memory/core';
import { type Conversation, categoryName } from './dataset.ts';
import { storeTurns } from './store-turns.ts';

/** Mean recall@10 with one signal left out, of all questions and by category. */
export interface Ablated {
  readonly category: string;
  readonly questions: number;
  readonly means: Readonly<Record<string, number>>;
}

const RANK = 10;

/** Steps of the whole, for a progress bar. */
export const ablationSteps = (questions: number) => questions * (RECALL_SIGNALS.length + 1);

/** Asks every question with everything that recall looks at, and then without each signal; in process. */
export async function ablate(conversations: readonly Conversation[], onStep: () => void): Promise<Ablated[]> {
  const database = await openPglite();
  const engineWithout = (recallWithout: readonly RecallSignal[]) =>
    createEngine({ database, settings: { recallWithout } });
  const whole = engineWithout([]);
  const variants = [
    { name: 'everything', engine: whole },
    ...RECALL_SIGNALS.map((signal) => ({ name: `without ${signal}`, engine: engineWithout([signal]) })),
  ];
  const shares = new Map<string, { category: string; share: number }[]>(
    variants.map(({ name }) => [name, []]),
  );
  try {
    for (const { sample_id, turns, questions } of conversations) {
      const { id } = await whole.tenants.create({ displayName: sample_id, plan: 'local' });
      const turnOf = await storeTurns(whole.agent(id), turns);
      const stored = new Set(turnOf.values());
      for (const { name, engine } of variants) {
        const agent = engine.agent(id);
        for (const { question, evidence, category } of questions) {
          const present = evidence.filter((turn) => stored.has(turn));
          if (present.length > 0) {
            const { results } = await agent.recall({ query: question, threshold: 0, limit: RANK });
            const found = new Set(results.map((result) => turnOf.get(result.id)));
            const share = present.filter((turn) => found.has(turn)).length / present.length;
            shares.get(name)?.push({ category: categoryName(category), share });
          }
          onStep();
        }
      }
    }
  } finally {
    await whole.close();
  }
  const full = mean(shares.get('everything') ?? []);
  return [...shares].map(([name, list]) => {
    const categories = [...new Set(list.map(({ category }) => category))].sort();
    return {
      category: name,
      questions: list.length,
      means: {
        [`recall@${RANK}`]: mean(list),
        change: mean(list) - full,
        ...Object.fromEntries(
          categories.map((name) => [name, mean(list.filter(({ category }) => category === name))]),
        ),
      },
    };
  });
}

function mean(list: readonly { readonly share: number }[]): number {
  return list.reduce((sum, { share }) => sum + share, 0) / Math.max(1, list.length);
}
