import { and, eq, type SQL, sql } from 'drizzle-orm';
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core';
import { OPERATOR } from '../../kernel/audit/act.ts';
import { appendToAuditLog } from '../../kernel/audit/append.ts';
import { auditEntries, auditHeads } from '../../kernel/audit/schema.ts';
import { addToCounter } from '../../kernel/commit/call-context.ts';
import { systemContext, unlessErased } from '../../kernel/commit/system-context.ts';
import type { Context, Services } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { violatesUnique } from '../../kernel/database/errors.ts';
import { type RedactionOptions, redact, secretsOf } from '../../secrets/redact.ts';
import { importFiles, isUnused } from '../import/schema.ts';
import { discardUnused } from '../import/spool.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { corpusCounter, corpusDelta } from '../search-index/corpus-delta.ts';
import { indexMemories, toIndexEntries, unindexMemories } from '../search-index/index-memories.ts';
import { embeddingQueue, memoryTerms, memoryVectors } from '../search-index/schema.ts';

const SLICE = 100;
const TEXTS = /^(?:text|text\[\]|json|jsonb)$/;
/** Made from stored texts, and made anew with them; or a chain of hashes over ids, which must not change. */
const LEFT_ALONE: ReadonlySet<PgTable> = new Set([
  ...[memoryTerms, memoryVectors, embeddingQueue],
  ...[auditEntries, auditHeads],
]);
// Digests, sealed secrets, and addresses that are used as they are.
const VERBATIM = new Set([
  'hash',
  'request_hash',
  'secret',
  'previous_secret',
  'url',
  'origin',
  'last_text',
  'user_id',
  'forgotten_id',
]);
const MEMORIES = getTableConfig(memories).name;
/** Id of the transaction that wrote a row: another one has changed it when that is another. */
const WRITTEN_IN = 'written in';

/** What was found, or would be taken out, in one tenant. */
interface Scrubbed {
  /** Rows looked at. */
  readonly rows: number;
  /** Rows with secrets. */
  readonly changed: number;
  readonly kinds: Readonly<Record<string, number>>;
}

interface ScrubOptions {
  /** Only looks. */
  readonly dryRun?: boolean;
  /** Told how many of how many rows are done. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Takes secrets out of what is stored. */
export interface Scrubbing {
  /**
   * Takes the secrets out of everything that is stored of an agent and its users: memories with their terms and vectors, history,
   * what waits with the Guardian, baselines, schedule, work in progress, distress, jobs, answers kept for a replay. Works in slices
   * that are committed one by one: ended at any moment, it is simply run again.
   */
  run(tenantId: string, options?: ScrubOptions): Promise<Scrubbed>;
}

/** A table as far as it holds texts of tenants. */
interface TextTable {
  readonly name: string;
  readonly keys: readonly { readonly name: string; readonly type: string }[];
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

type Row = Readonly<Record<string, unknown>>;

/**
 * @param tables Every table; those that hold texts of tenants are looked through.
 * @internal
 */
export function createScrubbing(dependencies: Services, tables: readonly PgTable[]): Scrubbing {
  return {
    run: async (agentId, { dryRun = false, onProgress = () => {} } = {}) => {
      const textTables = tables.flatMap(textTableOf);
      const secrets = secretsOf(dependencies);
      if (!dryRun) await noteRun(dependencies, agentId);
      const tenantIds = [agentId, ...(await dependencies.users.tenantsOf(agentId))];
      let total = 0;
      for (const tenantId of tenantIds) {
        if (!dryRun) await discardUploads(dependencies, tenantId);
        total += await countRows(dependencies, tenantId, textTables);
      }
      const kinds: Record<string, number> = {};
      let done = 0;
      let changed = 0;
      for (const [tenantId, table] of tenantIds.flatMap((id) =>
        textTables.map((one) => [id, one] as const),
      )) {
        for await (const slice of slicesOf(dependencies, tenantId, table)) {
          for (const row of slice) {
            const found = await scrubRow(dependencies, tenantId, table, row, secrets, dryRun);
            for (const [kind, count] of found) kinds[kind] = (kinds[kind] ?? 0) + count;
            if (found.size > 0) changed += 1;
          }
          done += slice.length;
          onProgress(done, Math.max(done, total));
        }
      }
      return { rows: done, changed, kinds };
    },
  };
}

/** All rows of a tenant's table, some at a time. */
async function* slicesOf(
  dependencies: Services,
  tenantId: string,
  table: TextTable,
): AsyncGenerator<readonly Row[]> {
  let after: Row | undefined;
  for (;;) {
    const slice = await readSlice(dependencies, tenantId, table, after);
    yield slice;
    after = slice.at(-1);
    if (slice.length < SLICE) return;
  }
}

function textTableOf(table: PgTable): TextTable[] {
  if (LEFT_ALONE.has(table)) return [];
  const { name, columns, primaryKeys } = getTableConfig(table);
  const ofKey = new Set(primaryKeys[0]?.columns.map((column) => column.name));
  const keys = columns
    .filter((column) => column.primary || ofKey.has(column.name))
    .map((column) => ({ name: column.name, type: column.getSQLType() }));
  const texts = columns
    .map((column) => ({ name: column.name, type: column.getSQLType() }))
    .filter((column) => TEXTS.test(column.type) && !VERBATIM.has(column.name))
    .filter((column) => !keys.some((key) => key.name === column.name));
  const isOfTenant = columns.some((column) => column.name === 'tenant_id');
  return isOfTenant && texts.length > 0 && keys.length > 0 ? [{ name, keys, columns: texts }] : [];
}

async function countRows(
  { database }: Services,
  tenantId: string,
  tables: readonly TextTable[],
): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    const [counted] = await database.read(tenantId, (tx) =>
      rows<{ count: number }>(
        tx,
        sql`SELECT count(*)::int AS count FROM ${sql.identifier(name)} WHERE tenant_id = ${tenantId}::uuid`,
      ),
    );
    total += counted?.count ?? 0;
  }
  return total;
}

