import type { Database } from '../../kernel/database/database.ts';

/** What the sign-in library keeps its own tables with: outside any tenant, since they hold no tenant's data. */
export function signInDatabase(database: Database): object {
  return database.accounts;
}
