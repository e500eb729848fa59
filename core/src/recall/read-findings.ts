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
import { type Findings, type Remembered, saidBy, toCosine, toDate } from './findings.ts';
import type { Proposed } from './prefer-newer.ts';
import type { Corpus } from './rank.ts';

/** What the database answered, as the ranking takes it. */
export function readFindings(context: Context, query: AnalyzedQuery, answer: CandidatesAnswer): Findings {
  const memories = (answer.memories ?? []).map(toRemembered);
  return {
    corpus: toCorpus(query, answer),
    candidates: (answer.candidates ?? []).map((row) => toCandidate(query, row, context.now)),
    links: (answer.links ?? []).map(([id, neighbourId, distance]) => ({ id, neighbourId, distance })),
    memories: new Map(memories.map((memory) => [memory.id, memory])),
    load: async (ids) => {
      const wanted = new Set(ids);
      const spare = (answer.spare ?? []).filter(([id]) => wanted.delete(id)).map(toRemembered);
      if (wanted.size === 0) return spare;
      const [{ found } = { found: null }] = (await context.look(
        memoriesStatement(context.tenantId, uuids([...wanted])),
      )) as readonly { found: readonly MemoryColumns[] | null }[];
      return [...spare, ...(found ?? []).map(toRemembered)];
    },
  };
}

function toCandidate({ terms }: AnalyzedQuery, row: CandidateRow, now: Date): Proposed {
  const [id, cosine, places, frequencies, length, given, at, type, fingerprint, supersededBy] = row;
  const occurredAt = toDate(at);
  return {
    id,
    cosine: toCosine(cosine),
    matched: (places ?? []).map((place, index) => ({
      term: terms[place - 1]?.term ?? '',
      frequency: frequencies?.[index] ?? 1,
    })),
    length,
    importance: presentImportance({ type, importance: given, occurredAt }, now),
    occurredAt,
    said: saidBy(type, fingerprint),
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
