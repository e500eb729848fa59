import type { Context } from '../../kernel/context/context.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { GuardianEntry, LinkBasis, Memory, Stored } from '../records/contract.ts';
import { readVersions } from '../records/read-versions.ts';
import { provenanceOf } from '../records/row.ts';
import type { VisibilityLevel } from './contract.ts';
import { levelOf, REDACTED, strictest } from './level.ts';
import { rulesOf } from './rules.ts';
import { currentView, levelsOf, type Reader, type TenantView, type View, viewOf } from './view.ts';

type Links = Partial<Pick<Memory, 'superseded_by' | 'merged_into'>> & {
  superseded_basis?: LinkBasis | undefined;
};

/**
 * Memories as this caller may see them: hidden ones leave the list, of redacted ones type and dates are shown. Those whose place a
 * withheld one took last are as they were before that: a version that changes nothing would tell that there is such a one.
 */
export async function showMemories<Shown extends Memory>(
  tx: Tx,
  reader: Reader,
  memories: readonly Shown[],
): Promise<(Shown | Memory)[]> {
  const view = await viewOf(tx, reader);
  if (view.isFull) return [...memories];
  const level = await levelsOf(tx, { tenantId: reader.tenantId, view }, memories.flatMap(idsIn));
  const before = await versionsBefore(tx, reader.tenantId, memories.filter(hasWithheldSuccessor(level)));
  return memories.flatMap((memory) => {
    if (level(memory.id) === 'hidden') return [];
    return [showAt({ ...memory, ...before.get(memory.id) }, level)];
  });
}

/** The version of a memory that this caller knows as its last one: what they send to be compared, they were shown. */
export async function shownVersion(tx: Tx, reader: Reader, memory: Memory): Promise<number> {
  const [shown = memory] = await showMemories(tx, reader, [memory]);
  return shown.version;
}

function hasWithheldSuccessor(level: (id: string) => VisibilityLevel) {
  return ({ superseded_by }: Links) => superseded_by !== undefined && level(superseded_by) !== 'full';
}

/** What tells of the last change of memories, as it was before that; only where that change was that another took their place. */
async function versionsBefore(
  tx: Tx,
  tenantId: string,
  superseded: readonly Memory[],
): Promise<ReadonlyMap<string, object>> {
  if (superseded.length === 0) return new Map();
  const found = await readVersions(
    tx,
    tenantId,
    superseded.map(({ id, version }) => ({ id, version: version - 1 })),
  );
  const exported = new Set(superseded.filter((memory) => 'change' in memory).map(({ id }) => id));
  return new Map(
    found
      .filter(({ supersededBy }) => supersededBy === null)
      .map((row) => [
        row.memoryId,
        {
          version: row.version,
          updated_at: row.updatedAt.toISOString(),
          source: provenanceOf(row),
          ...(exported.has(row.memoryId) && {
            change: row.change === 'created' ? undefined : row.change,
            content_source: row.contentSource ?? undefined,
          }),
        },
      ]),
  );
}

/** What a caller may read, without links to memories that are withheld from them. */
export async function showLinks<Linked extends Links>(
  tx: Tx,
  { tenantId, view }: TenantView,
  found: readonly Linked[],
): Promise<Linked[]> {
  if (view.isFull) return [...found];
  const level = await levelsOf(tx, { tenantId, view }, found.flatMap(linkedIn));
  return found.map((one) => withoutLinks(one, level));
}

/** What the caller's own write came to. It has happened, so a memory that is hidden now is redacted instead of denied. */
export async function showWritten<
  Answer extends { readonly memory: Memory; readonly entry?: GuardianEntry | undefined },
>(context: Context, answers: readonly Answer[]): Promise<Answer[]> {
  const view = await currentView(context);
  if (view.isFull) return [...answers];
  return context.read(async (tx) => {
    const ids = answers.flatMap(({ memory }) => idsIn(memory));
    const level = await levelsOf(tx, { tenantId: context.tenantId, view }, ids);
    const written = answers.map(({ memory }) => memory);
    const before = await versionsBefore(tx, context.tenantId, written.filter(hasWithheldSuccessor(level)));
    return answers.map((answer) => ({
      ...answer,
      memory: showAt({ ...answer.memory, ...before.get(answer.memory.id) }, level),
      ...(answer.entry ? { entry: showEntryAt(answer.entry, level(answer.memory.id), view, context) } : {}),
    }));
  });
}

