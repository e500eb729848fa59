import { uuids } from '../database/arrays.ts';
import type { Context } from '../engine/context.ts';
import { presentImportance } from '../memory/importance.ts';
import type { AnalyzedQuery } from './analyze.ts';
import {
  type CandidateRow,
  type CandidatesAnswer,
  type MemoryColumns,
  memoriesStatement,
} from './find-candidates.ts';
import { type Findings, type Remembered, toCosine, toDate } from './findings.ts';
import type { Proposed } from './prefer-newer.ts';
import type { Corpus } from './rank.ts';

/** What the database answered, as the ranking takes it. */
export function readFindings(context: Context, query: AnalyzedQuery, answer: CandidatesAnswer): Findings {
  const rows = new Map([...(answer.memories ?? []), ...(answer.spare ?? [])].map((row) => [row[0], row]));
  return {
    corpus: toCorpus(query, answer),
    candidates: (answer.candidates ?? []).map((row) => toCandidate(query, row, context.now)),
    links: (answer.links ?? []).map(([id, neighbourId, distance]) => ({ id, neighbourId, distance })),
    contents: new Map((answer.memories ?? []).map(([id, _type, content]) => [id, content])),
    load: async (ids) => {
      const missing = ids.filter((id) => !rows.has(id));
      const more = missing.length === 0 ? [] : await lookUp(context, missing);
      const there = ids.map((id) => rows.get(id)).filter((row) => row !== undefined);
      return [...there, ...more].map(toRemembered);
    },
  };
}

async function lookUp(
  { tenantId, look }: Context,
  ids: readonly string[],
): Promise<readonly MemoryColumns[]> {
  const [{ found } = { found: null }] = (await look(memoriesStatement(tenantId, uuids(ids)))) as readonly {
    found: readonly MemoryColumns[] | null;
  }[];
  return found ?? [];
}

function toCandidate({ terms }: AnalyzedQuery, row: CandidateRow, now: Date): Proposed {
  const [id, cosine, places, frequencies, length, given, at, type, fingerprint, supersededBy] = row;
  const time = toDate(at).getTime();
  return {
    id,
    cosine: toCosine(cosine),
    matched: (places ?? []).map((place, index) => ({
      term: terms[place - 1]?.term ?? '',
      frequency: frequencies?.[index] ?? 1,
    })),
    length,
    importance: presentImportance({ type, importance: given, time }, now),
    time,
    type,
    fingerprint,
    supersededBy,
  };
}

function toCorpus({ terms }: AnalyzedQuery, { documents, averageLength, holding }: CandidatesAnswer): Corpus {
  return {
    documents,
    averageLength,
    documentFrequency: new Map((holding ?? []).map((count, index) => [terms[index]?.term ?? '', count])),
  };
}

/** A memory as the database's JSON has it. */
export function toRemembered(columns: MemoryColumns): Remembered {
  const [id, type, content, category, key, tags, importance, at, sessionId, derivedFrom, supersededBy] =
    columns;
  return {
    id,
    type,
    content,
    category,
    key,
    tags,
    importance,
    occurredAt: toDate(at),
    sessionId,
    derivedFrom,
    supersededBy,
  };
}
