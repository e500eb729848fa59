import { createHash } from 'node:crypto';
import { characterCount, LIMITS, metadata } from '../../kernel/contract/fields.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { type Redaction, type RedactionOptions, redact } from '../../secrets/redact.ts';
import { piecesOf } from '../../text/split-text.ts';
import { asLabel, firstCharacters } from '../../text/truncate.ts';
import { type NewMemory, newMemory } from '../memory/contract.ts';
import type { FormatName } from './contract.ts';
import {
  fieldProblem,
  type ImportDraft,
  type ImportEntry,
  type Origins,
  originsOf,
  problem,
  skipped,
} from './draft.ts';
import { FORMATS } from './formats/all.ts';
import type { Format } from './formats/format.ts';
import { IMPORT_LIMITS } from './limits.ts';
import { type Sample, takeSample } from './read/sample.ts';
import { checkPath, type SourceFile } from './read/source-file.ts';
import { openZip, tooLarge } from './read/zip.ts';

/** Where in an import something was found. */
interface Place {
  readonly path: string;
  /** Number of the record within its file, from 1. */
  readonly item: number;
  /** Entries before this one in the whole import: where a resumed import goes on. */
  readonly ordinal: number;
  readonly format: FormatName;
  /** Secrets that were taken out of it. */
  readonly redacted: number;
}

/** A memory ready to be stored. */
export interface FoundMemory {
  readonly kind: 'memory';
  readonly draft: NewMemory;
  readonly origins: Origins;
  /** Whose it is at its source. */
  readonly userId?: string | undefined;
}

type Settled = FoundMemory | Exclude<ImportEntry, { kind: 'memory' | 'owner' }>;

/** One thing an import came across. */
export type Finding = Place & Settled;

/** A file with what it was found to be; null where it is of no known format. */
export interface KnownFile {
  readonly file: SourceFile;
  readonly sample: Sample;
  readonly format: Format<FormatName> | null;
}

/** How the files of an import are read. */
export interface WalkOptions {
  /** Which secrets are taken out. */
  readonly secrets: RedactionOptions;
  /**
   * Where the files hold what is of several users: whose memories are taken, null for what is of none; the others are left out.
   * Default: all are.
   */
  readonly only?: string | null | undefined;
}

/** Is told what is no finding. */
interface WalkListener {
  /** Of each file before its findings. */
  onFile?(file: KnownFile): void;
  /** Of a file that it is the export of one user, or, by null, of an agent and its users. */
  onOwner?(file: SourceFile, userId: string | null): void;
}

/**
 * Everything in some files, archives opened, in an order that is the same every time.
 *
 * @param format Format of all files but exports of this service; default: told from each.
 * @throws SvcError `VALIDATION_ERROR` for a file that is hostile or damaged; what was found before stands.
 */
export async function* walk(
  files: readonly SourceFile[],
  format: FormatName | undefined,
  { secrets, only }: WalkOptions,
  listener: WalkListener = {},
): AsyncGenerator<Finding> {
  let ordinal = 0;
  for await (const known of knownFiles(files, format)) {
    listener.onFile?.(known);
    const { file, sample, format: own } = known;
    if (!own) continue;
    let item = 0;
    for await (const entry of own.read(file, sample)) {
      if (entry.kind === 'owner') {
        listener.onOwner?.(file, entry.userId);
        continue;
      }
      item += 1;
      const place = { path: file.path, item, format: own.name };
      // Before a long text is cut: no cut goes through a secret.
      const wanted = withoutOthers(entry, only);
      const { value, redactions } = await redact(wanted, secrets);
      let redacted = countOf(redactions);
      for (const found of settle(withoutSecretKey(value, redactions), own.name)) {
        await yieldToEventLoop();
        yield { ...place, ordinal, redacted, ...found };
        redacted = 0;
        ordinal += 1;
      }
    }
  }
}

const OF_OTHERS =
  'memories of others: with user_id (npx svc-memory import --user) what is of that user comes in, without it what is of none';

function withoutOthers<Entry extends ImportEntry>(entry: Entry, only: string | null | undefined) {
  if (only === undefined || entry.kind !== 'memory' || (entry.draft.userId ?? null) === only) return entry;
  return skipped(OF_OTHERS, entry.draft.userId);
}

/** Without the rest of a key that held a secret: it could be the key of other memories, too. */
function withoutSecretKey<Entry extends Exclude<ImportEntry, { kind: 'owner' }>>(
  entry: Entry,
  redactions: readonly Redaction[],
): Entry {
  const secret = redactions.find(({ path }) => path === 'draft.key');
  if (!secret || !('draft' in entry) || !entry.draft) return entry;
  const unreadable = [...(entry.draft.unreadable ?? []), `key: holds a secret (${secret.kind})`];
  return { ...entry, draft: { ...entry.draft, key: undefined, unreadable } };
}

/** How many secrets were in an entry; one out of an export holds its text twice. */
function countOf(redactions: readonly Redaction[]): number {
  const isTwice = redactions.some(({ path }) => path.startsWith('memory.'));
  const counted = redactions.filter(({ path }) => !isTwice || path.startsWith('memory.'));
  return counted.reduce((sum, { count }) => sum + count, 0);
}

