import { type Coverage, cover } from './coverage.ts';
import type { Conversation } from './dataset.ts';
import { openEngine } from './open-engine.ts';
import { mean, type Row } from './score.ts';
import { storeTurns } from './store-turns.ts';

/** What a conversation's boot and recall hold before and after it was reflected on, without a model. */
export async function compareReflection(
  conversations: readonly Conversation[],
  onQuestion: () => void,
): Promise<Row[]> {
  const engine = await openEngine();
  const recall: Record<'before' | 'after', number[]> = { before: [], after: [] };
  const boot: Record<'before' | 'after', Coverage[]> = { before: [], after: [] };
  try {
    for (const { sample_id, turns, questions } of conversations) {
      const { id } = await engine.tenants.create({ displayName: sample_id, plan: 'local' });
      const memory = engine.agent(id);
      const turnOf = await storeTurns(memory, turns);
      const texts = new Map(turns.map((turn) => [turn.id, turn.text]));
      for (const when of ['before', 'after'] as const) {
        if (when === 'after') {
          await memory.reflect();
          await engine.background.run('jobs.work');
        }
        const { injection } = await memory.boot({ preview: true });
        for (const { question, evidence, answer = '' } of questions) {
          onQuestion();
          if (evidence.length === 0) continue;
          const { results } = await memory.recall({ query: question, threshold: 0, limit: 10 });
          const found = new Set(results.map((result) => turnOf.get(result.id)));
          recall[when].push(evidence.filter((turn) => found.has(turn)).length / evidence.length);
          const said = evidence.flatMap((turn) => texts.get(turn) ?? []);
          boot[when].push(cover(injection, String(answer), said));
        }
      }
    }
  } finally {
    await engine.close();
  }
  return (['before', 'after'] as const).map((when) => ({
    name: `${when} reflection`,
    questions: recall[when].length,
    values: {
      'recall@10': mean(recall[when]),
      'boot: answer words': mean(boot[when].map(({ words }) => words)),
      'boot: whole answers': mean(boot[when].map(({ whole }) => whole)),
      'boot: evidence': mean(boot[when].map(({ evidence }) => evidence)),
    },
  }));
}