/** The next rows after the one with the keys of `after`; from the first on without one. */
function readSlice(
  services: Services,
  tenantId: string,
  table: TextTable,
  after: Row | undefined,
): Promise<Row[]> {
  const beyond = after ? sql`AND ${keysOf(table)} > ${keyValues(table, after)}` : sql``;
  return readRows(services, tenantId, table, beyond);
}

function keysOf({ keys }: TextTable): SQL {
  return sql`(${namesOf(keys)})`;
}

function keyValues({ keys }: TextTable, row: Row): SQL {
  const values = keys.map((key) => sql`${row[key.name]}::${sql.raw(key.type)}`);
  return sql`(${sql.join(values, sql`, `)})`;
}

function namesOf(parts: readonly { readonly name: string }[]): SQL {
  return sql.join(
    parts.map((part) => sql.identifier(part.name)),
    sql`, `,
  );
}

function readRows(
  { database }: Services,
  tenantId: string,
  { name, keys, columns }: TextTable,
  condition: SQL,
): Promise<Row[]> {
  const named = keys.map((key) => sql`${sql.identifier(key.name)}::text`);
  const shown = sql.join(
    named.map((key, index) => sql`${key} AS ${sql.identifier(keys[index]?.name ?? '')}`),
    sql`, `,
  );
  return database.read(tenantId, (tx) =>
    rows<Row>(
      tx,
      sql`SELECT ${shown}, ${namesOf(columns)}, xmin::text AS ${sql.identifier(WRITTEN_IN)}
          FROM ${sql.identifier(name)} AS scrubbed
          WHERE tenant_id = ${tenantId}::uuid ${condition} ORDER BY ${sql.join(
            keys.map((key) => sql`scrubbed.${sql.identifier(key.name)}`),
            sql`, `,
          )} LIMIT ${SLICE}`,
    ),
  );
}

/**
 * Replaces what is secret in a row, and answers how many secrets of which kind there were. What a call has changed
 * meanwhile is read again.
 */
