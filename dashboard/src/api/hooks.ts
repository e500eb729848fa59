import { t } from '@lingui/core/macro';
import {
  keepPreviousData,
  type UseMutationResult,
  type UseQueryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useRef } from 'react';
import { useAgent } from './agent.tsx';
import { type AnswerOf, callApi, type EndpointName, fetchFile, type RequestOf } from './call.ts';
import { fieldErrors, isSaidAtFields } from './error.ts';
import { notifyChangeFailure, notifyDone, notifyFailure } from './notify.tsx';
import { changeChannel } from './other-windows.ts';
import type { Topic } from './topic.ts';

type Extra<E extends EndpointName> = Pick<UseQueryOptions<AnswerOf<E>>, 'staleTime' | 'refetchInterval'> & {
  readonly keepPrevious?: boolean;
};

/** Reads an endpoint for the chosen agent. */
export function useAnswer<E extends EndpointName>(
  topic: Topic,
  endpoint: E,
  input: RequestOf<E>,
  { keepPrevious = false, ...extra }: Extra<E> = {},
) {
  const { agent } = useAgent();
  return useQuery<AnswerOf<E>>({
    queryKey: [agent.id, topic, endpoint, input],
    queryFn: ({ signal }) => callApi(endpoint, input, { agent: agent.id, signal }),
    ...(keepPrevious && { placeholderData: keepPreviousData }),
    ...extra,
  });
}

/** Calls any endpoint for the chosen agent. */
type Call = <E extends EndpointName>(
  endpoint: E,
  input: RequestOf<E>,
  headers?: Readonly<Record<string, string>>,
) => Promise<AnswerOf<E>>;

interface ActionOptions<E extends EndpointName> {
  /** The topics that are fetched again afterwards. */
  readonly touches: readonly Topic[];
  /** The notification on success. Default: none. */
  readonly done?: string | ((answer: AnswerOf<E>) => string);
  /** What follows at once on success, also where the human has left the page meanwhile. Default: nothing. */
  readonly succeeded?: (answer: AnswerOf<E>) => void;
  /** How to take the action back, which the notification offers. Undefined, or no answer: it cannot be taken back. */
  readonly undo?: (answer: AnswerOf<E>, input: RequestOf<E>) => Undo | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** Shows the service's messages at its fields. What is said there is not said again in a notification. */
  readonly form?: Form;
}

/** A form by `useForm` or `useDraftForm`, of which every value has a field. */
export interface Form {
  getValues(): object;
  setErrors(errors: Record<string, string>): void;
  /** Forgets what is kept of a form by `useDraftForm`. */
  forget?(): void;
}

/** Takes an action back. */
export interface Undo {
  run(call: Call): Promise<unknown>;
  /** The notification afterwards. */
  readonly done: string;
}

/** Returns what fetches some topics of the chosen agent again, here and in the other windows of this browser. */
export function useRefresh(topics: readonly Topic[]): () => Promise<void> {
  const { agent } = useAgent();
  const client = useQueryClient();
  return async () => {
    changeChannel.tell({ agent: agent.id, topics });
    await Promise.all(topics.map((topic) => client.invalidateQueries({ queryKey: [agent.id, topic] })));
  };
}

/**
 * A mutation that leaves out what is asked of it again while that is under way: the second of two quick clicks comes before the
 * button shows that it is busy.
 */
export function useWithoutRepeats<Answer, Asked>(
  mutation: UseMutationResult<Answer, Error, Asked>,
): UseMutationResult<Answer, Error, Asked> {
  const running = useRef(new Set<string>());
  const { mutateAsync } = mutation;
  const mutate: typeof mutation.mutate = (...call) => {
    const [asked] = call;
    const name = JSON.stringify(asked) ?? '';
    if (running.current.has(name)) return;
    running.current.add(name);
    // Who listens to the mutation hears of a failure.
    mutateAsync(...call)
      .catch(() => undefined)
      .finally(() => running.current.delete(name));
  };
  return { ...mutation, mutate };
}

