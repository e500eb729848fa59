import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { SECRET_FORMATS } from './formats.ts';
import { mergeSpans, type Span } from './span.ts';
import { type DecodedText, isVeiled, trimProse, viewsOf } from './views.ts';

// A long word, an address, the head of a key, or a name before a sign: without one of these there is nothing to find.
const SUSPECT =
  /[A-Za-z0-9+/_=.~%-]{20}|:\/\/|-----BEGIN|(?:AKIA|ASIA|AIza|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|sk[-_]|rk_|hf_|npm_|eyJ)|(?:passw|passphrase|passcode|pwd|secret|token|key|credential)[\w\\"'` -]{0,24}[:=&]|\bcurl\b|authorization/i;
/** False where a text holds no secret for sure, found out many times faster than where it holds them. */
export const mayHoldFormats = (text: string) => SUSPECT.test(text) || isVeiled(text);

/** Where a text holds secrets in well-known formats; also in an encoding of their own, or broken by line ends. */
export function findFormats(text: string): Span[] {
  if (!mayHoldFormats(text)) return [];
  const spans = [...findPrivateKeys(text), ...findTokens(text)];
  for (const view of viewsOf(text)) {
    const found = view.joints.length === 0 ? findPrivateKeys(view.text) : [];
    found.push(...findTokens(view.text, view).flatMap((span) => trimProse(view, span)));
    spans.push(...found.map((span) => view.locate(span)));
  }
  return mergeSpans(spans);
}

function findTokens(text: string, view?: DecodedText): Span[] {
  const spans: Span[] = [];
  const isJoined = view !== undefined && view.joints.length > 0;
  for (const { kind, pattern, open = pattern, unless } of SECRET_FORMATS) {
    for (const match of text.matchAll(isJoined ? open : pattern)) {
      const { secret, quoted, bare } = match.groups ?? {};
      // A backslash at its end is that of the quote behind it: without it, JSON would be none.
      const own = (secret ?? quoted ?? bare ?? match[0]).replace(/(?<!\\)\\+$/, '');
      if (own === '' || unless?.(own)) continue;
      const start = match.index + match[0].lastIndexOf(own);
      spans.push({ start, end: start + own.length, kind });
    }
  }
  // Of what both know, the rule set often takes more than the secret.
  const further = findByRuleSet(text).filter(
    (one) => !spans.some(({ start, end }) => start < one.end && one.start < end),
  );
  return [...spans, ...further];
}

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
// What is left of a key whose end is missing: lines of its body.
const BODY =
  /(?:\s{0,8}[>|*#]{0,3}[ \t]{0,8}(?:[A-Za-z0-9+/]{16,200}={0,2}|[A-Za-z-]{4,20}: [^\n]{1,120}))*/y;
const PUTTY = /Private-Lines: ?\d{1,4}\s{1,4}(?=[A-Za-z0-9+/])/g;

const LONGEST = 32_768;

/** Private keys as PEM, OpenSSH, PGP and PuTTY write them, whole or cut. */
function findPrivateKeys(text: string): Span[] {
  if (!text.includes('-----BEGIN ') && !text.includes('Private-Lines')) return [];
  const ends = [...text.matchAll(END)].map(({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
  }));
  const begins = [...text.matchAll(BEGIN)];
  const spans: Span[] = [];
  let next = 0;
  let from = 0;
  for (const [number, { 0: found, index }] of begins.entries()) {
    if (index < from) continue;
    const body = index + found.length;
    while ((ends[next]?.start ?? text.length) < body) next += 1;
    const end = ends[next];
    const limit = Math.min(begins[number + 1]?.index ?? text.length, body + LONGEST);
    from = end && end.start < limit ? end.end : bodyEnd(text, body);
    spans.push({ start: index, end: from, kind: 'private-key' });
  }
  from = 0;
  for (const { 0: found, index } of text.matchAll(PUTTY)) {
    const start = index + found.length;
    if (start < from) continue;
    from = bodyEnd(text, start);
    spans.push({ start, end: from, kind: 'private-key' });
  }
  return spans;
}

function bodyEnd(text: string, start: number): number {
  BODY.lastIndex = start;
  return start + (BODY.exec(text)?.[0].length ?? 0);
}

/** The part of secretlint's interface between a rule and what runs it that is needed here. */
interface Rule {
  readonly meta: { readonly id: string };
  create(
    context: {
      createTranslator(): (id: string) => { readonly messageId: string };
      report(found: { readonly message: unknown; readonly range: readonly number[] }): void;
      ignore(): void;
      readonly sharedOptions: object;
    },
    options: object,
  ): { file?(source: object): unknown };
}

const NAME = '@secretlint/secretlint-rule-';
// Comments in a memory must not switch rules off. A file of keys is no text.
const LEFT_OUT = new Set([`${NAME}filter-comments`, `${NAME}gcp`]);
// Addresses keep all but their password: that has a rule of our own.
const ADDRESSES = new Set([`${NAME}basicauth`, `${NAME}database-connection-string`]);
const active = (rules as unknown as readonly Rule[]).filter(
  ({ meta }) => !LEFT_OUT.has(meta.id) && !ADDRESSES.has(meta.id),
);

/** What secretlint's recommended rules find. They run directly: secretlint's own runner keeps a record of every run. */
function findByRuleSet(content: string): Span[] {
  const spans: Span[] = [];
  for (const rule of active) {
    const kind = rule.meta.id.slice(NAME.length);
    const context = {
      createTranslator: () => (id: string) => ({ messageId: id }),
      report: ({ range: [start = 0, end = 0] }: { readonly range: readonly number[] }) => {
        spans.push({ start, end, kind });
      },
      ignore: () => {},
      sharedOptions: {},
    };
    rule.create(context, {}).file?.({ content, filePath: '/memory.txt', ext: '.txt', contentType: 'text' });
  }
  return spans;
}