/** The same for one. */
export async function showStored(context: Context, stored: Stored): Promise<Stored> {
  const [shown = stored] = await showWritten(context, [stored]);
  return shown;
}

/**
 * Guardian entries as this caller may see them. That a change waits is for the human to know and decide: of a withheld
 * memory they see that, and how far it goes.
 */
export async function showEntries(
  tx: Tx,
  reader: Reader,
  entries: readonly GuardianEntry[],
): Promise<GuardianEntry[]> {
  const view = await viewOf(tx, reader);
  if (view.isFull) return [...entries];
  const level = await levelsOf(
    tx,
    { tenantId: reader.tenantId, view },
    entries.map(({ memory_id }) => memory_id),
    // Of a memory that is not there yet, the entry itself says what it would be.
    'full',
  );
  return entries.map((entry) => showEntryAt(entry, level(entry.memory_id), view, reader));
}

/** The same for one. */
export async function showEntry(tx: Tx, reader: Reader, entry: GuardianEntry): Promise<GuardianEntry> {
  const [shown = entry] = await showEntries(tx, reader, [entry]);
  return shown;
}

/** A memory of which only type and dates are told; all else says the same of every memory. */
export function redactMemory(memory: Memory): Memory {
  const { id, type, occurred_at, created_at, updated_at, archived_at, restorable_until } = memory;
  return {
    id,
    type,
    ...UNTOLD,
    version: 1,
    source: { kind: 'agent', credential_id: null },
    occurred_at,
    // When it holds, where that is another time, its author told the agent only.
    valid_from: occurred_at,
    created_at,
    updated_at,
    ...withoutUndefined({ archived_at, restorable_until }),
  };
}

/** What stands for the fields that redaction withholds. */
export const UNTOLD = { content: REDACTED, category: null, key: null, tags: [] as string[], importance: 0.5 };

const NIL_ID = '00000000-0000-0000-0000-000000000000';

function showAt<Shown extends Memory>(memory: Shown, level: (id: string) => VisibilityLevel): Shown | Memory {
  return level(memory.id) === 'full' ? withoutLinks(memory, level) : redactMemory(memory);
}

function withoutLinks<Linked extends Links>(memory: Linked, level: (id: string) => VisibilityLevel): Linked {
  const shown = { ...memory };
  if (shown.superseded_by !== undefined && level(shown.superseded_by) !== 'full') {
    delete shown.superseded_by;
    delete shown.superseded_basis;
  }
  if (shown.merged_into !== undefined && level(shown.merged_into) !== 'full') delete shown.merged_into;
  return shown;
}

function idsIn(memory: Memory): string[] {
  return [memory.id, ...linkedIn(memory)];
}

function linkedIn({ superseded_by, merged_into }: Links): string[] {
  return [superseded_by ?? [], merged_into ?? []].flat();
}

function showEntryAt(
  entry: GuardianEntry,
  memory: VisibilityLevel,
  { rules }: View,
  { space }: Pick<Reader, 'space'>,
): GuardianEntry {
  const settings = rulesOf(rules, space && (entry.requested_by.agent_id ?? null));
  const states = [entry.current, entry.proposed].flatMap((state) => state ?? []);
  const level = strictest([memory, ...states.flatMap((state) => settings.map((one) => levelOf(one, state)))]);
  if (level === 'full') return entry;
  const isHidden = level === 'hidden';
  const redact = (state: GuardianEntry['current']) =>
    state && {
      ...UNTOLD,
      type: isHidden ? ('core' as const) : state.type,
      occurred_at: isHidden ? entry.requested_at : state.occurred_at,
    };
  const { id, drift, baseline_drift, status, requested_at, requested_by, cooling_until } = entry;
  return {
    id,
    memory_id: isHidden ? NIL_ID : entry.memory_id,
    current: redact(entry.current),
    proposed: redact(entry.proposed),
    drift,
    baseline_drift,
    // They tell what words changed.
    concerns: ['the agent withholds what it says'],
    status,
    requested_at,
    requested_by,
    cooling_until,
    decided_at: entry.decided_at,
    decided_by: entry.decided_by,
    // Only the human's own words: others may quote what is withheld.
    reason: entry.decided_by?.kind === 'human' ? entry.reason : null,
  };
}
