import { namesIdentifier } from './identifier-scope.ts';
import { IDENTIFIER_NOUNS, SHOUTED } from './words.ts';

const EMPHASIS =
  /(?<![\p{L}\p{N}*_\\/])(\*{1,3}|_{1,3})(?=[\p{L}"'“(])([^*_]*?[\p{L}\p{N}.,:;!?)"'”])\1(?![\p{L}\p{N}*_/]|\.\p{L})/gu;
/** Scripts without spaces emphasise within a run of letters. */
const INNER_EMPHASIS = /(?<=\p{Lo})\*\*(\p{Lo}+)\*\*(?=\p{Lo})/gu;

/** What a single star or underscore emphasises: no file, command or name is called so. */
const ADVERB = /^(?:\p{Ll}{3,}ly|always|never|often)[.,;!?]?$/u;

const BEING = new Set('am is are bin ist sind soy es son suis est sono sou'.split(' '));
/** A name of Python's or a blank of a template, not emphasis. */
const DUNDER = /^__\w+__$/;
/** A name as it stands in a sentence: "I am __Ada__". */
const NAME = /^\p{Lu}\p{Ll}+$/u;
const LONGEST_NOUN = 24;

/** Signs and words between things of which one is to be chosen. */
const ALTERNATIVES =
  /[/|]|(?<!\p{L})(?:or|oder|ou|o|ó|eller|tai|lub|albo|nebo|vagy|sau|или|або|veya|ya da|yoksa|atau|hoặc|أو|או|या)(?!\p{L})|或|または|それとも|또는|아니면/iu;

/** Emphasis on one of those that a list names, and on nothing else: "Maya, **Tom**, Ida". */
const ONE_OF_LIST =
  /(?:[,:;]|^\s*(?:[-*+•]|\d+[.)])\s)\s*(?:\*{1,3}|_{1,3})[^*_]+(?:\*{1,3}|_{1,3})\s*(?:[,;.]|$)/u;

/** Whether emphasis may choose one of several: "yes / **no**", or what another word had before. */
export function choosesByEmphasis(before: string, after: string): boolean {
  const [was, is] = [emphasisIn(before), emphasisIn(after)];
  const wordsIn = (lines: typeof was) =>
    lines.flatMap(({ words }) => words.map((one) => one.replace(/\P{L}+$/u, '')));
  if (wordsIn(was).join('\n') === wordsIn(is).join('\n')) return false;
  return (
    (was.length > 0 && is.length > 0) ||
    [...was, ...is].some(({ line }) => ALTERNATIVES.test(line) || ONE_OF_LIST.test(line))
  );
}

/** A line without the emphasis that says nothing. */
export function withoutEmphasis(line: string): string {
  return replaceEmphasis(line, (inner) => inner);
}

/** Of each line that has emphasis which `withoutEmphasis` leaves out, the line and what is emphasised in it. */
function emphasisIn(text: string): readonly { readonly line: string; readonly words: readonly string[] }[] {
  return text.split('\n').flatMap((line) => {
    const words: string[] = [];
    replaceEmphasis(line, (inner) => {
      words.push(inner);
      return inner;
    });
    return words.length === 0 ? [] : [{ line, words }];
  });
}

function replaceEmphasis(line: string, by: (inner: string) => string): string {
  const isOfIdentifier = /[*_]/.test(line) && namesIdentifier(line);
  const plain = (marked: string, signs: string, inner: string, at: number) => {
    const [before = ''] = /\p{L}+(?=\P{L}*$)/u.exec(line.slice(Math.max(0, at - LONGEST_NOUN), at)) ?? [];
    // "*tmp*" may be a pattern, "_root_" a name; but "I am *Juno*".
    const isOfSubject = BEING.has(before.toLowerCase()) && !isOfIdentifier;
    const isSaid = /\s/.test(inner) || SHOUTED.has(inner.toLowerCase()) || ADVERB.test(inner) || isOfSubject;
    if (signs.length === 1 && !isSaid) return marked;
    const isEmphasis = !DUNDER.test(marked) || ADVERB.test(inner) || (isOfSubject && NAME.test(inner));
    return IDENTIFIER_NOUNS.has(before.toLowerCase()) || !isEmphasis ? marked : by(inner);
  };
  return line.replace(EMPHASIS, plain).replace(INNER_EMPHASIS, (_, inner: string) => by(inner));
}
