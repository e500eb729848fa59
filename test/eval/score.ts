import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

const RANKS = [5, 10, 25] as const;
const TOKENS = [1_000, 2_000, 4_000, 7_000] as const;

/** One recalled memory, by the turn it came from. */
export interface Ranked {
  readonly turn: string;
  readonly content: string;
}

/** How well one question was answered; shares are of its evidence, 0..1. */
export interface Score {
  readonly category: string;
  readonly values: Readonly<Record<string, number>>;
}

/** Scores the ranking (best first) and the default call of one question. */
export function scoreQuestion(
  category: string,
  evidence: readonly string[],
  ranking: readonly Ranked[],
  byDefault: readonly Ranked[],
): Score {
  const share = (found: readonly Ranked[]) => {
    const turns = new Set(found.map(({ turn }) => turn));
    return evidence.filter((turn) => turns.has(turn)).length / evidence.length;
  };
  const first = ranking.findIndex(({ turn }) => evidence.includes(turn));
  const values: Record<string, number> = {};
  for (const rank of RANKS) values[`recall@${rank}`] = share(ranking.slice(0, rank));
  values.MRR = first < 0 ? 0 : 1 / (first + 1);
  for (const tokens of TOKENS) values[`${tokens / 1000}k tokens`] = share(within(ranking, tokens));
  values['default call'] = share(byDefault);
  values['default results'] = byDefault.length;
  return { category, values };
}

/** The best memories that together stay within a number of o200k tokens. */
function within(ranking: readonly Ranked[], tokens: number): Ranked[] {
  let used = 0;
  const end = ranking.findIndex(({ content }) => {
    used += countTokens(content, { disallowedSpecial: new Set() });
    return used > tokens;
  });
  return ranking.slice(0, end < 0 ? undefined : end);
}

/** Means per category, and of all questions last. */
export function summarize(
  scores: readonly Score[],
): { category: string; questions: number; means: Score['values'] }[] {
  const categories = [...new Set(scores.map(({ category }) => category))].sort();
  const groups = [
    ...categories.map((category) => ({
      category,
      of: scores.filter((score) => score.category === category),
    })),
    { category: 'all', of: scores },
  ];
  return groups.map(({ category, of }) => ({ category, questions: of.length, means: means(of) }));
}

function means(scores: readonly Score[]): Record<string, number> {
  const names = Object.keys(scores[0]?.values ?? {});
  return Object.fromEntries(
    names.map((name) => [
      name,
      scores.reduce((sum, { values }) => sum + (values[name] ?? 0), 0) / scores.length,
    ]),
  );
}
