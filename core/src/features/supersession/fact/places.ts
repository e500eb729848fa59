import { fold } from '../../../text/words.ts';

const LANGUAGES = ['en', 'de', 'es', 'fr', 'ja', 'zh'];
/** They are cities as well, or are named like one. */
const CITY_STATES = new Set(['SG', 'HK', 'MO', 'MC', 'GI', 'LU', 'SM', 'VA']);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

let countries: ReadonlySet<string> | undefined;

/** Whether a place is a country: a city in it says the same more exactly. */
export function isCountry(folded: string): boolean {
  countries ??= loadCountries();
  return countries.has(folded);
}

/** The names that the runtime knows of the regions of the world. */
function loadCountries(): Set<string> {
  const found = new Set<string>();
  for (const language of LANGUAGES) {
    const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const one of LETTERS) {
      for (const other of LETTERS) {
        if (CITY_STATES.has(one + other)) continue;
        const name = names.of(one + other);
        if (name !== undefined) found.add(fold(name));
      }
    }
  }
  // Grenada has the name of a city in Spanish.
  found.delete('granada');
  return found;
}
