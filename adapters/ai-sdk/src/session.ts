import {
  type Conversation,
  createSessions,
  MemorySession,
  toConversation,
  toJson,
} from '@svc-memory/core/adapter';
import { type Message, type MessagePart, member, parsed, partsOf, turnsOf } from './messages.ts';

/** What a compaction took out of a history, and the text in its place. */
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
  /** Inputs of tool calls as the model gave them, by id. Some providers give several calls the same id. */
  readonly #inputs = new Map<unknown, unknown[]>();

  /** Remembers the tool calls of an answer. */
  noteCalls(answer: readonly MessagePart[]): void {
    for (const part of answer.filter(({ type }) => type === 'tool-call')) {
      const id = member(part, 'toolCallId');
      this.#inputs.set(id, [...(this.#inputs.get(id) ?? []), parsed(member(part, 'input'))]);
    }
  }

  /**
   * Messages with tool calls as the model made them. In the next call the SDK adds the defaults of a tool's schema to their inputs,
   * so that the same call would look like another one.
   */
  asMade<M extends Message>(messages: readonly M[]): M[] {
    const made = (part: MessagePart): MessagePart => {
      if (part.type !== 'tool-call') return part;
      const given = this.#inputs.get(member(part, 'toolCallId')) ?? [];
      const input = given.find((one) => isWithin(one, member(part, 'input')));
      return input === undefined ? part : ({ ...part, input } as MessagePart);
    };
    return messages.map((message) => ({ ...message, content: partsOf(message).map(made) }));
  }
}

/** Whether the second object has all fields of the first, with the same values. */
function isWithin(some: unknown, all: unknown): boolean {
  if (typeof some !== 'object' || some === null || typeof all !== 'object' || all === null) return false;
  return Object.entries(some).every(([name, value]) => toJson(value) === toJson(member(all, name)));
}

/** The session of a memory by its id. It outlives a call, because `compactMessages` is a plain function that is called at each step. */
export const sessionOf = createSessions(() => new AiSession('ai-sdk'));

/** Reads a conversation from its messages. */
export function conversationOf(messages: readonly Message[]): Conversation {
  return toConversation(messages.flatMap(turnsOf), !messages.some(({ role }) => role === 'assistant'));
}
