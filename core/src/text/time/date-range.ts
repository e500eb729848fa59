import { dayOf, type NamedPeriod, type Period, shift } from './period.ts';

/** Finds the first time that a text names, relative to a moment. */
type ReadTime = (text: string, now: Date) => NamedPeriod | undefined;

const BETWEEN =
  '(?<!\\p{L})(?:between|zwischen|entre|tra|fra|tussen|mellan|mellem|mellom|miedzy|между)(?!\\p{L})';
/** What Korean and Japanese hang on the last day. */
const UNTIL = /^(?:까지|まで)/;
const HAS_BETWEEN = new RegExp(BETWEEN, 'u');
const ENDS_IN_BETWEEN = new RegExp(`${BETWEEN}(?: (?:the|de[mn]|el|le|il|i))? *$`, 'u');
const AND = 'and|und|et|e|y|en|och|og|i|и';
const TO =
  'to|until|till|through|thru|bis(?: zum)?|a|au|al|ate|jusqu.au|hasta(?: el)?|fino al|tot(?: en met)?|til|do|до|по';
/** What stands between the first and the last day of a range. Articles belong to the day. */
const linkOf = (words: string) =>
  `(?:(?:st|nd|rd|th)?[.,]?(?: (?:${words}) |\\s*[-–—~〜]\\s*)(?:the |den |dem |le |el |il |der |o )?| all['’]|일?부터 ?|から|到|至)`;
const [LINK, LINK_BETWEEN] = [TO, `${AND}|${TO}`].map((words) => ({
  behind: new RegExp(`^${linkOf(words)}`, 'u'),
  before: new RegExp(`(?<![\\d.,:/-])(\\d{1,2})${linkOf(words)}$`, 'u'),
}));
/** Longest date, and longest start of a range before its last day, in characters. */
const LONGEST_DATE = 40;
const DAY_BEHIND = /^(\d{1,2})(?:st|nd|rd|th)?(?![\d:]|[.,]\d|[-/]\d|\s*%)(?:,? ((?:19|20)\d\d))?/;
/** The day of Chinese, Japanese and Korean dates, whose mark tells it from a number of something else. */
const MARKED_DAY = /^(\d{1,2})[日号號일]/;
const IS_MARKED = /[日号號일]$/;
const HAS_YEAR = /(?:19|20)\d\d/;
const IS_MONTH_FIRST = /^\p{L}/u;

/**
 * The range of days that begins or ends with a time that was found: "28 November to 1 December 2024", "vom 3. bis 8. Mai". Of the
 * year, which one of both may lack, the other one tells. Two days joined by "and" are a range only behind "between".
 *
 * @param first the first time that the text names
 * @returns undefined where the text names no range
 */
export function readRange(
  text: string,
  first: NamedPeriod,
  reading: { readonly read: ReadTime; readonly now: Date },
): NamedPeriod | undefined {
  const range = daysFromTo(text, first, reading);
  if (!range) return undefined;
  const between = ENDS_IN_BETWEEN.exec(text.slice(0, range.start));
  const until = UNTIL.exec(text.slice(range.end, range.end + LONGEST_DATE))?.[0].length ?? 0;
  return { ...range, start: between?.index ?? range.start, end: range.end + until };
}

function daysFromTo(
  text: string,
  first: NamedPeriod,
  { read, now }: { readonly read: ReadTime; readonly now: Date },
): NamedPeriod | undefined {
  const link = HAS_BETWEEN.test(text.slice(0, first.start)) ? LINK_BETWEEN : LINK;
  const linked = link?.behind.exec(text.slice(first.end))?.[0];
  if (linked !== undefined) {
    const at = first.end + linked.length;
    return toDate(text, first, { at, read, now }) ?? toDayOfMonth(text, first, at);
  }
  const start = Math.max(0, first.start - LONGEST_DATE);
  const match = link?.before.exec(text.slice(start, first.start));
  return match ? fromDayOfMonth(first, match[1], start + match.index) : undefined;
}

/** "28 November to 1 December 2024" */
function toDate(
  text: string,
  first: NamedPeriod,
  { at, read, now }: { readonly at: number; readonly read: ReadTime; readonly now: Date },
): NamedPeriod | undefined {
  const behind = text.slice(at, at + LONGEST_DATE);
  const found = read(behind, now);
  if (found?.start !== 0) return undefined;
  const words = text.slice(first.start, first.end);
  const [firstHasYear, lastHasYear] = [words, behind.slice(0, found.end)].map((part) => HAS_YEAR.test(part));
  const yearOn = shift(shift(first.period.from, 'year', 1), 'day', -1);
  const last = firstHasYear && !lastHasYear ? (read(behind, yearOn)?.period ?? found.period) : found.period;
  const isEarlier = first.period.from <= last.from;
  const from =
    !firstHasYear && (lastHasYear || !isEarlier)
      ? (read(words, last.from)?.period ?? first.period)
      : first.period;
  return named({ from: from.from, to: last.to }, first.start, at + found.end);
}

/** "November 3 to 8, 2024", "5月3日から8日" */
function toDayOfMonth(text: string, first: NamedPeriod, at: number): NamedPeriod | undefined {
  const words = text.slice(first.start, first.end);
  const isMarked = IS_MARKED.test(words);
  const match = (isMarked ? MARKED_DAY : DAY_BEHIND).exec(text.slice(at));
  if (!match || !isDay(first.period) || !(isMarked || IS_MONTH_FIRST.test(words))) return undefined;
  const { from } = first.period;
  const year = match[2] === undefined ? from.getUTCFullYear() : Number(match[2]);
  const start = dayOf(year, from.getUTCMonth(), from.getUTCDate());
  const last = dayOf(year, from.getUTCMonth(), Number(match[1]));
  return start && last && named({ from: start.from, to: last.to }, first.start, at + match[0].length);
}

/** "3 to 8 November 2024", of which the 8 November was found. */
function fromDayOfMonth(
  { period, end }: NamedPeriod,
  day: string | undefined,
  at: number,
): NamedPeriod | undefined {
  if (!isDay(period)) return undefined;
  const start = dayOf(period.from.getUTCFullYear(), period.from.getUTCMonth(), Number(day));
  return start && named({ from: start.from, to: period.to }, at, end);
}

function isDay({ from, to }: Period): boolean {
  return shift(from, 'day', 1).getTime() === to.getTime();
}

function named(period: Period, start: number, end: number): NamedPeriod | undefined {
  return period.from < period.to ? { period, start, end } : undefined;
}
