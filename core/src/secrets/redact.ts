import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { EngineSettings } from '../kernel/context/context.ts';
import { findFormats, mayHoldFormats } from './find.ts';
import { findOwnKeys, mayHoldOwnKeys, ownMark } from './own-keys.ts';
import { mergeSpans, replaceSpans, type Span } from './span.ts';

// Between slices of this many characters other work goes on. A secret that begins in one slice is looked for in the
// overlap behind it, too.
const SLICE = 32_768;
const OVERLAP = 8_192;

// What these hold tells one thing from others. Without the secrets in them, several would be one.
const NAMING = new Set(['session_id', 'sessionId']);
const DIGEST_CHARACTERS = 16;

/** How many secrets of one kind were replaced in one field. */
export interface Redaction {
  /** Such as `memories.3.content`. */
  readonly path: string;
  /** Such as `github-token`. */
  readonly kind: string;
  readonly count: number;
}

/** A value without secrets, and what was replaced in it. */
interface Redacted<T> {
  readonly value: T;
  readonly redactions: readonly Redaction[];
}

export interface RedactionOptions {
  /** Whether well-known formats are taken out; the service's own keys always are. */
  readonly formats: boolean;
  /** Fields of the value itself that stay as they are. */
  readonly verbatim?: readonly string[];
}

/** What an engine takes out of what comes in. */
export function secretsOf({ settings }: { readonly settings: EngineSettings }): RedactionOptions {
  return { formats: settings.redactSecrets };
}

/** Replaces every secret in the strings of a value, names of its fields included. Long texts are done in slices. */
export async function redact<T>(value: T, options: RedactionOptions): Promise<Redacted<T>> {
  if (!maySecretsBeIn(value, options)) return { value, redactions: [] };
  const redactions: Redaction[] = [];
  const budget = { left: SLICE };
  const redacted = await redactPart(value, '', { ...options, redactions, budget });
  return { value: redacted as T, redactions };
}

/**
 * Replaces each secret in a text by a mark such as `[redacted: github-token]`.
 *
 * @param formats Whether secrets in well-known formats are looked for beside the service's own keys.
 * @returns the text, and for each secret in it, in order, what kind it was
 */
export function redactText(text: string, formats: boolean): { text: string; kinds: readonly string[] } {
  const spans = findSecrets(text, formats);
  return { text: replaceSpans(text, spans, ownMark), kinds: spans.map(({ kind }) => kind) };
}

interface Work extends RedactionOptions {
  readonly redactions: Redaction[];
  /** Characters until others get their turn. */
  readonly budget: { left: number };
}

async function redactPart(part: unknown, path: string, work: Work): Promise<unknown> {
  if (typeof part === 'string') return mayHold(part, work.formats) ? redactField(part, path, work) : part;
  if (!isContainer(part) || !maySecretsBeIn(part, work)) return part;
  if (Array.isArray(part)) {
    const items: unknown[] = [];
    for (const [index, item] of part.entries())
      items.push(await redactPart(item, join(path, `${index}`), work));
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, field] of Object.entries(part)) {
    const isVerbatim = path === '' && work.verbatim?.includes(name);
    const shown = (await redactPart(name, join(path, '(name)'), work)) as string;
    if (isVerbatim) fields.push([shown, field]);
    else if (NAMING.has(name) && typeof field === 'string')
      fields.push([shown, await redactName(field, join(path, shown), work)]);
    else fields.push([shown, await redactPart(field, join(path, shown), work)]);
  }
  return Object.fromEntries(fields);
}

/** With a digest of the whole where a secret was taken out, so that another one stays another. */
async function redactName(text: string, path: string, work: Work): Promise<string> {
  const redacted = await redactField(text, path, work);
  if (redacted === text) return text;
  return `${redacted} ${createHash('sha256').update(text).digest('base64url').slice(0, DIGEST_CHARACTERS)}`;
}

async function redactField(text: string, path: string, work: Work): Promise<string> {
  const spans: Span[] = [];
  for (let start = 0; start < text.length; start += SLICE) {
    work.budget.left -= Math.min(SLICE, text.length - start);
    if (work.budget.left < 0) {
      await setImmediate();
      work.budget.left = SLICE;
    }
    const from = Math.max(0, start - OVERLAP);
    const slice = text.slice(from, start + SLICE + OVERLAP);
    for (const span of findSecrets(slice, work.formats)) {
      spans.push({ ...span, start: span.start + from, end: span.end + from });
    }
  }
  const found = mergeSpans(spans);
  const counts = new Map<string, number>();
  for (const { kind } of found) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const [kind, count] of counts) work.redactions.push({ path, kind, count });
  return replaceSpans(text, found, ownMark);
}

function findSecrets(text: string, formats: boolean): Span[] {
  const own = findOwnKeys(text);
  return formats ? mergeSpans([...own, ...findFormats(text)]) : own;
}

function maySecretsBeIn(part: unknown, { formats, verbatim = [] }: RedactionOptions): boolean {
  if (typeof part === 'string') return mayHold(part, formats);
  if (!isContainer(part)) return false;
  if (Array.isArray(part)) return part.some((item) => maySecretsBeIn(item, { formats }));
  return Object.entries(part).some(
    ([name, field]) =>
      mayHold(name, formats) || (!verbatim.includes(name) && maySecretsBeIn(field, { formats })),
  );
}

/** Whether a text may hold a secret. A long one is not looked at here, but slice by slice, so that others get their turn. */
const mayHold = (text: string, formats: boolean) =>
  text.length > SLICE || mayHoldOwnKeys(text) || (formats && mayHoldFormats(text));

/** Lists and plain objects; dates and bytes hold no text. */
function isContainer(part: unknown): part is object {
  if (typeof part !== 'object' || part === null) return false;
  return Array.isArray(part) || Object.getPrototypeOf(part) === Object.prototype;
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);
