import { wordsOf } from './said-alike.ts';

/** Words that say no. */
const NEGATION = new Set(['not', 'never', 'no', 'longer', 'anymore', 'do', 'does', 'did']);
const CONTRACTED = /^(is|are|was|were|do|does|did|has|have|had|can|could|should|would|will)n't$/;
/** What stands between an attribute and its value, where there is only one value at a time. */
const COPULA = new Set(['is', 'are', '=', '→', '->', 'equals']);
/** Verbs whose object is one at a time. */
const SINGLE =
  /^(lives? (in|at)|works? (at|for)|moved to|listens? on|costs?|prefers?|expires? on|starts? (at|on)|ends? (at|on)|reports? to|weighs?|is (called|named|located in|located at|based in|due on|due at|scheduled for|set to|pinned to|owned by))$/;
const LONGEST_RELATION = 3;
/** Words of an attribute whose value is one at a time. */
const ATTRIBUTE =
  /^(name|age|birthday|birth|address|e-?mail|phone|number|id|title|role|job|employer|manager|owner|lead|password|version|port|host|hostname|url|uri|path|branch|status|state|deadline|due|date|day|time|budget|price|cost|size|limit|timeout|colou?r|language|time ?zone|city|country|location|place|capital|currency|default|favou?rite|preferred|primary|main|current|latest|on-?call)$/;
const LONGEST_VALUE = 4;
const QUALIFIER = new Set('in on at during when if for until while and or but with only'.split(' '));
const LEAST_SUBJECT = 2;

/**
 * Whether two texts cannot both be true now: the same subject and attribute with another value ("The release manager of
 * Orchard is Maya" and "… is Ben"), or the same sentence denied. Deliberately narrow: it rather misses a contradiction
 * than sees one where there is none, since no model reads along.
 */
export function contradicts(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  if (a.join(' ') === b.join(' ')) return false;
  return isDenied(a, b) || hasOtherValue(a, b);
}

/** The same words but for a no in one of them. */
function isDenied(a: readonly string[], b: readonly string[]): boolean {
  const [one, other] = [strip(a), strip(b)];
  const long = one.words.length > LEAST_SUBJECT;
  return long && one.denied !== other.denied && one.words.join(' ') === other.words.join(' ');
}

function strip(words: readonly string[]) {
  const plain = words.flatMap((word) => {
    const verb = CONTRACTED.exec(word)?.[1];
    if (verb !== undefined) return [verb, 'not'];
    return word === "can't" || word === 'cannot' ? ['can', 'not'] : [word];
  });
  const denied = plain.some((word) => ['not', 'never'].includes(word)) || / no longer /.test(plain.join(' '));
  // "likes" and "does not like" differ in the verb's ending alone.
  const kept = plain
    .filter((word) => !NEGATION.has(word))
    .map((word) => word.replace(/(?<=\p{L}{2})s$/u, ''));
  return { words: kept, denied };
}

/** The same beginning up to where a value is due, another value, and the same end. */
function hasOtherValue(a: readonly string[], b: readonly string[]): boolean {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [mine, theirs] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (!isValue(mine) || !isValue(theirs)) return false;
  const before = a.slice(0, start);
  const relation = relationOf(before);
  if (!relation) return false;
  const subject = before.slice(0, before.length - relation.words);
  if (relation.single) return subject.length > 0;
  if (subject.length < LEAST_SUBJECT) return false;
  return subject.some((word) => ATTRIBUTE.test(word.replace(/'s$/, '').replace(/[:=]$/, '')));
}

/** Short, and not true only somewhere or sometimes. */
function isValue(words: readonly string[]): boolean {
  return words.length > 0 && words.length <= LONGEST_VALUE && !words.some((word) => QUALIFIER.has(word));
}

/** What joins subject and value at the end of a beginning, in how many words. */
function relationOf(
  words: readonly string[],
): { readonly words: number; readonly single: boolean } | undefined {
  const last = words.at(-1) ?? '';
  for (let count = LONGEST_RELATION; count > 0; count -= 1) {
    if (SINGLE.test(words.slice(-count).join(' '))) return { words: count, single: true };
  }
  if (['the', 'a', 'an', 'now', 'to'].includes(last)) {
    const inner = last === 'a' || last === 'an' ? undefined : relationOf(words.slice(0, -1));
    return inner && { ...inner, words: inner.words + 1 };
  }
  if (COPULA.has(last)) return { words: 1, single: false };
  return last.endsWith(':') || last.endsWith('=') ? { words: 0, single: false } : undefined;
}