/**
 * Gives a form that is sent again unchanged the `Idempotency-Key` of the time before: the service may have done it, and its answer
 * been lost on the way.
 */
export function useAttempt() {
  const last = useRef<{ readonly asked: string; readonly key: string }>(undefined);
  return {
    keyFor: (asking: unknown): Readonly<Record<string, string>> => {
      const asked = JSON.stringify(asking);
      if (last.current?.asked !== asked) last.current = { asked, key: randomKey() };
      return { 'Idempotency-Key': last.current.key };
    },
    end: () => {
      last.current = undefined;
    },
  };
}

/** `crypto.randomUUID` is there only where the page came over https or from this machine. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join('-');
}

/** Calls an endpoint that changes something, for the chosen agent. Shows a failure as a notification. */
export function useAction<E extends EndpointName>(
  endpoint: E,
  { touches, done, succeeded, undo, headers, form }: ActionOptions<E>,
) {
  const { agent } = useAgent();
  const refresh = useRefresh(touches);
  const call: Call = (endpoint, input, headers) =>
    callApi(endpoint, input, { agent: agent.id, ...(headers && { headers }) });
  const attempt = useAttempt();
  const mutation = useMutation<AnswerOf<E>, Error, RequestOf<E>>({
    mutationFn: (input) =>
      call(endpoint, input, form ? { ...headers, ...attempt.keyFor({ input, headers }) } : headers),
    onSuccess: (answer, input) => {
      attempt.end();
      form?.forget?.();
      succeeded?.(answer);
      const message = typeof done === 'function' ? done(answer) : done;
      if (message === undefined) return;
      const back = undo?.(answer, input);
      notifyDone({
        message,
        undo:
          back &&
          (() =>
            back
              .run(call)
              .finally(refresh)
              .then(() => back.done)),
      });
    },
    onError: (error) => {
      form?.setErrors(fieldErrors(error));
      if (!form || !isSaidAtFields(error, Object.keys(form.getValues()))) notifyChangeFailure(error);
    },
    onSettled: refresh,
  });
  return useWithoutRepeats(mutation);
}

interface Download {
  /** Below `/api/v1`. */
  readonly path: string;
  /** Of the file, without its date. */
  readonly name: string;
  /** Of the file's name, without the dot. */
  readonly extension: string;
}

/** Saves a file of the chosen agent under a name with today's date. Shows a failure as a notification. */
export function useDownload() {
  const { agent } = useAgent();
  return useMutation({
    mutationFn: ({ path }: Download) => fetchFile(path, { agent: agent.id }),
    onSuccess: (blob, { name, extension }) =>
      saveFile(blob, `${name}-${new Date().toISOString().slice(0, 10)}.${extension}`),
    onError: (error) => notifyFailure(error, t`No export`),
  });
}

/** The endpoints that answer a list in pages. */
type Listing = {
  [E in EndpointName]: AnswerOf<E> extends { next_cursor: string | null } ? E : never;
}[EndpointName];

/** Reads a list page by page for the chosen agent. `fetchNextPage` reads the next page. */
export function useList<E extends Listing>(
  topic: Topic,
  endpoint: E,
  input: RequestOf<E>,
  extra: { readonly refetchInterval?: number } = {},
) {
  const { agent } = useAgent();
  return useInfiniteQuery({
    queryKey: [agent.id, topic, 'list', endpoint, input],
    queryFn: ({ signal, pageParam }) =>
      callApi(
        endpoint,
        { ...input, ...(pageParam !== undefined && { cursor: pageParam }) },
        { agent: agent.id, signal },
      ),
    initialPageParam: undefined as string | undefined,
    // Every `Listing` answers `next_cursor`, but the compiler cannot derive that from `E`.
    getNextPageParam: (last) => (last as { next_cursor: string | null }).next_cursor ?? undefined,
    ...extra,
  });
}

/** Gives the browser a file to save. */
function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
