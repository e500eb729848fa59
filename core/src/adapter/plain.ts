import type { AgentMemory } from '../app/contract.ts';
import { renderRecalled } from '../text/recalled.ts';
import { CompactionLifecycle } from './compaction-lifecycle.ts';
import { toConversation } from './conversation.ts';
import type { Turn } from './turns.ts';

const DEFAULT_CHARACTERS = 4_000;

/** For which memory a plain function works. */
export interface PlainOptions {
  readonly memory: AgentMemory;
  /** Your id of the conversation; ties its turns together. */
  readonly sessionId?: string | undefined;
  /** Most UTF-16 code units of a text answered; default 4,000. */
  readonly maxCharacters?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What the agent remembers for what the user said last in these turns, as text for its model; empty where nothing is found.
 *
 * @throws SvcError
 */
export async function recallForTurns(
  turns: readonly Turn[],
  { memory, maxCharacters = DEFAULT_CHARACTERS, signal }: PlainOptions,
): Promise<string> {
  const { hint } = toConversation(turns, false);
  if (hint === undefined) return '';
  const { results } = await memory.recall({ query: hint }, { signal });
  return renderRecalled(results, maxCharacters).text;
}

/**
 * Stores turns; those stored before are skipped, told apart by session, role and text.
 *
 * @param framework name of the agent framework
 * @returns the number of turns that are new
 * @throws SvcError
 */
export async function rememberTurns(
  turns: readonly Turn[],
  framework: string,
  { memory, sessionId, signal }: PlainOptions,
): Promise<number> {
  if (turns.length === 0) return 0;
  const lifecycle = new CompactionLifecycle(memory, { framework });
  return lifecycle.turnEnd({ sessionId, transcript: [...turns], signal });
}
