import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './error.ts';

const RETRIES = 2;
const FRESH_MS = 15_000;

/** Creates the cache of queries. The live stream invalidates what has changed. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        networkMode: 'always',
        retry: (count, error) => count < RETRIES && mayHelp(error),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

function mayHelp(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 503;
}
