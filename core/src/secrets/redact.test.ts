import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redact, redactText } from './redact.ts';
import { coreOf, PLACEMENTS, SAMPLES } from './secrets.fixture.ts';

const plain = (text: string) => text.replace(/[\s>\u200b]+/g, '');

describe.each(SAMPLES.map((sample) => [`${sample.kind} ${sample.text.slice(0, 14)}`, sample] as const))(
  '%s',
  (_name, sample) => {
    test.each(Object.entries(PLACEMENTS))('is taken out %s', (placement, place) => {
      const text = place(sample);
      const { text: redacted, kinds } = redactText(text, true);
      expect(plain(redacted)).not.toContain(plain(coreOf(sample)));
      expect(redacted).not.toContain(encodeURIComponent(coreOf(sample)));
      expect(kinds).not.toEqual([]);
      if (placement === 'in a sentence') expect(kinds).toEqual([sample.kind]);
      for (const [around] of text.matchAll(/^(?:We noted|Use|one|Hi)|(?:went on\.|then|two|please\.)$/g)) {
        expect(redacted).toContain(around);
      }
      expect(redactText(redacted, true)).toEqual({ text: redacted, kinds: [] });
    });
  },
);

test.each(SAMPLES.filter(({ secret }) => secret.length > 30 && !secret.includes('\n')))(
  '$kind is taken out where a line ends within it, and what follows stays',
  (sample) => {
    const half = Math.ceil(sample.secret.length / 2);
    for (const end of ['\n', '\r\n', '=\n', '\\\n', '\n> ', '" +\n  "']) {
      const broken = `${sample.secret.slice(0, half)}${end}${sample.secret.slice(half)}`;
      const { text } = redactText(
        `Here:\n${sample.text.replace(sample.secret, broken)}\nand after that.`,
        true,
      );
      expect(text).not.toContain(sample.secret.slice(half));
      expect(text).not.toContain(sample.secret.slice(0, half));
      expect(text).toMatch(/^Here:\n[\s\S]*\nand after that\.$/);
    }
  },
);

test('what is JSON stays JSON, also where a secret stands in a text with escapes', () => {
  for (const { secret, text } of SAMPLES) {
    for (const value of [
      { env: `PASSWORD=${secret}\nAPI_KEY="${secret}"\nexport TOKEN='${secret}'` },
      {
        command: `curl -H "Authorization: Bearer ${secret}" -u "ada:${secret}" "https://ada:${secret}@example.com"`,
      },
      { password: `${secret}"${secret}\\`, body: JSON.stringify({ client_secret: secret, text }) },
      { [text]: `DB_PASSWORD=\\${secret}\\"` },
    ]) {
      const json = JSON.stringify(value);
      expect(() => JSON.parse(redactText(json, true).text), json).not.toThrow();
      expect(() => JSON.parse(redactText(JSON.stringify(json), true).text), json).not.toThrow();
    }
  }
});

test('the service takes its own keys out even where formats are left', () => {
  for (const sample of SAMPLES) {
    const { text } = redactText(sample.text, false);
    expect(text.includes(sample.secret)).toBe(!sample.kind.startsWith('svc-'));
  }
});

