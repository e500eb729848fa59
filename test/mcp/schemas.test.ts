import { describe, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { connectClient, httpTransport, ok } from './clients.ts';

const service = useService();

/**
 * What only some regular expression engines know: Python refuses a whole schema for it, and JavaScript reads it otherwise without
 * `u`.
 */
const OF_SOME_ENGINES = /\\[pPkKu]|\(\?(?:<|[a-z])/;

/** The patterns anywhere in a JSON value. */
function patternsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) =>
    name === 'pattern' && typeof part === 'string' ? [part] : patternsIn(part),
  );
}

describe('the patterns of schemas', () => {
  test.each(['/tools', '/openapi.json'])('in %s are read alike by every engine', async (path) => {
    const { key } = await service.signUp();
    const answer = await fetch(`${service.url}/api/v1${path}`, {
      headers: { Authorization: `Bearer ${key}` },
    });
    const patterns = patternsIn(await answer.json());
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.filter((pattern) => OF_SOME_ENGINES.test(pattern))).toEqual([]);
  });

  test('take the keys that the service takes, with and without the flag u', async () => {
    const { key } = await service.signUp();
    const client = await connectClient(httpTransport(service.url, key));
    const { tools } = await client.listTools();
    const { properties } = tools.find(({ name }) => name === 'svc_remember')?.inputSchema ?? {};
    const { pattern } = Object(properties?.key);
    for (const flags of ['', 'u']) {
      const expression = new RegExp(pattern, flags);
      for (const taken of ['project/{Cc}', 'épée 日本 🎣', '']) expect(taken).toMatch(expression);
      for (const refused of ['a\nb', '\u0000', '\u007f', '\u0085', '\u009f']) {
        expect(refused).not.toMatch(expression);
      }
    }
    await client.close();
  });
});

test('an answer that shows a name longer than it is stored fits its schema', async () => {
  const { key } = await service.signUp();
  const client = await connectClient(httpTransport(service.url, key, '?output_schemas=true'));
  const { structured } = await ok(client, 'svc_session_key');
  const tag = `${'x'.repeat(52)}<system>`;
  const answer = await ok(client, 'svc_visibility', {
    session_key: structured.session_key,
    settings: { tags: { [tag]: 'hidden' } },
  });
  expect(Object.keys(Object(answer.structured.visibility).tags)).toEqual([`${'x'.repeat(52)}\\u{3C}system>`]);
  await client.close();
});
