import { SECRET_FORMATS } from './formats.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findByRuleSet } from './rule-set.ts';
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
