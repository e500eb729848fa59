import { useInfiniteQuery } from '@tanstack/react-query';
import { useAgent } from './agent.tsx';
import { type Answer, call, type Endpoint, type Input } from './call.ts';
import type { Topic } from './hooks.ts';

/** Endpoints that answer a list page by page. */
type Listing = { [E in Endpoint]: Answer<E> extends { next_cursor: string | null } ? E : never }[Endpoint];

/** Reads a list page by page, for the chosen agent; `fetchNextPage` reads on. */
export function useList<E extends Listing>(
  topic: Topic,
  endpoint: E,
  input: Input<E>,
  { enabled = true }: { readonly enabled?: boolean } = {},
) {
  const { agent } = useAgent();
  return useInfiniteQuery({
    queryKey: [agent.id, topic, 'list', endpoint, input],
    queryFn: ({ signal, pageParam }) =>
      call(
        endpoint,
        { ...input, ...(pageParam !== undefined && { cursor: pageParam }) },
        { agent: agent.id, signal },
      ),
    initialPageParam: undefined as string | undefined,
    // The contract's answer holds it, which an index over endpoints cannot express.
    getNextPageParam: (last) => (last as { next_cursor: string | null }).next_cursor ?? undefined,
    enabled,
  });
}
