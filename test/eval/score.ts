/** How well one question was answered; shares are of its evidence, 0..1. NaN where a measure does not apply. */
export type Score = Readonly<Record<string, number>>;

/** A line of a table: means over some questions. */
export interface Row {
  readonly name: string;
  readonly questions: number;
  readonly values: Score;
}

/** What was found for one question, by the ids of the turns, best first. */
export interface Found {
  /** Of a recall of everything. */
  readonly ranking: readonly string[];
  /** Of a recall without any options. */
  readonly byDefault: readonly string[];
  /** Of the two baselines. */
  readonly plain: readonly string[];
  readonly stemmed: readonly string[];
}

/** Scores one question. */
export function scoreQuestion(
  { evidence, unanswerable = false }: { evidence: readonly string[]; unanswerable?: boolean | undefined },
  { ranking, byDefault, plain, stemmed }: Found,
): Score {
  const answered = byDefault.length > 0 ? 1 : 0;
  if (unanswerable || evidence.length === 0) {
    const none = Object.fromEntries(MEASURES.map((measure) => [measure, Number.NaN]));
    return { ...none, results: byDefault.length, 'false answers': answered };
  }
  const share = (turns: readonly string[], most: number) => {
    const best = new Set(turns.slice(0, most));
    return evidence.filter((turn) => best.has(turn)).length / evidence.length;
  };
  const first = ranking.findIndex((turn) => evidence.includes(turn));
  const hits = byDefault.filter((turn) => evidence.includes(turn)).length;
  return {
    'recall@1': share(ranking, 1),
    'recall@10': share(ranking, 10),
    MRR: first < 0 ? 0 : 1 / (first + 1),
    'BM25@10': share(plain, 10),
    'stemmed@10': share(stemmed, 10),
    'default: recall': share(byDefault, byDefault.length),
    precision: answered ? hits / byDefault.length : Number.NaN,
    empty: 1 - answered,
    results: byDefault.length,
    'false answers': Number.NaN,
  };
}

const MEASURES = [
  'recall@1',
  'recall@10',
  'MRR',
  'BM25@10',
  'stemmed@10',
  'default: recall',
  'precision',
  'empty',
] as const;

/** The means of scores. */
export function rowOf(name: string, scores: readonly Score[]): Row {
  const measures = Object.keys(scores[0] ?? {});
  const values = Object.fromEntries(
    measures.map((measure) => [measure, mean(scores.map((score) => score[measure] ?? Number.NaN))]),
  );
  return { name, questions: scores.length, values };
}

/** The mean of what is a number; NaN where nothing is. */
export function mean(values: readonly number[]): number {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? Number.NaN : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** A table with right-aligned columns; `-` where a measure does not apply. */
export function tableOf(rows: readonly Row[]): string {
  const measures = Object.keys(rows[0]?.values ?? {});
  const lines = [
    ['', 'questions', ...measures],
    ...rows.map(({ name, questions, values }) => [
      name,
      String(questions),
      ...measures.map((measure) => cellOf(measure, values[measure] ?? Number.NaN)),
    ]),
  ];
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line.map((cell, column) => cell[column === 0 ? 'padEnd' : 'padStart'](widths[column] ?? 0)).join('  '),
    )
    .join('\n');
}

function cellOf(measure: string, value: number): string {
  if (Number.isNaN(value)) return '-';
  return value.toFixed(measure === 'results' ? 1 : 3);
}
