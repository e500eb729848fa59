import { type Conversation, createSessions, MemorySession, toConversation } from '@svc-memory/core/adapter';
import { type Message, turnsOf } from './messages.ts';

/** How much of a history was compacted away. */
export interface Compaction {
  readonly id: string;
  /** Fingerprints of the messages up to the last one dropped. */
  readonly prefix: readonly string[];
  /** Places of those among them that stay. */
  readonly kept: readonly number[];
  readonly text: string;
  /** False where the memory service was away: then `text` only says so. */
  readonly isRecovered: boolean;
}

/** What this process knows of one conversation. */
export class AiSession extends MemorySession {
  /** Set where the middleware adds the boot injection to every call that has no recovery in it. */
  boots = false;
  compaction: Compaction | undefined;
}

/** The session of a memory by its id: `compactMessages` is a plain function, called at each step. */
export const sessionOf = createSessions(() => new AiSession('ai-sdk'));

/** Reads a conversation from its messages. */
export function conversationOf(messages: readonly Message[]): Conversation {
  return toConversation(messages.flatMap(turnsOf), !messages.some(({ role }) => role === 'assistant'));
}
