/** The zeros of the decimal digits that some scripts have of their own. Those of full width are read by NFKC. */
const ZEROS = Array.from('٠۰०০੦૦୦௦౦೦൦๐໐၀០', (zero) => zero.charCodeAt(0));
const FOREIGN_DIGIT = /(?![0-9])\p{Nd}/gu;
/** What stands before and behind a number that is no part of a name such as "v1.200", "10.0.0.1" or "a-1.200". */
const ALONE = '(?<![\\p{L}\\p{N}_][-./:@#+&_]?)';
const ENDS = '(?![-./:@#+&_]?[\\p{L}\\p{N}_])';
/** The commas of "1,000" and the apostrophes of "1'000", wherever they stand. */
const COMMAS = /(?<=\d)[,'’](?=\d{3}(?!\d))/g;
/** "1.000" and "1.000.000", with cents or without, but not "0.500". Four groups may be an address. */
const DOTS = new RegExp(`${ALONE}[1-9]\\d{0,2}(?:\\.\\d{3}){1,2}${ENDS}`, 'gu');
/** The blanks of "1 000 €" and of "€ 1 000": without a currency they may stand between two numbers. */
const BLANKS = new RegExp(
  `(?<=\\p{Sc} ?)\\d{1,3}(?: \\d{3}){1,3}${ENDS}|${ALONE}\\d{1,3}(?: \\d{3}){1,3}(?= ?\\p{Sc})`,
  'gu',
);
const THOUSANDS = new RegExp(`${ALONE}(\\d{1,9}(?:[.,]\\d{1,2})?) ?k${ENDS}`, 'giu');
/** "3 pm", "3:15 p.m." */
const TWELVE_HOURS = new RegExp(`${ALONE}(1[0-2]|0?[1-9])(?:[:.]([0-5]\\d))? ?([ap])\\.?m${ENDS}`, 'giu');
/** "07:30", "15h", "15 h 30", "15.30 Uhr". */
const HOURS = new RegExp(
  `${ALONE}(2[0-4]|1\\d|0?\\d)(?::([0-5]\\d)| ?h ?([0-5]\\d)?|(?:[.:]([0-5]\\d))? ?uhr)${ENDS}`,
  'giu',
);
const DIGIT = /\p{Nd}/u;
const NON_ASCII = /\P{ASCII}/u;
const LEADING_ZEROS = /^0+(?=[1-9])/;

/** Writes times of day and amounts in one way, however they are written: "3 pm" as "15:00", "1.2k" and "1.200" as "1200". */
export function withOneNumeral(text: string): string {
  if (!DIGIT.test(text)) return text;
  return (NON_ASCII.test(text) ? text.replace(FOREIGN_DIGIT, inAscii) : text)
    .replace(COMMAS, '')
    .replace(DOTS, (number) => number.replaceAll('.', ''))
    .replace(BLANKS, (number) => number.replaceAll(' ', ''))
    .replace(THOUSANDS, (_, number: string) => String(Math.round(Number(number.replace(',', '.')) * 1000)))
    .replace(TWELVE_HOURS, (_, hour: string, minute: string | undefined, half: string) =>
      twelveHours(Number(hour), minute, /p/i.test(half)),
    )
    .replace(HOURS, (_, hour: string, ...minutes: (string | undefined)[]) =>
      timeOfDay(Number(hour), minutes.slice(0, 3).find(Boolean)),
    );
}

/** A number without zeros before it: "0042" is 42, and the 04 of a date is 4. The 00 of a full hour is no 0. */
export function withoutLeadingZeros(digits: string): string {
  return digits.replace(LEADING_ZEROS, '');
}

/** Of "3 pm" the 3 stays beside the time, since many leave out the rest. */
function twelveHours(hour: number, minute: string | undefined, isAfternoon: boolean): string {
  const full = (hour % 12) + (isAfternoon ? 12 : 0);
  return full === hour ? timeOfDay(full, minute) : `${hour} ${timeOfDay(full, minute)}`;
}

function timeOfDay(hour: number, minute = '00'): string {
  return `${hour}:${minute}`;
}

function inAscii(digit: string): string {
  const code = digit.charCodeAt(0);
  const zero = ZEROS.find((first) => code >= first && code < first + 10);
  return zero === undefined ? digit : String(code - zero);
}
