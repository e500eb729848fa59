import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import { type AgentMemory, invalid } from '@svc-memory/core/contract';
import { makeAnswerVisible } from '@svc-memory/core/tools';
import type { ClientState } from './client-state.ts';
import { toProtocolError } from './errors.ts';
import { HINT, PROMPT_NAMES } from './prompts.ts';
import { MEMORY_TEMPLATE } from './resources.ts';

const MAX_VALUES = 100;
/** The newest memories are read once, for all the letters of an argument. */
const FRESH_MS = 30_000;

/**
 * The answer to `completion/complete`: for `context_hint` of the prompts the tags and keys of the newest memories that
 * hold what was typed, those that begin with it first; for `id` of the template of memories their ids.
 */
export async function complete(
  memory: AgentMemory,
  { ref, argument }: CompleteRequest['params'],
  { state, signal }: { readonly state: ClientState; readonly signal: AbortSignal },
): Promise<CompleteResult> {
  try {
    checkReference(ref, argument.name);
    const typed = argument.value.toLowerCase();
    const memories = await newest(memory, state, signal);
    const words =
      ref.type === 'ref/prompt'
        ? memories.flatMap(({ tags, key }) => [...tags, ...(key === undefined || key === null ? [] : [key])])
        : memories.map(({ id }) => id);
    const found = [...new Set(words)].filter((word) =>
      ref.type === 'ref/prompt' ? word.toLowerCase().includes(typed) : word.startsWith(typed),
    );
    const beginsWith = (word: string) => word.toLowerCase().startsWith(typed);
    const values = [...found.filter(beginsWith), ...found.filter((word) => !beginsWith(word))];
    return {
      completion: {
        values: makeAnswerVisible(values.slice(0, MAX_VALUES)) as string[],
        total: values.length,
        hasMore: values.length > MAX_VALUES,
      },
    };
  } catch (error) {
    signal.throwIfAborted();
    throw toProtocolError(error);
  }
}

function checkReference(ref: CompleteRequest['params']['ref'], argument: string): void {
  if (ref.type === 'ref/prompt') {
    if (!PROMPT_NAMES.includes(ref.name))
      throw invalid('ref.name', `must be one of ${PROMPT_NAMES.join(', ')}`);
    if (argument !== HINT.name) throw invalid('argument.name', `must be ${HINT.name}`);
    return;
  }
  if (ref.uri !== MEMORY_TEMPLATE) throw invalid('ref.uri', `must be ${MEMORY_TEMPLATE}`);
  if (argument !== 'id') throw invalid('argument.name', 'must be id');
}

async function newest(memory: AgentMemory, state: ClientState, signal: AbortSignal) {
  if (state.completions) return state.completions;
  // Nothing from spaces: a right there may be taken before this is read anew.
  const { memories } = await memory.query({ limit: 100, space_id: 'own' }, { signal });
  // Without the contents, which may take megabytes, of each of many credentials.
  const found = memories.map(({ id, tags, key }) => ({ id, tags, key }));
  state.completions = found;
  setTimeout(() => delete state.completions, FRESH_MS).unref();
  return found;
}
