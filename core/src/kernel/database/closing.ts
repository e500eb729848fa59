import { SvcError } from '../contract/errors.ts';
import { InProgress } from '../runtime/in-progress.ts';
import type { Database } from './database.ts';

/** What a call gets that comes after the end. */
export function isClosed(): SvcError {
  return new SvcError(
    'UNAVAILABLE',
    'the engine is closed: open the database again, and make another engine of it',
  );
}

/**
 * A database that can be closed at any time, and twice: its transactions end first, and later ones are refused. The drivers would
 * leave those that wait for a connection without an answer, or end them in the middle.
 */
export function closesInOrder(database: Database): Database {
  const transactions = new InProgress(isClosed);
  let closing: Promise<void> | undefined;
  return {
    ...database,
    read: (tenants, work) => transactions.run(() => database.read(tenants, work)),
    transaction: (tenants, work, ending) =>
      transactions.run(() => database.transaction(tenants, work, ending)),
    batch: (tenants, statements, onFirstRows) =>
      transactions.run(() => database.batch(tenants, statements, onFirstRows)),
    system: (work) => transactions.run(() => database.system(work)),
    systemBatch: (statements) => transactions.run(() => database.systemBatch(statements)),
    ping: () => transactions.run(() => database.ping()),
    close: () => {
      closing ??= transactions.end().then(() => database.close());
      return closing;
    },
  };
}
