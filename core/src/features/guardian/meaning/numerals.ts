import { isWord, lower, type MeaningUnit } from './meaning-unit.ts';
import { has, isInEnglish, isMentioned } from './same-word.ts';
import { wordSet } from './words.ts';

/** Numbers as words, by what they are in digits. */
const ENGLISH = `
  2 two / 3 three / 4 four / 5 five / 6 six / 7 seven / 8 eight / 9 nine / 10 ten / 11 eleven / 12 twelve / 13 thirteen / 14 fourteen
  15 fifteen / 16 sixteen / 17 seventeen / 18 eighteen / 19 nineteen / 20 twenty / 30 thirty / 40 forty / 50 fifty / 60 sixty
  70 seventy / 80 eighty / 90 ninety
`;
/** Without what is another word in its own language or another: acht, sieben, neuf, once, siete, три, сорок. */
const FOREIGN = `
  2 zwei deux dois twee два двух / 3 drei trois três drie трёх / 4 vier cuatro quattro quatre quatro четыре четырёх / 5 fünf cinco cinq cinque vijf пять пяти
  6 sechs seis zes шесть шести / 7 sept sete sette zeven семь семи / 8 huit ocho oito восемь восьми / 9 neun nueve negen девять девяти
  10 zehn diez dix dez dieci десять десяти / 20 twintig zwanzig veinte vingt vinte двадцать двадцати / 30 dertig dreißig treinta trente trinta тридцать тридцати
  40 vierzig cuarenta quarante quarenta / 50 fünfzig cincuenta cinquante cinquenta пятьдесят пятидесяти
  60 sechzig sesenta soixante sessenta шестьдесят / 70 siebzig setenta / 80 achtzig ochenta oitenta / 90 neunzig noventa
`;
const digitsOf = (list: string): ReadonlyMap<string, string> =>
  new Map(
    list.split(/[/\n]/).flatMap((line) => {
      const [digits = '', ...words] = line.trim().split(/\s+/);
      return words.map((word): [string, string] => [word, digits]);
    }),
  );
const [IN_ENGLISH, IN_OTHERS] = [digitsOf(ENGLISH), digitsOf(FOREIGN)];

/** What is another word in another language, by words that the one has and that other has not. */
const IN_ONE_LANGUAGE: ReadonlyMap<string, readonly [digits: string, language: ReadonlySet<string>]> =
  new Map([
    ['dos', ['2', wordSet('el los tiene tengo')]],
    ['tres', ['3', wordSet('el los tiene tengo')]],
    ['due', ['2', wordSet('ha ho è gli sono della nel alla')]],
    ['tre', ['3', wordSet('ha ho è gli sono della nel alla')]],
  ]);

function foreignDigits(word: string, units: readonly MeaningUnit[]): string | undefined {
  const [digits, language] = IN_ONE_LANGUAGE.get(word) ?? [];
  if (language === undefined) return IN_OTHERS.get(word);
  return units.some((unit) => language.has(lower(unit))) ? digits : undefined;
}

const NEVER_ENGLISH = wordSet('zwei drei vier fünf zehn');

/** Beside these a numeral is a part of a larger one: "fifty five", "vingt et un". */
const ONES = wordSet('one un une uno una um uma ein eins eine один одна');
/** Behind these, too: "two thousand fifty". */
const MULTIPLES = wordSet(
  'hundred thousand million billion cent cents mille cien ciento cientos mil cem cento hundert tausend сто тысяча тысячи тысяч',
);

/** "3 days" and "three days": between words, of which a sum or a range has no more than this number. */
export function isNumeral(
  old: readonly MeaningUnit[],
  at: number,
  next: readonly MeaningUnit[],
  nextAt: number,
): boolean {
  const [word, digits] = [old[at], next[nextAt]];
  if (!isWord(word) || digits?.kind !== 'exact') return false;
  const english = IN_ENGLISH.get(word.text);
  const foreign = foreignDigits(word.text, old);
  if ((english ?? foreign) !== digits.text) return false;
  if (!isWord(old[at - 1]) || !isWord(next[nextAt - 1]) || isMentioned(old, at)) return false;
  const goesOn = (unit: MeaningUnit | undefined) => isWord(unit) || unit === undefined;
  if (!goesOn(old[at + 1]) || !goesOn(next[nextAt + 1])) return false;
  // "In sept" is no number in English, and "er hat zwei" is none.
  const isOfText = english ? isInEnglish(old, at) : NEVER_ENGLISH.has(word.text) || !isInEnglish(old, at);
  if (!isOfText || isPart(old, at)) return false;
  // "I write three, never 3" speaks of both.
  return !has(old, digits.text) && !has(next, word.text);
}

function isPart(units: readonly MeaningUnit[], at: number): boolean {
  const isCounted = (unit: MeaningUnit) =>
    [IN_ENGLISH, IN_OTHERS, IN_ONE_LANGUAGE].some((list) => list.has(lower(unit))) ||
    /^\p{N}/u.test(unit.text);
  const [before, behind] = [units.slice(Math.max(0, at - 2), at), units.slice(at + 1, at + 3)];
  return (
    [...before, ...behind].some((unit) => isCounted(unit)) ||
    behind.some((unit) => ONES.has(lower(unit))) ||
    before.some((unit) => MULTIPLES.has(lower(unit)))
  );
}
