import type { MeaningUnit } from './meaning-unit.ts';

/** Units behind a number, by every way to write one. Case counts: "5 mb" and "5 MB" are two. Without "min", which may mean
 * at least, and "h", which may be a time of day, and "PM", who may be people. */
const FORMS = `
  mg milligram milligrams milligramme milligrammes / kg kilogram kilograms kilogramme kilogrammes / km kilometer kilometers kilometre kilometres
  cm centimeter centimeters centimetre centimetres / mm / ml / ms millisecond milliseconds
  MB megabyte megabytes / GB gigabyte gigabytes / TB terabyte terabytes / % percent / € EUR euro euros Euro / $ dollar dollars / am a.m / pm p.m
  minutes mins / seconds secs / hours hrs
`;
const UNIT_OF: ReadonlyMap<string, string> = new Map(
  FORMS.split(/[/\n]/).flatMap((line) => {
    const [name = '', ...others] = line.trim().split(/\s+/);
    return [name, ...others].map((form): [string, string] => [form, name]);
  }),
);

const AMOUNT = /^([€$]?)(\d+(?:[.,:]\d+)*)(\D*)$/u;
/** Behind these the sign before a number belongs to more than that: "€50 million". */
const MULTIPLE = /^(?:hundred|thousand|million|billion|trillion|mio|mrd|k|m)$/i;

interface Measure {
  readonly says: string;
  /** Units of meaning that it takes. */
  readonly length: number;
}

/** How many units of both texts are the same number of the same unit: "20 mg", "20mg" and "20 milligrams"; "€50" and "50 euros". */
export function sameMeasure(
  old: readonly MeaningUnit[],
  at: number,
  next: readonly MeaningUnit[],
  nextAt: number,
): readonly [number, number] | undefined {
  for (const back of isNumber(old[at - 1]) && isNumber(next[nextAt - 1]) ? [1, 0] : [0]) {
    const [one, other] = [measureAt(old, at - back), measureAt(next, nextAt - back)];
    if (one && one.says === other?.says) return [one.length - back, other.length - back];
  }
  return undefined;
}

function isNumber(unit: MeaningUnit | undefined): boolean {
  return unit?.kind === 'exact' && /^\d+(?:[.,:]\d+)*$/.test(unit.text);
}

function measureAt(units: readonly MeaningUnit[], at: number): Measure | undefined {
  const [amount, behind, stop] = units.slice(at, at + 3);
  if (amount?.kind !== 'exact') return undefined;
  const [, sign = '', number = '', glued = ''] = AMOUNT.exec(amount.text) ?? [];
  if (number === '') return undefined;
  if (sign !== '') {
    const isWhole = glued === '' && !MULTIPLE.test(behind?.text ?? '');
    return isWhole ? { says: `${number} ${sign}`, length: 1 } : undefined;
  }
  const [written, length] = glued === '' ? [behind?.text ?? '', 2] : [glued, 1];
  // In the name of something each letter counts.
  if (glued === '' && behind?.kind !== 'word' && !/^(?:%|€|[ap]\.m)$/.test(written)) return undefined;
  const unit = UNIT_OF.get(written);
  if (unit === undefined) return undefined;
  // "1010 am" is a wavelength.
  if (/^[ap]m$/.test(unit) && !/^(?:1[0-2]|0?[1-9])(?::[0-5]\d)?$/.test(number)) return undefined;
  const isDotted = written.endsWith('.m');
  if (isDotted && (glued === '' ? stop : behind)?.text !== '.') return undefined;
  return { says: `${number} ${unit}`, length: length + (isDotted ? 1 : 0) };
}
