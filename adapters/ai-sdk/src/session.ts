import {
  type Conversation,
  createSessions,
  forgetOldest,
  MemorySession,
  toConversation,
  toJson,
} from '@svc-memory/core/adapter';
import { type Message, type MessagePart, member, parsed, partsOf, turnsOf } from './messages.ts';

/** Tool calls whose inputs are remembered, and characters of one: what a longer one says is kept as the SDK shows it. */
const MOST_CALLS = 1_000;
const LONGEST_INPUT = 32_768;

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
  /** Inputs of tool calls as the model gave them, by tool and id. Some providers give several calls the same id. */
  readonly #inputs = new Map<string, unknown[]>();

  /** Remembers the tool calls of an answer. */
  noteCalls(answer: readonly MessagePart[]): void {
    for (const part of answer.filter(isCall)) {
      const name = callOf(part);
      const input = member(part, 'input');
      if (typeof input === 'string' && input.length > LONGEST_INPUT) continue;
      this.#inputs.set(name, [...(this.#inputs.get(name) ?? []), parsed(input)].slice(-MOST_CALLS));
    }
    forgetOldest(this.#inputs, MOST_CALLS);
  }

  /**
   * Messages with tool calls as the model made them. In the next call the SDK gives what the tool's schema has made of their
   * inputs, with defaults and transformed, so that the same call would look like another one.
   */
  asMade<M extends Message>(messages: readonly M[]): M[] {
    const times = new Map<string, number>();
    for (const part of messages.flatMap(partsOf).filter(isCall)) {
      times.set(callOf(part), (times.get(callOf(part)) ?? 0) + 1);
    }
    const places = new Map<string, number>();
    const made = (part: MessagePart): MessagePart => {
      if (!isCall(part)) return part;
      const name = callOf(part);
      const place = places.get(name) ?? 0;
      places.set(name, place + 1);
      const given = this.#inputs.get(name) ?? [];
      // Calls of one id are told apart by what they hold, or by their order where all are known.
      const same = given.find((input) => isWithin(input, member(part, 'input')));
      const input = same ?? (given.length === times.get(name) ? given[place] : undefined);
      return input === undefined ? part : ({ ...part, input } as MessagePart);
    };
    return messages.map((message) => ({ ...message, content: partsOf(message).map(made) }));
  }
}

function isCall({ type }: MessagePart): boolean {
  return type === 'tool-call';
}

/** Names a call by its tool and its id. */
function callOf(part: MessagePart): string {
  return JSON.stringify([member(part, 'toolName'), member(part, 'toolCallId')]);
}

/** Whether the second object has all fields of the first, with the same values. */
function isWithin(some: unknown, all: unknown): boolean {
  if (typeof some !== 'object' || some === null || typeof all !== 'object' || all === null) return false;
  return Object.entries(some).every(([name, value]) => toJson(value) === toJson(member(all, name)));
}

/**
 * The session of a memory by its id. It outlives a call, because `compactMessages` is a plain function that is called at each step.
 */
export const sessionOf = createSessions(() => new AiSession('ai-sdk'));

/** Reads a conversation from its messages. */
export function conversationOf(messages: readonly Message[]): Conversation {
  return toConversation(messages.flatMap(turnsOf), !messages.some(({ role }) => role === 'assistant'));
}
