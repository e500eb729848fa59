import { isWellFormedSecret } from '../kernel/tenancy/key-format.ts';
import { mergeSpans, type Span } from './span.ts';
import { type DecodedText, isVeiled, trimProse, viewsOf } from './views.ts';

// API keys, session keys and OAuth tokens; also cut ones. Names such as svc_recall_exact have an underscore within 20 characters.
const KEY = /(?<![0-9A-Za-z])sv[cos]_[0-9A-Za-z]{20,}/gi;
const SIGNING_SECRET = /(?<![0-9A-Za-z])whsec_[0-9A-Za-z+/_-]{24,}={0,2}/gi;
// A key within a longer word, or across line ends: its checksum tells it.
const WITHIN = /sv[cos]_(?=[0-9A-Za-z]{36})/g;
const KEY_CHARACTERS = 40;
const PREFIXES = ['svc_', 'svs_', 'svo_'] as const;
// No setting has a name as long as this: unbounded, each KEY of a longer run would be followed to the end of the run.
const ASSIGNED =
  /\bSVC_[A-Z_]{0,60}(?:SECRET|TOKEN|KEY|PASSWORD)[A-Z_]{0,60}["'`]?[ \t]{0,4}[=:][ \t]{0,4}["'`]?((?=[^\s"'`]{0,64}\d)[\w+/=.~-]{16,512})/g;
const PREFIX = /(?:sv[cos]|whsec)[_%\\&]|SVC_/i;

/** False where a text holds no key of the service for sure. */
export const mayHoldOwnKeys = (text: string) => PREFIX.test(text) || isVeiled(text);

/** Where a text holds secrets that this service makes. */
export function findOwnKeys(text: string): Span[] {
  if (!mayHoldOwnKeys(text)) return [];
  const spans = keysIn(text);
  for (const view of viewsOf(text)) {
    const found = view.joints.length === 0 ? keysIn(view.text) : keysIn(view.text).filter(isSigningSecret);
    spans.push(...found.flatMap((span) => trimProse(view, span)).map((span) => view.locate(span)));
    spans.push(...wrappedKeys(view));
  }
  return mergeSpans(spans);
}

const OWN_KINDS: Readonly<Record<string, string>> = {
  'svc-api-key': 'svc_[redacted]',
  'svc-session-key': 'svs_[redacted]',
  'svc-oauth-token': 'svo_[redacted]',
  'svc-signing-secret': 'whsec_[redacted]',
  'svc-setting': '[redacted: svc-setting]',
};
const KIND_OF: Readonly<Record<string, string>> = {
  svc: 'svc-api-key',
  svs: 'svc-session-key',
  svo: 'svc-oauth-token',
  whs: 'svc-signing-secret',
};

/** What stands in place of an own secret. */
export function ownMark(kind: string): string {
  return OWN_KINDS[kind] ?? `[redacted: ${kind}]`;
}

function keysIn(text: string): Span[] {
  const spans: Span[] = [];
  for (const pattern of [KEY, SIGNING_SECRET]) {
    for (const { 0: found, index } of text.matchAll(pattern)) spans.push(toSpan(found, index));
  }
  for (const { 0: found, 1: value = '', index } of text.matchAll(ASSIGNED)) {
    const start = index + found.length - value.length;
    spans.push({ start, end: start + value.length, kind: 'svc-setting' });
  }
  return spans;
}

const isSigningSecret = ({ kind }: Span) => kind === 'svc-signing-secret';

function wrappedKeys(view: DecodedText): Span[] {
  const spans: Span[] = [];
  for (const { index } of view.text.matchAll(WITHIN)) {
    const found = view.text.slice(index, index + KEY_CHARACTERS);
    if (PREFIXES.some((prefix) => isWellFormedSecret(found, prefix)))
      spans.push(view.locate(toSpan(found, index)));
  }
  return spans;
}

function toSpan(found: string, start: number): Span {
  return {
    start,
    end: start + found.length,
    kind: KIND_OF[found.slice(0, 3).toLowerCase()] ?? 'svc-api-key',
  };
}
