import type { Context } from '../../../kernel/context/context.ts';
import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import { readSketch } from '../../search-index/sketch.ts';
import type { Candidates } from '../candidates.ts';
import { sketchesStatement } from '../look-past-copies.ts';
import type { EmbeddedSearch, MemoryIndex, RunQuery } from '../memory-index.ts';
import type { CorpusStats } from './corpus-stats.ts';
import { type CandidatesRow, candidatesStatement } from './find-candidates.ts';
import { documentFrequencyLimits, holdingStatement } from './find-words.ts';
import { readCandidates } from './read-candidates.ts';

/**
 * Searches the tenant's memories in the database. The response names the model whose vectors are active: on a mismatch the
 * index cannot answer, and remembers the model for the next attempt.
 */
export function databaseIndex(context: Context, search: EmbeddedSearch, run: RunQuery): MemoryIndex {
  const { tenantId, corpusStats, indexCache, embeddingModels } = context;
  const { query, filters, limit, vector, view } = search;
  const { isFull, readable } = view;
  const isLarge = corpusStats.isLarge(tenantId);
  let isFirst = true;
  return {
    find: async (without = []) => {
      const statement = () =>
        candidatesStatement({
          tenantId,
          query,
          filters,
          limit,
          now: context.now,
          large: isLarge,
          known: (term) => corpusStats.documentFrequency(tenantId, term),
          readable,
          without,
          ...(vector ? { vector } : {}),
        });
      const answer = await answerOf<CandidatesRow>(run({ statement, shareable: false }));
      const model = answer.model ?? embeddingModels.current;
      if (model !== search.model) {
        embeddingModels.rememberActiveModel(tenantId, model);
        return undefined;
      }
      const candidates = readCandidates(context, search, answer);
      // What a caller who does not see everything found tells nothing of the tenant's size.
      if (isFull && isFirst) {
        corpusStats.rememberSize(tenantId, answer.documents);
        indexCache.requestLoad(tenantId, answer.documents);
        if (isLarge) rememberFrequencies(corpusStats, tenantId, query, candidates);
      }
      isFirst = false;
      return candidates;
    },
    holding: async (terms) => {
      const statement = () => holdingStatement({ tenantId, filters, readable, terms });
      return new Set(await answerOf<readonly string[] | null>(run({ statement, shareable: false })));
    },
    sketches: async () => {
      const statement = () => sketchesStatement(tenantId, readable);
      const found = await answerOf<readonly (readonly [id: string, sketch: string])[] | null>(
        run({ statement, shareable: false }),
      );
      return (found ?? []).map(([id, sketch]) => ({ id, sketch: readSketch(sketch, id) }));
    },
  };
}

/** The one value that a statement answers. */
async function answerOf<Answer>(rows: ReturnType<RunQuery>): Promise<Answer> {
  const [row] = (await rows) as readonly { found: Answer }[];
  if (!row) throw new TypeError('the statement answers one row');
  return row.found;
}

/** Remembers document frequencies that were counted in full, or up to a limit where more makes no difference. */
function rememberFrequencies(
  corpusStats: CorpusStats,
  tenantId: string,
  query: AnalyzedQuery,
  { corpus }: Candidates,
): void {
  const limits = documentFrequencyLimits(query);
  for (const [place, { term, whole }] of query.terms.entries()) {
    const frequency = corpus.documentFrequency.get(term) ?? 0;
    const isCounted = whole || frequency < (limits[place] ?? 0);
    if (isCounted && corpusStats.documentFrequency(tenantId, term) === undefined) {
      corpusStats.rememberDocumentFrequency(tenantId, term, frequency);
    }
  }
}
