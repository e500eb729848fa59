import { notifications } from '@mantine/notifications';
import {
  keepPreviousData,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useAgent } from './agent.tsx';
import { type Answer, call, type Endpoint, type Input } from './call.ts';
import { explain } from './error.ts';

/** What an answer is about. The live stream and every action say which topics are to be read again. */
export type Topic =
  | 'overview'
  | 'memories'
  | 'map'
  | 'guardian'
  | 'boot'
  | 'visibility'
  | 'distress'
  | 'stability'
  | 'endpoints'
  | 'keys'
  | 'jobs';

type Extra<E extends Endpoint> = Pick<
  UseQueryOptions<Answer<E>>,
  'enabled' | 'staleTime' | 'refetchInterval'
> & { readonly keepPrevious?: boolean };

/** Reads from the service, for the chosen agent. */
export function useAnswer<E extends Endpoint>(
  topic: Topic,
  endpoint: E,
  input: Input<E>,
  { keepPrevious = false, ...extra }: Extra<E> = {},
) {
  const { agent } = useAgent();
  return useQuery<Answer<E>>({
    queryKey: [agent.id, topic, endpoint, input],
    queryFn: ({ signal }) => call(endpoint, input, { agent: agent.id, signal }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...extra,
  });
}

interface ActionOptions<E extends Endpoint> {
  /** Topics that are read again afterwards. */
  readonly touches: readonly Topic[];
  /** What to tell the human when it is done. */
  readonly done?: string | ((answer: Answer<E>) => string);
  /** True where the page itself shows a failure. */
  readonly quiet?: boolean;
}

/** Changes something on the service, for the chosen agent. A failure is shown as a notification unless `quiet`. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { touches, done, quiet = false }: ActionOptions<E>,
) {
  const { agent } = useAgent();
  const client = useQueryClient();
  return useMutation<Answer<E>, Error, Input<E>>({
    mutationFn: (input) => call(endpoint, input, { agent: agent.id }),
    onSuccess: (answer) => {
      const message = typeof done === 'function' ? done(answer) : done;
      if (message !== undefined) notifications.show({ message, color: 'teal' });
    },
    onError: (error) => {
      if (!quiet) notifications.show({ title: 'That did not work', message: explain(error), color: 'red' });
    },
    onSettled: () =>
      Promise.all(touches.map((topic) => client.invalidateQueries({ queryKey: [agent.id, topic] }))),
  });
}
