import { openPglite, RECALL_SIGNALS, type RecallSignal } from '@svc-memory/core';
import type { Conversation } from './dataset.ts';
import { openEngine } from './open-engine.ts';
import { mean, type Row } from './score.ts';
import { storeTurns } from './store-turns.ts';

const RANK = 10;

/** Steps of the whole, for a progress bar. */
export const ablationSteps = (questions: number) => questions * (RECALL_SIGNALS.length + 1);

/** Asks every question with everything that recall looks at, and then without each signal; in process. */
export async function ablate(conversations: readonly Conversation[], onStep: () => void): Promise<Row[]> {
  const database = await openPglite();
  const engineWithout = (recallWithout: readonly RecallSignal[]) =>
    openEngine({ database, settings: { recallWithout } });
  const whole = await engineWithout([]);
  const variants = [
    { name: 'everything', engine: whole },
    ...(await Promise.all(
      RECALL_SIGNALS.map(async (signal) => ({
        name: `without ${signal}`,
        engine: await engineWithout([signal]),
      })),
    )),
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
            shares.get(name)?.push({ category, share });
          }
          onStep();
        }
      }
    }
  } finally {
    await whole.close();
  }
  const meanOf = (list: readonly { readonly share: number }[]) => mean(list.map(({ share }) => share));
  const full = meanOf(shares.get('everything') ?? []);
  return [...shares].map(([name, list]) => {
    const categories = [...new Set(list.map(({ category }) => category))].sort();
    return {
      name,
      questions: list.length,
      values: {
        [`recall@${RANK}`]: meanOf(list),
        change: meanOf(list) - full,
        ...Object.fromEntries(
          categories.map((one) => [one, meanOf(list.filter(({ category }) => category === one))]),
        ),
      },
    };
  });
}