/** The files themselves and those in archives, each with its format. */
async function* knownFiles(
  files: readonly SourceFile[],
  format: FormatName | undefined,
): AsyncGenerator<KnownFile> {
  let unpacked = 0;
  for (const file of files) {
    checkPath(file.path);
    const sample = await takeSample(file);
    if (sample.kind !== 'zip') {
      yield { file, sample, format: choose(file, sample, format) };
      continue;
    }
    const spend = (bytes: number) => {
      unpacked += bytes;
      // Each file is read twice, for its beginning and as a whole.
      if (unpacked > 2 * IMPORT_LIMITS.unpackedBytes) throw tooLarge(file);
    };
    for (const inner of await openZip(file, spend)) {
      const innerSample = await takeSample(inner);
      if (innerSample.kind === 'zip') yield { file: inner, sample: innerSample, format: null };
      else yield { file: inner, sample: innerSample, format: choose(inner, innerSample, format) };
    }
  }
}

function choose(file: SourceFile, sample: Sample, wanted: FormatName | undefined): Format<FormatName> | null {
  if (['binary', 'empty', 'lfs-pointer'].includes(sample.kind)) return null;
  // Its own exports are read as such whatever the caller names: only so is it seen whose memories they are.
  if (wanted !== undefined) return FORMATS.svc.detects(file, sample) ? FORMATS.svc : FORMATS[wanted];
  return Object.values<Format<FormatName>>(FORMATS).find((format) => format.detects(file, sample)) ?? null;
}

function* settle(entry: Exclude<ImportEntry, { kind: 'owner' }>, format: FormatName): Iterable<Settled> {
  if (entry.kind !== 'memory') {
    yield entry;
    return;
  }
  const { content: whole } = entry.draft;
  if (characterCount(whole) <= LIMITS.contentCharacters) {
    if (whole.trim() !== '') yield* toMemory(entry.draft, format);
    return;
  }
  let index = 0;
  // One by one: who reads them lets other work in between.
  for (const content of piecesOf(whole, LIMITS.contentCharacters)) {
    if (content.trim() !== '') yield* toMemory(pieceOf(entry.draft, content, index), format);
    index += 1;
  }
}

function pieceOf(draft: ImportDraft, content: string, index: number): ImportDraft {
  const { origin, key, occurredAt, unreadable } = draft;
  return {
    ...draft,
    content,
    unreadable: index === 0 ? unreadable : undefined,
    origin: origin === undefined ? undefined : `${origin}#${index + 1}`,
    key: key === undefined || index === 0 ? key : keyOfPiece(key, index + 1),
    occurredAt: occurredAt && new Date(occurredAt.getTime() + index),
  };
}

function keyOfPiece(key: string, number: number): string {
  const whole = `${key}~${number}`;
  if (characterCount(whole) <= LIMITS.keyCharacters) return whole;
  // Long keys may begin alike.
  const end = `~${createHash('sha256').update(key).digest('hex').slice(0, 12)}~${number}`;
  return firstCharacters(key, LIMITS.keyCharacters - end.length) + end;
}

/** A memory, and what of it could not be taken over. */
function* toMemory(draft: ImportDraft, format: FormatName): Iterable<Settled> {
  const own = metadata.optional().safeParse(withoutNothing(draft.metadata));
  const ownIssue = own.error && `metadata: ${own.error.issues[0]?.message ?? 'is not valid'}`;
  const parsed = newMemory.safeParse({
    type: draft.type,
    content: draft.content.toWellFormed(),
    ...withoutUndefined({
      category: draft.category,
      key: draft.key,
      tags: draft.tags && toTags(draft.tags),
      importance: draft.importance,
      occurred_at: draft.occurredAt?.toISOString(),
      session_id:
        draft.sessionId === undefined ? undefined : asLabel(draft.sessionId, LIMITS.sessionIdCharacters),
      valid_from: draft.validFrom?.toISOString(),
      valid_to: draft.validTo?.toISOString(),
      expires_at: draft.expiresAt?.toISOString(),
      metadata: own.data,
    }),
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    yield problem(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is not valid'}`);
    return;
  }
  // Only of a memory that comes in.
  for (const issue of [...(draft.unreadable ?? []), ...(ownIssue ? [ownIssue] : [])])
    yield fieldProblem(issue);
  const { userId } = draft;
  const whose = userId === undefined ? {} : { userId };
  yield { kind: 'memory', draft: parsed.data, origins: originsOf(format, draft), ...whose };
}

/** Many sources write an empty object, or null, where there is nothing. */
function withoutNothing(value: unknown): unknown {
  const isNothing = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return isNothing ? undefined : value;
}

function toTags(tags: readonly string[]): string[] {
  return tags
    .map((tag) => asLabel(tag, LIMITS.tagCharacters))
    .filter((tag) => tag !== '')
    .slice(0, LIMITS.tags);
}

/** Settles a draft that was read before, as one out of an export that cannot be restored exactly. */
export function settleDraft(draft: ImportDraft, format: FormatName): Iterable<Settled> {
  return settle({ kind: 'memory', draft }, format);
}
