import type { Fact } from '../fact/fact.ts';
import { readFact } from '../fact/read-fact.ts';
import { hard, keysOf } from './difference.ts';
import { judgeFacts } from './judge.ts';
import { judgeSame } from './judge-same.ts';

/** Why a fact is replaced that says no other value: what it had replaced is so again. */
export const SAID_AGAIN = 'what it had replaced is said again';

/** "I'm back in Oslo": something is as it was. */
const RETURNS =
  /(?<!\p{L})(?:back|again|return(?:ed|s)?|reverted|wieder|zurück|de nuevo|otra vez|de nouveau|de retour)(?!\p{L})/iu;
/** "I was back in Oslo", "I could go back": how it was, or may be, is not how it is. "Was moved back" says what became of it. */
const WAS_OR_MAY_BE =
  /(?<!\p{L})(?:(?:was|were|been|being|war|warst|waren|gewesen|estuve|estaba|étais|était)(?= +(?:back|again|wieder|zurück|de )(?:\P{L}|$))|can|could|may|might|would|should|kann|können|könnten?|dürften?|würden?|sollten?|podría|pourrais|pourrait)(?!\p{L})/iu;
/** The words by which a fact says so; others of the kind are left unsaid already. */
const RETURNING = new Set(['back', 'go', 'return', 'zuruck', 'retour']);

/** Whether a newer fact says that what a former one said is so: in the same words, or that it is so again. */
export function saysAgain(former: string, newer: string): boolean {
  return judgeSame(former, newer) === 'same' || returnsTo(readFact(former), readFact(newer));
}

function returnsTo(former: Fact, newer: Fact): boolean {
  if (!RETURNS.test(newer.content) || newer.firstPerson !== former.firstPerson) return false;
  if (!newer.single || newer.question || newer.plan || newer.rumour || newer.denies) return false;
  if (WAS_OR_MAY_BE.test(newer.content)) return false;
  const said = toldBy(newer);
  const was = toldBy(former);
  return said.size > 0 && said.size === was.size && [...said].every((key) => was.has(key));
}

/** The telling words of a fact. */
function toldBy({ tokens }: Fact): ReadonlySet<string> {
  return new Set([...keysOf(hard(tokens))].filter((key) => !RETURNING.has(key)));
}

/** A fact among others, in the order of time. */
interface Timed {
  readonly content: string;
  readonly start: Date;
}

/** Whether a fact stands between one and the same said again: it replaced the former, so the later one replaces it. */
export function isBetween(former: Timed, between: Timed, again: Timed): boolean {
  return (
    former.start <= between.start &&
    between.start <= again.start &&
    saysAgain(former.content, again.content) &&
    judgeFacts(readFact(former.content), readFact(between.content)).verdict === 'replaces'
  );
}