async function scrubRow(
  dependencies: Services,
  tenantId: string,
  table: TextTable,
  row: Row,
  secrets: RedactionOptions,
  dryRun: boolean,
): Promise<ReadonlyMap<string, number>> {
  const texts = Object.fromEntries(table.columns.map(({ name }) => [name, row[name]]));
  const { value, redactions } = await redact(texts, secrets);
  const found = new Map<string, number>();
  for (const { kind, count } of redactions) found.set(kind, (found.get(kind) ?? 0) + count);
  if (found.size === 0 || dryRun) return found;
  const changed = table.columns.filter(({ name }) =>
    redactions.some(({ path }) => path.split('.')[0] === name),
  );
  const context = await systemContext(dependencies, tenantId);
  const isContent = table.name === MEMORIES && changed.some(({ name }) => name === 'content');
  const [analysis] = isContent ? await toIndexEntries(context, [String(value.content)]) : [];
  const isDone = await unlessErased(
    context.write(async (tx) => {
      if (!(await update(tx, table, row, value, changed))) return false;
      if (analysis) await indexAnew(tx, context, String(row.id), analysis);
      return true;
    }),
  );
  // What is of a user who is forgotten is erased soon, and not counted.
  if (isDone === undefined) return new Map();
  if (isDone) return found;
  const same = sql`AND ${keysOf(table)} = ${keyValues(table, row)}`;
  const [now] = await readRows(dependencies, tenantId, table, same);
  return now ? scrubRow(dependencies, tenantId, table, now, secrets, dryRun) : new Map();
}

/** Answers whether the row was still as it was read. */
async function update(
  tx: Tx,
  table: TextTable,
  row: Row,
  value: Row,
  columns: TextTable['columns'],
): Promise<boolean> {
  const { name } = table;
  const own = sql`${keysOf(table)} = ${keyValues(table, row)} AND xmin::text = ${row[WRITTEN_IN]}`;
  const set = (values: Row) =>
    sql`UPDATE ${sql.identifier(name)} SET ${sql.join(
      columns.map(
        (column) => sql`${sql.identifier(column.name)} = ${literal(values[column.name], column.type)}`,
      ),
      sql`, `,
    )} WHERE ${own} RETURNING 1`;
  try {
    return (await tx.transaction((nested) => rows(nested, set(value)))).length > 0;
  } catch (error) {
    if (!violatesUnique(error, 'memories_key')) throw error;
    // Two keys that differed in their secret only.
    return (await rows(tx, set({ ...value, key: `${String(value.key)}~${String(row.id)}` }))).length > 0;
  }
}

function literal(value: unknown, type: string) {
  if (type === 'text[]') {
    return sql`ARRAY(SELECT jsonb_array_elements_text(${JSON.stringify(value)}::jsonb))`;
  }
  return type === 'text' ? sql`${value}` : sql`${JSON.stringify(value)}::${sql.raw(type)}`;
}

/** Makes what recall knows of a memory from its new text. */
async function indexAnew(
  tx: Tx,
  context: Context,
  id: string,
  analysis: Awaited<ReturnType<typeof toIndexEntries>>[number],
): Promise<void> {
  const [before] = await rows<Pick<MemoryRow, 'type' | 'length' | 'echoes'> & { archived_at: string | null }>(
    tx,
    sql`SELECT type, length, archived_at, echoes FROM ${memories}
        WHERE tenant_id = ${context.tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`,
  );
  if (!before) return;
  const length = analysis.terms.length;
  await tx.execute(sql`UPDATE ${memories} SET length = ${length}, fingerprint = ${analysis.fingerprint.toString()}::bigint
    WHERE tenant_id = ${context.tenantId}::uuid AND id = ${id}::uuid`);
  if (before.archived_at !== null) return;
  const size = (words: number) => corpusDelta([{ archivedAt: null, echoes: before.echoes, length: words }]);
  addToCounter(context, corpusCounter, {
    documents: 0,
    words: size(length).words - size(before.length).words,
  });
  await unindexMemories(tx, context, [id]);
  await indexMemories(tx, context, [{ id, type: before.type, analysis }]);
}

/** Comes first: what a run that was ended early has done stands in the audit log, too. */
async function noteRun(dependencies: Services, agentId: string): Promise<void> {
  await dependencies.database.transaction(agentId, (tx) =>
    appendToAuditLog(tx, dependencies, [agentId], { act: 'secrets.scrubbed', by: OPERATOR }),
  );
}

/** Files of imports that no job needs any more. */
async function discardUploads({ database }: Services, tenantId: string): Promise<void> {
  const left = await database.read(tenantId, (tx) =>
    tx
      .selectDistinct({ uploadId: importFiles.uploadId })
      .from(importFiles)
      .where(and(eq(importFiles.tenantId, tenantId), isUnused)),
  );
  for (const { uploadId } of left) await discardUnused({ database, tenantId }, uploadId);
}
