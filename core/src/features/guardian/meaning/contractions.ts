import { lower, type MeaningUnit } from './meaning-unit.ts';
import { wordSet } from './words.ts';

/**
 * Contractions that have one reading, or one before certain words. Without "let's" ("let us" may ask for leave), "can not", which
 * may mean that one is free not to, and "ain't".
 */
const CONTRACTIONS = `
  don't: do not / doesn't: does not / didn't: did not / isn't: is not / aren't: are not / wasn't: was not / weren't: were not
  hasn't: has not / haven't: have not / hadn't: had not / won't: will not / wouldn't: would not / shan't: shall not
  shouldn't: should not / couldn't: could not / mightn't: might not / mustn't: must not / needn't: need not / can't: cannot
  i'm: i am / you're: you are / we're: we are / they're: they are
  i've: i have / you've: you have / we've: we have / they've: they have
  could've: could have / might've: might have / must've: must have / should've: should have / would've: would have
  i'll: i will / you'll: you will / he'll: he will / she'll: she will / it'll: it will / we'll: we will / they'll: they will
  he's: he is / she's: she is / it's: it is / that's: that is / there's: there is
  i'd: i would / you'd: you would / he'd: he would / she'd: she would / we'd: we would / they'd: they would
`;

const LONG_FORMS: ReadonlyMap<string, readonly string[]> = new Map(
  CONTRACTIONS.split(/[/\n]/)
    .filter((entry) => entry.includes(':'))
    .map((entry) => {
      const [short = '', long = ''] = entry.split(':').map((part) => part.trim());
      return [short, long.split(' ')];
    }),
);

/** Before these "it's" is "it is", not "it has". */
const BEHIND_IS = wordSet(`
  a an the my our your their why how
  important better best clear true fine safe possible impossible necessary wrong right
`);
/** Before these "I'd" is "I would", not "I had". */
const BEHIND_WOULD = wordSet('like love prefer rather be have');

/** Nouns, too: in "I follow my will not hers" nothing is to be contracted. Behind one of the subjects they are none. */
const NOUNS_TOO = wordSet('will must need might');
const SUBJECTS = wordSet('i you he she it we they');

/** "Secrets won't be told": behind a noun that is no owner's, before "be". */
function isOfSeveral(units: readonly MeaningUnit[], at: number): boolean {
  const before = units[at - 1];
  return before?.kind === 'word' && /^\p{L}{3,}s$/u.test(before.text) && lower(units[at + 1]) === 'be';
}

/** The words that a contraction stands for, as they would be written there; undefined where it may be read otherwise. */
export function longForm(units: readonly MeaningUnit[], at: number): readonly string[] | undefined {
  const unit = units[at];
  const long = unit?.kind === 'word' ? LONG_FORMS.get(lower(unit)) : undefined;
  if (!unit || !long) return undefined;
  const behind = lower(units[at + 1]) === 'not' ? lower(units[at + 2]) : lower(units[at + 1]);
  if (/'s$/i.test(unit.text) && !BEHIND_IS.has(behind)) return undefined;
  if (/'d$/i.test(unit.text) && !BEHIND_WOULD.has(behind)) return undefined;
  const [first = '', ...others] = long;
  const isVerb = SUBJECTS.has(lower(units[at - 1])) || (long[1] === 'not' && isOfSeveral(units, at));
  if (NOUNS_TOO.has(first) && !isVerb) return undefined;
  // Capitals elsewhere than at its start are said in another tone.
  const tail = unit.text.slice(1);
  return tail === tail.toLowerCase() ? [unit.text.charAt(0) + first.slice(1), ...others] : undefined;
}
