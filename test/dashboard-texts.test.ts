import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Catalog, messagesIn } from '../dashboard/translations.ts';
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
