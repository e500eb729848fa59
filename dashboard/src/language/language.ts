import { i18n, type Messages } from '@lingui/core';

/** The languages of the dashboard. English is in the sources; every other one has a catalog here, `<language>.json`. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

// The build compiles a catalog, which changes its type.
const CATALOGS = { de: (): Promise<unknown> => import('./de.json') };
const REMEMBERED = 'svc-language';

/**
 * Loads the language of the page, which stays until the page is loaded anew. So whatever is loaded after it, constants of
 * modules included, translates by `t` and `Trans`.
 */
export async function loadLanguage(): Promise<void> {
  const language = languageInUse();
  // Without its catalog, which a service that was just updated may not have any more, the page is in English.
  const catalog = language === 'en' ? undefined : await CATALOGS[language]().catch(() => undefined);
  const { default: messages } = (catalog ?? { default: {} }) as { default: Messages };
  i18n.loadAndActivate({ locale: catalog ? language : 'en', messages });
  document.documentElement.lang = i18n.locale;
}

/** The language that the human chose, else the first of the browser's that there is. */
function languageInUse(): Language {
  const wanted = [chosenLanguage() ?? '', ...navigator.languages];
  return wanted.map((language) => language.slice(0, 2)).find(isLanguage) ?? 'en';
}

/** The language that the human chose in this browser; undefined where it follows the browser. */
export function chosenLanguage(): Language | undefined {
  const chosen = localStorage.getItem(REMEMBERED);
  return chosen !== null && isLanguage(chosen) ? chosen : undefined;
}

/**
 * The languages in which dates and numbers are written, the preferred one first: those of the browser. Where the human has
 * chosen another language than the browser's, it is that one, so that a date fits the words around it.
 */
export function formatLanguages(): readonly string[] {
  const own = globalThis.navigator?.languages ?? ['en'];
  const chosen = globalThis.navigator ? chosenLanguage() : undefined;
  if (chosen === undefined) return own;
  return [...own.filter((language) => language.startsWith(chosen)), chosen];
}

/** Changes the language, or lets it follow the browser, and loads the page anew. */
export function chooseLanguage(language: Language | undefined): void {
  if (language === undefined) localStorage.removeItem(REMEMBERED);
  else localStorage.setItem(REMEMBERED, language);
  window.location.reload();
}

function isLanguage(name: string): name is Language {
  return Object.hasOwn(LANGUAGES, name);
}
