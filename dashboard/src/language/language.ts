import { i18n, type MessageDescriptor, type MessageOptions, type Messages } from '@lingui/core';

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
  keepEscapes();
  const language = languageInUse();
  // Without its catalog, which a service that was just updated may not have any more, the page is in English.
  const catalog = language === 'en' ? undefined : await CATALOGS[language]().catch(() => undefined);
  const { default: messages } = (catalog ?? { default: {} }) as { default: Messages };
  i18n.loadAndActivate({ locale: catalog ? language : 'en', messages });
  document.documentElement.lang = i18n.locale;
}

/** What Lingui takes for a character that is written as its code. */
const ESCAPE = /\\(?=u[\da-f]{4}|x[\da-f]{2})/gi;

/**
 * Has values stand in a text as they are. Lingui decodes `\u202E` in the finished text, so that a name which holds these letters,
 * or a text that was escaped so that all of it is seen, would become the character itself.
 */
function keepEscapes(): void {
  const translate = i18n._.bind(i18n);
  const asTheyAre = (values: Record<string, unknown> | undefined) =>
    values &&
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        typeof value === 'string' ? value.replaceAll(ESCAPE, '\\u005c') : value,
      ]),
    );
  i18n._ = (id: MessageDescriptor | string, values?: Record<string, unknown>, options?: MessageOptions) =>
    typeof id === 'string'
      ? translate(id, asTheyAre(values), options)
      : translate({ ...id, ...(id.values && { values: asTheyAre(id.values) ?? {} }) });
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