const PROSE = [
  'The commit 5b9d49e1f0c2a7d3e8b6a4c5d7f9e0a1b2c3d4e5 fixes it; sha256 is e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.',
  'Memory 01a202c9-8604-7393-814b-d69318f0677d, tools svc_recall_exact and svc_session_key and svc_sync_working.',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'Password: see the vault. The password: required, 12-character minimum. Secret: none. token: string',
  'const password = process.env.PASSWORD; const token = await getToken(user); let apiKey: string;',
  'password=\u0024{DB_PASSWORD} token: <your-token> secret = "changeme" api_key: $API_KEY',
  'Ask https://example.com:8080/a@b and git@github.com:owner/name.git, or mail ada@example.com.',
  'postgres://ada:\u0024{PGPASSWORD}@db/app and redis://localhost:6379/0',
  'Authorization: Bearer <token>. The authorization header: see the docs. Basic authentication is off.',
  'Donaudampfschifffahrtsgesellschaftskapitän und Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz',
  'sk-learn, hf_transfer, npm_config_registry, gh_actions, AKIA is a prefix, -----BEGIN CERTIFICATE-----',
  'The secret of good tea: water at 96 degrees. Key: C# minor, opus 27 no. 2.',
  'integrity sha512-LsiEhDWoXi9GNx1Zp5eYRNajeUvBrZ82h3k/vzFqo0WoSdmpyDnkkzBTLXqWqj1VNyPCcTwlxOqnEmlz6lXc7A==',
  'import { withoutUnseen } from "../text/unseen.ts"; // tokens: 4096, maxTokens: 10_000',
];
test.each(PROSE)('stays as it is: %s', (text) => {
  expect(redactText(text, true)).toEqual({ text, kinds: [] });
});

test('any text without secrets comes back byte for byte', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.lorem({ mode: 'sentences' })), (text) => {
      expect(redactText(text, true).text).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});

test('a value tells where what was replaced, names of fields included, and keeps all else', async () => {
  const [own, , , aws] = SAMPLES.map(({ secret }) => secret);
  const at = new Date();
  const value = { a: ['x', `${own} ${own} ${aws}`], [`k ${aws}`]: 1, at, kept: own, deep: { n: null } };
  const { value: clean, redactions } = await redact(value, { formats: true, verbatim: ['kept'] });
  expect(clean).toEqual({
    a: ['x', 'svc_[redacted] svc_[redacted] [redacted: aws-access-key]'],
    'k [redacted: aws-access-key]': 1,
    at,
    kept: own,
    deep: { n: null },
  });
  expect(redactions).toEqual([
    { path: 'a.1', kind: 'svc-api-key', count: 2 },
    { path: 'a.1', kind: 'aws-access-key', count: 1 },
    { path: '(name)', kind: 'aws-access-key', count: 1 },
  ]);
});

test('a long text is done in slices: a secret on every border is found, and others get their turn', async () => {
  const [sample] = SAMPLES.slice(7);
  if (!sample) throw new TypeError('no sample');
  const filler = 'lorem ipsum dolor sit amet\n'.repeat(1_213).slice(0, 32_700);
  const text = Array.from({ length: 12 }, () => `${filler} ${sample.text} `).join('');
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 0);
  const { value, redactions } = await redact({ text }, { formats: true });
  clearInterval(timer);
  expect(redactions).toEqual([{ path: 'text', kind: sample.kind, count: 12 }]);
  expect(value.text).not.toContain(sample.secret);
  expect(value.text.replaceAll(`[redacted: ${sample.kind}]`, sample.secret)).toBe(text);
  expect(turns).toBeGreaterThan(0);
});

// A pattern that begins anew at each character of a run takes minutes for one of these.
const RUNS = ['\\', '%25', 'SVC_KEY'];
test.each(RUNS.map((run) => [run]))(
  'a text of half a million characters that repeats %j is read to its end',
  async (run) => {
    const [{ secret = '' } = {}] = SAMPLES;
    const text = `A${run.repeat(Math.ceil(524_288 / run.length))} ${secret}`;
    const { value } = await redact({ text }, { formats: true });
    expect(value.text).toBe(text.replace(secret, 'svc_[redacted]'));
  },
  20_000,
);

test('what is written as escapes is found behind any number of backslashes', () => {
  const [{ secret = '' } = {}] = SAMPLES;
  for (const backslashes of ['\\', '\\\\', '\\\\\\', '\\'.repeat(40)]) {
    const hex = (letter: string) => letter.charCodeAt(0).toString(16);
    const escaped = [...secret].map((letter, at) => `${backslashes}${at % 2 ? 'x' : 'u00'}${hex(letter)}`);
    expect(redactText(`It is ${escaped.join('')} here.`, false).text).toBe('It is svc_[redacted] here.');
  }
});
