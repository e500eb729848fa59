import { createHash } from 'node:crypto';
import type { Category, MemoryType } from '../../kernel/contract/fields.ts';
import type { ExactMemory, ExactVersion } from '../export/exact.ts';
import type { LinkBasis } from '../records/contract.ts';

/** A memory as a format found it; text and labels are still the source's own. */
export interface ImportDraft {
  /** What names it at its source, whatever its text is at the time. Default: nothing but its type and content do. */
  readonly origin?: string | undefined;
  /** Within what the origin is a name, such as a file. Default: everywhere. */
  readonly originWithin?: string | undefined;
  /** Whose it is at its source, where that tells users apart. */
  readonly userId?: string | undefined;
  readonly type: MemoryType;
  readonly content: string;
  readonly category?: Category | undefined;
  readonly key?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly importance?: number | undefined;
  readonly occurredAt?: Date | undefined;
  readonly sessionId?: string | undefined;
  /** When what it says begins to hold; default: when it occurred. */
  readonly validFrom?: Date | undefined;
  /** When it ended to hold. */
  readonly validTo?: Date | undefined;
  readonly expiresAt?: Date | undefined;
  /** The source's own fields. */
  readonly metadata?: unknown;
  /** Fields of the source that cannot be taken over, each with the rule that it breaks. Default: none. */
  readonly unreadable?: readonly string[] | undefined;
}

/** What a format makes of a file, piece by piece. */
export type ImportEntry =
  | { readonly kind: 'memory'; readonly draft: ImportDraft }
  /** Out of an export of this service: restored as it is where the agent has no memories yet. */
  | { readonly kind: 'exact'; readonly memory: ExactMemory; readonly draft: ImportDraft | undefined }
  | { readonly kind: 'version'; readonly version: ExactVersion }
  /** One memory of an export that has taken another's place. Comes behind all memories of the document. */
  | {
      readonly kind: 'link';
      readonly older: string;
      readonly newer: string;
      /** Default: somebody stated it. */
      readonly basis?: LinkBasis | undefined;
    }
  /** Says of the document that it is the export of one user, or, by null, of an agent and its users: nothing to store. */
  | { readonly kind: 'owner'; readonly userId: string | null }
  /** Left out on purpose; the reason is the same for all of its kind. Of memories of others, `name` is the user's id. */
  | { readonly kind: 'skipped'; readonly reason: string; readonly name?: string }
  /** Cannot be imported, or only without the field that `field` says it is about; the others go on. */
  | { readonly kind: 'problem'; readonly message: string; readonly field?: true };

export const skipped = (reason: string, name?: string): Extract<ImportEntry, { kind: 'skipped' }> => ({
  kind: 'skipped',
  reason,
  ...(name === undefined ? {} : { name }),
});
export const problem = (message: string): Extract<ImportEntry, { kind: 'problem' }> => ({
  kind: 'problem',
  message,
});

/** A field that cannot be taken over, of a memory that comes in without it. */
export const fieldProblem = (message: string): ReturnType<typeof problem> => ({
  ...problem(`${message}; the memory comes without it`),
  field: true,
});

/** One memory, or a note that there is no text in it. */
export function memoryEntry(draft: ImportDraft): ImportEntry {
  return draft.content.trim() === '' ? skipped('empty') : { kind: 'memory', draft };
}

/** Short names of where a memory came from, the same for ever. */
export interface Origins {
  /** Of this text from there. */
  readonly text: string;
  /** Of the place at the source, where the text may be another one next time. */
  readonly place?: string;
}

export function originsOf(format: string, { origin, originWithin, type, content }: ImportDraft): Origins {
  if (origin === undefined) return { text: digest(['', type, content]) };
  return {
    text: digest([format, origin, content]),
    place: digest(['place', format, originWithin ?? '', origin]),
  };
}

/** The place of a memory of an export of this service. */
export function placeOfExported(id: string): string {
  return digest(['place', 'svc', '', id]);
}

/** Names a memory of an export where the memory here says the same, and is not its place's to change. */
export function aliasOfExported(id: string): string {
  return digest(['alias', 'svc', id]);
}

function digest(named: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(named)).digest('base64url');
}

interface ForeignTurn extends Omit<ImportDraft, 'type' | 'category' | 'occurredAt'> {
  readonly role: string | undefined;
  readonly at: Date | undefined;
}

// As for transcripts: what an agent chose to remember outranks what was merely said.
const TURN_IMPORTANCE = 0.3;

/** A turn as an episodic memory, `role: text`, like the turns of a transcript. */
export function turnEntry({ role, content, at, tags = [], importance, ...rest }: ForeignTurn): ImportEntry {
  const name = role?.replace(/[\s\p{Cc}:]+/gu, ' ').trim() ?? '';
  return memoryEntry({
    ...rest,
    type: 'episodic',
    content: content.trim() === '' || name === '' ? content : `${name}: ${content}`,
    tags: ['transcript', ...tags],
    importance: importance ?? TURN_IMPORTANCE,
    occurredAt: at,
  });
}
