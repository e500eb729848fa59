import { isDeepStrictEqual } from 'node:util';

/** The fields by which an author files a memory. */
export interface Filed {
  readonly key: string | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
}

/** Names of metadata that say of whom or of what a memory is: "userId", "project_name", "env". */
const SUBJECT =
  /^(?:end)?(?:user|customer|client|account|person|contact|patient|student|employee|member|owner|project|team|group|org|organi[sz]ation|company|workspace|tenant|repo|repository|service|server|host|env|environment|device|product|subject|entity)(?:id|name|email|key|slug)?$/;

/**
 * Whether two memories are of different things by what their authors filed them under, however alike they read: under two keys,
 * each of which its author replaces by itself, or with another user or project in their metadata.
 */
export function haveOtherSubjects(one: Filed, other: Filed): boolean {
  if (one.key !== null && other.key !== null && one.key !== other.key) return true;
  if (one.metadata === null || other.metadata === null) return false;
  const theirs = new Map(subjectsOf(other.metadata));
  return subjectsOf(one.metadata).some(
    ([name, value]) => theirs.has(name) && !isDeepStrictEqual(theirs.get(name), value),
  );
}

function subjectsOf(metadata: Readonly<Record<string, unknown>>): [name: string, value: unknown][] {
  return Object.entries(metadata)
    .map(([name, value]): [string, unknown] => [name.toLowerCase().replace(/[_\-. ]/g, ''), value])
    .filter(([name]) => SUBJECT.test(name));
}
