import { isStemmed, type Language, stem } from '../language.ts';
import { fold } from '../words.ts';

/** Weekdays, from Sunday on, and months as Chinese, Japanese and Korean shorten them. */
const OF_CJK: Readonly<Record<string, { readonly weekday: string; readonly month: string }>> = {
  zh: { weekday: '[日天] 一 二 三 四 五 六', month: '[0-9一二三四五六七八九十]月' },
  ja: { weekday: '日 月 火 水 木 金 土', month: '[0-9一二三四五六七八九十]月' },
  ko: { weekday: '일 월 화 수 목 금 토', month: '[0-9]월' },
};
/** Letters that an ending adds to a stem. The name of so few letters as "Mai" begins other words. */
const LONGEST_ENDING = 4;
const SHORTEST_INFLECTED = 4;

type Kind = 'weekday' | 'month';

const expressions = new Map<string, readonly string[]>();

/**
 * The names of weekdays, from Sunday on, or of months as expressions over folded text, with their endings in languages that inflect
 * them; none where they are not known.
 */
export function calendarExpressions(language: string, kind: Kind): readonly string[] {
  const key = `${language} ${kind}`;
  const known = expressions.get(key);
  if (known) return known;
  const ofCjk = OF_CJK[language]?.[kind].split(' ');
  const made = ofCjk ?? (isStemmed(language) ? inflected(calendarNames(language, kind), language) : []);
  expressions.set(key, made);
  return made;
}

function inflected(names: readonly string[], language: Language): readonly string[] {
  return names.map((name) => {
    const root = stem(name, language);
    return root.length < SHORTEST_INFLECTED ? name : `${root}\\p{L}{0,${LONGEST_ENDING}}`;
  });
}

/** The names of weekdays, from Sunday on, or of months in a date, folded. */
export function calendarNames(language: Language, kind: Kind): readonly string[] {
  const options =
    kind === 'month' ? ({ month: 'long', day: 'numeric' } as const) : { weekday: 'long' as const };
  const format = new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' });
  return Array.from({ length: kind === 'month' ? 12 : 7 }, (_, place) => {
    // 7 January 2024 was a Sunday.
    const date = kind === 'month' ? Date.UTC(2024, place, 3) : Date.UTC(2024, 0, 7 + place);
    return fold(format.formatToParts(date).find(({ type }) => type === kind)?.value ?? '');
  });
}
