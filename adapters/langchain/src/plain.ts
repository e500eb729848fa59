import type { BaseMessage } from '@langchain/core/messages';
import { type PlainOptions, recallForTurns, rememberTurns, requireOptions } from '@svc-memory/core/adapter';
import { turnsOf } from './messages.ts';

/**
 * What the agent remembers for what the user said last, as text to put into a prompt yourself; empty where nothing is
 * found. Beside the middleware, or without it. Throws `SvcError` where the memory service cannot be used.
 */
export async function recallFor(messages: readonly BaseMessage[], options: PlainOptions): Promise<string> {
  requireOptions('recallFor', options);
  return recallForTurns(messages.flatMap(turnsOf), options);
}

/**
 * Stores what the messages say, and answers the number of turns that are new: the same again stores nothing. For one call
 * at most 1 MiB. Throws `SvcError` where the memory service cannot be used.
 */
export async function remember(messages: readonly BaseMessage[], options: PlainOptions): Promise<number> {
  requireOptions('remember', options);
  return rememberTurns(messages.flatMap(turnsOf), 'langchain', options);
}
