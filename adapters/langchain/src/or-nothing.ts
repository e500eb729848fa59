import { SvcError } from '@svc-memory/core/contract';

/** An answer, or nothing where the memory was archived meanwhile. */
export async function orNothing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof SvcError && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}
