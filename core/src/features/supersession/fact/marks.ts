import { fold } from '../../../text/words.ts';
import type { Fact } from './fact.ts';
import { words } from './word-groups.ts';

/** What a fact or a question says of how it stands to what holds now. */
export type Mark = keyof typeof MARKS;
/** As in the cues. */
const MARKS = {
  // It was so.
  past: `was were did had used_to once originally former formerly previous previously earlier ago before back_in back_then until_19\\d\\d
    until_20\\d\\d as_a_child as_a_student war waren hatte hatten fruher damals vor_\\w+_jahren era eran fue fueron estaba tenia habia hacia
    antiguo antigua hace etait etaient avait avaient autrefois il_y_a 以前 昔 でした ました 之前 过去 曾`,
  // It is asked for as what is so no longer. "Did" and "was" alone may ask for what holds, and so does "before the release".
  former: `used_to once(?!_(?:a|an|every|per|the)) originally former formerly previous previously earlier before(?=[_?!.]*$) before_that
    (?:did|was|were|had)_.*_before back_in back_then fruher vorher zuvor damals antes(?!_d[eoa]) anteriormente antiguamente autrefois
    avant(?=[_?!.]*$) auparavant precedentemente vroeger voorheen 以前 昔 [我你您他她它们]之前 曾 예전 이전 과거`,
  // It is so as a rule, so that once or somewhere it may be otherwise.
  usual: `usual usually normal normally general generally ordinary ordinarily regular regularly typical typically as_a_rule by_default
    otherwise every everyone everybody normalerweise gewohnlich ublicherweise sonst grundsatzlich regelmassig immer normalmente
    habitualmente en_general siempre normalement habituellement toujours d'habitude en_general 普段 いつも 通常 平时 一般`,
  // Somebody thinks of it, wishes, proposes, asks or claims it.
  tentative: `suggest\\w* propos\\w* idea ideas draft\\w* wish\\w* dream\\w* daydream\\w* hope hopes hoping would asked asks wonder\\w* claim\\w*
    rumour\\w* rumor\\w* gossip consider\\w* might maybe perhaps plan plans planned planning thinking someday roadmap pitch\\w*
    vorschlag\\w* schlug vorgeschlagen idee uberleg\\w* traum\\w* hatte_gern wurde_gern mochte plant planen vielleicht konnte fragt\\w* gerucht\\w*
    entwurf propuesta propone\\w* propuso suena quisiera piensa quiza quizas quiere podria pregunta\\w* borrador reve revent envisage\\w*
    voudrait peut-etre pourrait 検討 提案 かも たい 打算 计划 想要 可能 建议 考虑`,
} as const;
const NAMES = Object.keys(MARKS) as Mark[];
/** Of these scripts a word counts wherever it stands: nothing parts it from others, or endings follow it. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;

const patterns = new Map<Mark, RegExp>(NAMES.map((name) => [name, patternOf(MARKS[name])]));
const marks = new WeakMap<Fact, ReadonlySet<Mark>>();

/** The marks of a fact or a question. */
export function marksOf(fact: Fact): ReadonlySet<Mark> {
  const known = marks.get(fact);
  if (known) return known;
  const said = fold(fact.content);
  const found = new Set(NAMES.filter((name) => patterns.get(name)?.test(said)));
  marks.set(fact, found);
  return found;
}

function patternOf(list: string): RegExp {
  const all = [...words(list)].map((word) => word.replaceAll('_', ' '));
  const spaced = all.filter((word) => !UNSPACED.test(word));
  const unspaced = all.filter((word) => UNSPACED.test(word));
  return new RegExp([`(?<!\\p{L})(?:${spaced.join('|')})(?!\\p{L})`, ...unspaced].join('|'), 'u');
}
