import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import { passagesOf } from '../../text/passages.ts';
import type { Recalled } from './contract.ts';
import type { MatchedTerm } from './ranking/input.ts';

/** The passage of a long memory that holds most of the query; undefined for a memory of one passage. */
export function matchingPassage(
  { terms }: AnalyzedQuery,
  content: string,
  matched: readonly MatchedTerm[],
): Recalled['passage'] {
  const passages = passagesOf(content);
  if (passages.length < 2) return undefined;
  const tells = new Map(terms.map(({ term, weight, commonness }) => [term, weight * -Math.log(commonness)]));
  const told = passages.map(() => 0);
  for (const { term, passages: places = [] } of matched) {
    for (const place of places) told[place] = (told[place] ?? 0) + (tells.get(term) ?? 0);
  }
  const { start, end } = passages[told.indexOf(Math.max(...told))] ?? { start: 0, end: content.length };
  return { text: content.slice(start, end), start, end };
}

/** Cuts a content of more than `most` characters to the passage that matched, or to its start where there is none. */
export function cutToPassage(result: Recalled, most: number): Recalled {
  const { content, passage } = result;
  if (content.length <= most) return result;
  const start = passage?.start ?? 0;
  const cut = content.slice(start, Math.min(passage?.end ?? content.length, start + most));
  // Never half a character.
  return { ...result, content: cut.replace(/[\ud800-\udbff]$/, ''), truncated: true };
}
