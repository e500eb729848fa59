import type { Source } from '../../../kernel/contract/fields.ts';
import type { LinkBasis } from '../../records/contract.ts';
import { contentSourceOf, fieldsOf, type MemoryFields } from '../../records/row.ts';
import type { memoryVersions } from '../../records/schema.ts';

/** One version of a memory, the current one included. */
type Version = Pick<
  typeof memoryVersions.$inferSelect,
  | keyof MemoryFields
  | 'sessionId'
  | 'supersededBy'
  | 'supersededBasis'
  | 'mergedInto'
  | 'archivedAt'
  | 'change'
  | 'source'
  | 'contentSource'
>;

/** A version, and whether its author's share in the memory is (or was before) taken back. */
interface Reviewed {
  readonly version: Version;
  readonly taken: boolean;
}

/** What a memory would be without what was taken back. */
export interface Remains {
  readonly fields: MemoryFields & {
    readonly sessionId: string | null;
    readonly supersededBy: string | null;
    readonly supersededBasis: LinkBasis | null;
    readonly mergedInto: string | null;
  };
  /** Who said the content. */
  readonly contentSource: Source;
  readonly archived: boolean;
  /** Whether nothing is left of it: nobody else wrote it or brought it back from the archive. */
  readonly isGone: boolean;
  /** The memory of which it was taken back that it supersedes this one; null: none. */
  readonly releasedFrom: string | null;
}

const FIELDS = [
  'type',
  'content',
  'category',
  'key',
  'tags',
  'importance',
  'occurredAt',
  'validFrom',
  'validTo',
  'expiresAt',
  'metadata',
  'sessionId',
  'supersededBy',
  'supersededBasis',
  'mergedInto',
  'archivedAt',
] as const;

/**
 * Tells a memory's history again without the versions taken back: every other version keeps what it changed. What
 * nobody else wrote or brought back from the archive goes there.
 *
 * @param versions All versions, oldest first; at least one.
 */
export function replay(versions: readonly Reviewed[]): Remains {
  const [first] = versions;
  if (!first) throw new Error('A memory has at least one version.');
  const state: Record<string, unknown> = { ...first.version };
  let wanted = !first.taken;
  let releasedFrom: string | null = null;
  let contentSource = contentSourceOf(first.version);
  for (const [index, { version, taken }] of versions.entries()) {
    const before = versions[index - 1]?.version;
    // An undo only tells again what others have said.
    if (!before || version.change === 'undone') continue;
    const changed = FIELDS.filter((name) => !isSame(version[name], before[name]));
    if (changed.includes('supersededBy')) releasedFrom = taken ? version.supersededBy : null;
    if (taken) continue;
    for (const name of changed) state[name] = version[name];
    // The reason belongs to the link: what was taken back may have given the same one to another.
    if (changed.includes('supersededBy')) state.supersededBasis = version.supersededBasis;
    if (changed.includes('content')) contentSource = contentSourceOf(version);
    wanted ||= changed.includes('content') || version.change === 'restored';
  }
  const { archivedAt, change: _, ...fields } = state as unknown as Version;
  const isGone = !wanted;
  const archived = isGone || archivedAt !== null;
  return { fields: pickFields(fields), contentSource, archived, isGone, releasedFrom };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Without the columns of a row that undoing leaves alone. */
function pickFields(row: Remains['fields']): Remains['fields'] {
  const { sessionId, supersededBy, supersededBasis, mergedInto } = row;
  return { ...fieldsOf(row), sessionId, supersededBy, supersededBasis, mergedInto };
}
