import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formOf, isKnown, serverText } from '../dashboard/src/language/server-text.ts';
import { activateServerTexts, type Catalog, messagesIn } from '../dashboard/translations.ts';
import { ROOT } from './kit/process.ts';

const SOURCES = join(ROOT, 'dashboard/src');
const names = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.tsx?$/.test(name),
);
const sources = names.map((name) => ({ name, code: readFileSync(join(SOURCES, name), 'utf8') }));
const german: Catalog = JSON.parse(readFileSync(join(SOURCES, 'language/de.json'), 'utf8'));

async function allMessages(): Promise<Set<string>> {
  const translated = sources.filter(({ code }) => code.includes('@lingui/'));
  const found = await Promise.all(translated.map(({ name, code }) => messagesIn(code, join(SOURCES, name))));
  return new Set(found.flat());
}

/** The names of values and elements in a message: `{count}`, `<0>`. */
const placeholdersOf = (text: string) =>
  [...new Set(text.match(/(?<!\b(?:one|other) )\{\w+(?=[,}])|<\/?\d+\/?>/g) ?? [])].sort();

describe('the German catalog', () => {
  it('has every text of the dashboard, and none that is not used', async () => {
    const messages = await allMessages();
    const known = Object.keys(german.texts);
    expect({
      missing: [...messages].filter((message) => !(message in german.texts)),
      unused: known.filter((message) => !messages.has(message)),
    }).toEqual({ missing: [], unused: [] });
  });

  it('shows the same values and elements as the English text', () => {
    const all = { ...german.texts, ...german.server };
    for (const [english, text] of Object.entries(all)) {
      expect(text.trim(), english).not.toBe('');
      expect(placeholdersOf(text), english).toEqual(placeholdersOf(english));
    }
  });
});

/**
 * Sources of the service whose texts stand in the dashboard's forms, in the preview of an import, beside what was recalled and in
 * the log of a webhook, and how those begin.
 */
const SERVED = [
  [
    'core/src/kernel/contract',
    /(?:\.(?:min|max)\((?:\d+|\w+|LIMITS\.\w+)|\.regex\(\/.*\/\w*|message:?|MESSAGE =|return|=== '',|\? '\w+' :)[,:=]?\s*(['`])((?:must|is|cannot) .+?)\1/gs,
  ],
  [
    'core/src/features/import',
    /(?:skipped\(|refuse\([\w. |?']+,\s*|message = |reason: |(?<=REASONS\b[^}]*): )(['`])(.+?)\1/gs,
  ],
  ['core/src/features/guardian/meaning', /concern\((['`])(?!\$)(.+?)\1/gs],
  ['core/src/features/spaces', /'CONFLICT',\s*(['`])(.+?)\1/gs],
  [
    'core/src/features/recall',
    /(?:(?:return|[?:]) (?=['`](?:superseded by|below|beyond|says) )|[{,] name: (?!`word))(['`])(.+?)\1/gs,
  ],
  ['server/src/import', /invalid\(\s*[^,]+,\s*(['`])(.+?)\1/gs],
  ['core/src/features/visibility', /SvcError\(\s*'[A-Z_]+',\s*(['`])(.+?)\1/gs],
  ['core/src/features/webhooks', /(?:message|return|[A-Z_]+:|super\(|TargetError\() ?(['`])([a-z].+?)\1/gs],
] as const;

/** The texts in the sources of a folder, a number in place of each value. */
function textsIn(folder: string, form: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/test|fixture/.test(name))
    .flatMap((name) => [...readFileSync(join(ROOT, folder, name), 'utf8').matchAll(form)])
    .map(([, , text = '']) => text.replaceAll(/\$\{[^}]*\}(?:\(.*?\)\})?/g, '7'));
}

describe('what the service says', () => {
  const known = Object.keys(german.server).map(formOf);

  it.each(SERVED)('of %s is in the German catalog', (folder, form) => {
    const texts = textsIn(folder, form);
    expect(texts.length).toBeGreaterThan(1);
    expect(
      texts.filter((text) => !known.some((one) => one.test(text.replace(/7$/, '')) || one.test(text))),
    ).toEqual([]);
  });

  it('is translated with its numbers, behind a name, and within a text', () => {
    activateServerTexts(german);
    expect(serverText('must be at most 64 characters')).toBe('darf höchstens 64 Zeichen haben');
    expect(serverText('notes: a.md: holds nothing to import')).toBe(
      'notes: a.md: enthält nichts zu importieren',
    );
    expect(serverText('is no valid JSON: unexpected "}" at byte 12')).toBe(
      'ist kein gültiges JSON: unerwartet: "}" bei Byte 12',
    );
    expect(serverText('must be a string or an array')).toBe('muss ein Text oder eine Liste sein');
    // What stands in a gap and is unknown stays as it is.
    expect(serverText('must be at most {0} <0>{1}')).toBe('darf höchstens {0} <0>{1} sein');
    expect(isKnown('an unknown text: and its tail')).toBe(false);
  });
});

it('each page has its texts translated: none is left as plain JSX', () => {
  const left = sources.flatMap(({ name, code }) =>
    [
      ...code.matchAll(
        /(?:title|hint|label|lead|description|placeholder|aria-label)="([^"]*[a-z]{3}[^"]*)"/g,
      ),
    ].flatMap(([, text = '']) => (/^[\w-]+(?:[/=:.-][\w./-]*)+$/.test(text) ? [] : [`${name}: ${text}`])),
  );
  expect(left).toEqual([]);
});
