import type { SQLWrapper } from 'drizzle-orm';
import type { Database, Rows } from '../../kernel/database/database.ts';
import { createBatcher } from '../../kernel/runtime/batcher.ts';

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly sharedQueries: SharedQueries;
  }
}

/** Runs queries whose answer calls that come together may share. */
export interface SharedQueries {
  /** @param statement Makes the statement when it is sent, which is after the call came. */
  run(tenantId: string, statement: () => SQLWrapper): Promise<Rows>;
}

/** Calls that come while a query of their tenant is under way share the next one. */
export function createSharedQueries(database: Database): SharedQueries {
  const share = createBatcher<() => SQLWrapper, Rows>(async (tenantId, asked) => {
    const [first] = asked;
    const [found = []] = first ? await database.batch(tenantId, [first()]) : [];
    return asked.map(() => found);
  });
  return { run: (tenantId, statement) => share(tenantId, statement) };
}
