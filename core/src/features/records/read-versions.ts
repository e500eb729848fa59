import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Tx } from '../../kernel/database/database.ts';
import { integers, uuids } from '../../kernel/database/parameters.ts';
import { memoryVersions } from './schema.ts';

type Pins = readonly { readonly id: string; readonly version: number }[];

export type VersionRow = typeof memoryVersions.$inferSelect;

/** Versions of memories, by id and number, as rows of a table: the text of a statement is the same for any number of them. */
export function pinned(pins: Pins): SQL {
  return sql`unnest(${uuids(pins.map(({ id }) => id))}, ${integers(pins.map(({ version }) => version))})`;
}

/** Former versions of memories, those that are there, in any order. */
export function readVersions(tx: Tx, tenantId: string, pins: Pins): Promise<VersionRow[]> {
  // Index: the primary key.
  return tx
    .select()
    .from(memoryVersions)
    .where(
      and(
        eq(memoryVersions.tenantId, tenantId),
        sql`(${memoryVersions.memoryId}, ${memoryVersions.version}) IN (SELECT * FROM ${pinned(pins)})`,
      ),
    );
}
