import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';

declare module './database.ts' {
  // Here and not there, so that the published types need not name the SQL builder.
  interface Tx extends PgDatabase<PgQueryResultHKT, Record<string, never>> {}
}
