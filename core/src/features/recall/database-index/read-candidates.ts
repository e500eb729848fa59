import type { SQL } from 'drizzle-orm';
import type { Context } from '../../../kernel/context/context.ts';
import { uuids } from '../../../kernel/database/parameters.ts';
import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import { presentImportance } from '../../records/importance.ts';
import { readSketch } from '../../search-index/sketch.ts';
import { type Candidate, type Candidates, toCosine, toDate } from '../candidates.ts';
import { type MemoryColumns, toMemoryView } from '../memory-columns.ts';
import type { EmbeddedSearch } from '../memory-index.ts';
import type { Corpus } from '../ranking/input.ts';
import { type CandidateRow, type CandidatesRow, memoriesStatement, seedsOf } from './find-candidates.ts';

/** What the database answered, as the ranking takes it. */
export function readCandidates(
  context: Context,
  { query, limit, view }: Pick<EmbeddedSearch, 'query' | 'limit' | 'view'>,
  answer: CandidatesRow,
): Candidates {
  const candidates = answer.candidates ?? [];
  const links = (answer.links ?? []).map(([id, neighbourId, distance]) => ({ id, neighbourId, distance }));
  const rows = new Map(
    [...candidates.map(([row]) => row).filter(hasContent), ...(answer.beside ?? [])].map((row) => [
      row[0],
      row,
    ]),
  );
  const seeds = candidates.slice(0, seedsOf(limit)).map(([[id]]) => id);
  const shown = new Set([...seeds, ...links.map(({ neighbourId }) => neighbourId)]);
  return {
    corpus: toCorpus(query, answer),
    candidates: candidates.map((row) => toCandidate(query, row, context.now)),
    links,
    contents: new Map([...shown].map((id) => [id, rows.get(id)?.[2] ?? ''])),
    load: async (ids) => {
      const missing = ids.filter((id) => !rows.has(id));
      const more = missing.length === 0 ? [] : await lookUp(context, missing, view.readable);
      const there = ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
      return [...there, ...more].map(toMemoryView);
    },
  };
}

function hasContent(row: MemoryColumns<string | null>): row is MemoryColumns {
  return row[2] !== null;
}

async function lookUp(
  { tenantId, database }: Context,
  ids: readonly string[],
  readable: SQL | undefined,
): Promise<readonly MemoryColumns[]> {
  const [rows = []] = await database.batch(tenantId, [memoriesStatement(tenantId, uuids(ids), readable)]);
  const [answer] = rows as readonly { found: readonly MemoryColumns[] | null }[];
  return answer?.found ?? [];
}

function toCandidate({ terms }: AnalyzedQuery, row: CandidateRow, now: Date): Candidate {
  const [columns, cosine, places, frequencies, passages, length, fingerprint, supersededBy, sketch, source] =
    row;
  const [id, type, , , , , given, at, , , , validFrom, validTo, , , createdAt, updatedAt, conflictsWith] =
    columns;
  const time = toDate(at).getTime();
  return {
    id,
    cosine: toCosine(cosine),
    matched: (places ?? []).map((place, index) => ({
      term: terms[place - 1]?.term ?? '',
      frequency: frequencies?.[index] ?? 1,
      passages: passages?.[index],
    })),
    length,
    importance: presentImportance({ type, importance: given, time }, now),
    time,
    type,
    fingerprint,
    supersededBy,
    validFrom: validFrom === null ? null : toDate(validFrom),
    validTo: validTo === null ? null : toDate(validTo),
    sketch: readSketch(sketch, id),
    source,
    createdAt: toDate(createdAt),
    updatedAt: toDate(updatedAt),
    conflictsWith,
  };
}

function toCorpus({ terms }: AnalyzedQuery, { documents, averageLength, holding }: CandidatesRow): Corpus {
  return {
    documents,
    averageLength,
    documentFrequency: new Map((holding ?? []).map((count, index) => [terms[index]?.term ?? '', count])),
  };
}
