import { createTestDatabase, type TestDatabase } from '@svc-memory/core/testing';
import { removedAtEnd } from '../clean-up.ts';

/** Makes a database that is gone at the end of the run. */
export async function temporaryDatabase(serverUrl: string): Promise<TestDatabase> {
  const { url, drop } = await createTestDatabase(serverUrl);
  return { url, drop: removedAtEnd(drop) };
}
