import { and, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { MemoryType } from '../../kernel/contract/fields.ts';
import { rows } from '../../kernel/database/database.ts';
import { activeFrom } from '../memory/chain.ts';
import { memoriesKnownAt } from '../records/known-at.ts';
import { memories, memoryVersions } from '../records/schema.ts';
import { beginsBy, endsAfter, isNotSuperseded } from '../records/validity.ts';
import { readableThroughout, type View, viewOf } from '../visibility/view.ts';

/** Bytes of an id and of a version number. */
const PIN_BYTES = 16 + 4;

export interface Pin {
  readonly id: string;
  readonly version: number;
}

/**
 * Which version of which memory there was at one moment, in the order of the document. Since former versions are kept,
 * that is enough to read everything as it was then, page by page, each page in a transaction of its own: a reader as
 * slow as can be holds no connection and no old rows. It takes 20 bytes a memory.
 */
export interface Snapshot {
  /** Memories of a section; of `history` all that have former versions. */
  pins(section: MemoryType | 'archived' | 'history', from: number, count: number): Pin[];
  /** Whether an undo had taken a former version back. */
  undone(pin: Pin): boolean;
  /**
   * Of an export without archive, by id, the memory in it that superseded this one at that moment, where the link between them is
   * over archived ones.
   */
  readonly successors: ReadonlyMap<string, string>;
}

/** Which of the memories a snapshot is of; undefined: all there are now. */
export interface Moments {
  /** Those that held then. */
  readonly asOf?: Date | undefined;
  /** Those that the store knew then, as they were. */
  readonly knownAt?: Date | undefined;
}

const pin = sql`uuid_send(id) || int4send(version)`;

/** Takes the snapshot, each list in one statement, so that nothing can come between. */
export async function takeSnapshot(context: Context, moments: Moments): Promise<Snapshot> {
  const { found, linked } = await context.read(async (tx) => ({
    found: await rows<{ part: string; pins: Uint8Array | null }>(
      tx,
      moments.asOf || moments.knownAt
        ? pinsAt(context, await viewOf(tx, context), moments)
        : pinsNow(context.tenantId),
    ),
    linked: moments.knownAt
      ? await rows<{ id: string; next: string }>(tx, linksAt(context, moments.knownAt))
      : [],
  }));
  const parts = new Map(found.map(({ part, pins }) => [part, Buffer.from(pins ?? [])]));
  const pins = (part: string, from: number, count: number) => {
    const bytes = parts.get(part)?.subarray(from * PIN_BYTES, (from + count) * PIN_BYTES);
    return Array.from({ length: (bytes?.length ?? 0) / PIN_BYTES }, (_, index) => pinAt(bytes, index));
  };
  const undone = new Set(pins('undone', 0, Number.POSITIVE_INFINITY).map(nameOf));
  const successors = new Map(linked.map(({ id, next }) => [id, next]));
  return { pins, undone: (one) => undone.has(nameOf(one)), successors };
}

function pinsNow(tenantId: string): SQL {
  return sql`SELECT CASE WHEN archived_at IS NULL THEN type ELSE 'archived' END AS part,
            string_agg(${pin}, ''::bytea ORDER BY CASE WHEN archived_at IS NULL THEN occurred_at END, id) AS pins
          FROM ${memories} WHERE tenant_id = ${tenantId} GROUP BY part
        UNION ALL
          SELECT 'history', string_agg(${pin}, ''::bytea ORDER BY id)
          FROM ${memories} WHERE tenant_id = ${tenantId} AND version > 1
        UNION ALL
          SELECT 'undone', string_agg(uuid_send(memory_id) || int4send(version), ''::bytea)
          FROM ${memoryVersions} WHERE tenant_id = ${tenantId} AND undone`;
}

/** The active memories of a moment that the caller may read: when a withheld one holds would be told by its place in it. */
function pinsAt({ tenantId, now }: Context, view: View, { asOf, knownAt }: Moments): SQL {
  const seen = readableThroughout(tenantId, view);
  const states = knownAt && sql`WITH memories AS (${memoriesKnownAt({ tenantId, at: knownAt, now, seen })})`;
  const held = asOf && [beginsBy(asOf), endsAfter(asOf), isNotSuperseded(tenantId, asOf, view.readable)];
  const wanted = and(
    sql`tenant_id = ${tenantId}::uuid AND archived_at IS NULL`,
    view.known,
    view.readable,
    ...(held ?? []),
  );
  return sql`${states ?? sql``} SELECT type AS part, string_agg(${pin}, ''::bytea ORDER BY occurred_at, id) AS pins
    FROM ${memories} WHERE ${wanted} GROUP BY part`;
}

/** The links that a moment's memories had over archived ones to those that were active then. */
function linksAt({ tenantId, now }: Context, knownAt: Date): SQL {
  const states = memoriesKnownAt({ tenantId, at: knownAt, now, seen: undefined });
  return sql`WITH memories AS (${states})
    SELECT id, next FROM (
      SELECT id, superseded_by, ${activeFrom(tenantId, sql`${memories.supersededBy}`)} AS next
      FROM ${memories} WHERE archived_at IS NULL AND superseded_by IS NOT NULL
    ) AS linked WHERE next IS NOT NULL AND next <> superseded_by`;
}

function pinAt(bytes: Buffer | undefined, index: number): Pin {
  const start = index * PIN_BYTES;
  const hex = bytes?.toString('hex', start, start + 16) ?? '';
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  return { id, version: bytes?.readInt32BE(start + 16) ?? 0 };
}

const nameOf = ({ id, version }: Pin) => `${id} ${version}`;
