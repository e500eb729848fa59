import { createStaticEmbedder } from '@svc-memory/core';
import type { Corpus, RankInput } from '../../../core/src/features/recall/ranking/input.ts';
import { scoreCandidates } from '../../../core/src/features/recall/ranking/score-candidates.ts';
import { analyzeDocument } from '../../../core/src/text/analyze-document.ts';
import { analyzeQuery } from '../../../core/src/text/analyze-query.ts';
import type { Benchmark } from '../benchmark.ts';
import { memoriesOf, questionsOf, seeded } from '../corpus.ts';
import { interleave, median } from '../measure.ts';

const CANDIDATES = 400;
const NOW = new Date('2026-03-01T12:00:00.000Z');

export const compute: Benchmark = {
  name: 'compute',
  description: 'What a call computes outside the database: embedding, analysis and ranking.',
  run: async (bench) => {
    bench.progress('compute');
    const embedder = createStaticEmbedder();
    const contents = memoriesOf(500).map(({ content }) => content);
    const questions = questionsOf(500);
    const at = <T>(list: readonly T[], call: number): T => {
      const item = list[call % list.length];
      if (item === undefined) throw new RangeError('an empty list');
      return item;
    };
    const question = analyzeQuery(at(questions, 0), NOW);
    const { corpus, candidates } = found(question.terms.map(({ term }) => term));
    const times = await interleave(
      {
        embed: (call) => embedder.embed([at(contents, call)]),
        analyzeDocument: (call) => analyzeDocument(at(contents, call)),
        analyzeQuery: (call) => analyzeQuery(at(questions, call), NOW),
        rank: () => scoreCandidates(question, corpus, candidates, embedder.calibration),
      },
      bench.effort({ rounds: 5, calls: 500 }),
    );
    return [
      { name: 'embedding a text', unit: 'ms', value: median(times.embed), goal: 1 },
      { name: 'analysing a memory', unit: 'ms', value: median(times.analyzeDocument) },
      { name: 'analysing a query', unit: 'ms', value: median(times.analyzeQuery) },
      { name: `ranking ${CANDIDATES} candidates`, unit: 'ms', value: median(times.rank) },
    ];
  },
};

/** Candidates as a search over 10,000 memories finds them. */
function found(terms: readonly string[]): { corpus: Corpus; candidates: RankInput[] } {
  const random = seeded(5);
  return {
    corpus: {
      documents: 10_000,
      averageLength: 18,
      documentFrequency: new Map(terms.map((term) => [term, 10 + Math.floor(random() * 500)])),
    },
    candidates: Array.from({ length: CANDIDATES }, (_, place) => ({
      id: `memory-${place}`,
      cosine: random(),
      matched: terms.filter(() => random() < 0.3).map((term) => ({ term, frequency: 1 })),
      length: 10 + Math.floor(random() * 20),
      importance: random(),
      time: NOW.getTime() - place * 3_600_000,
      sessionId: place % 3 ? `session-${place % 40}` : null,
    })),
  };
}
