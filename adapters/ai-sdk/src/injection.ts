import type { MemoryOptions, MemorySession } from '@svc-memory/core/adapter';
import { type InjectionMark, markOf, toProviderOptions } from './mark.ts';
import { type Message, type MessagePart, partsOf, turnsOf } from './messages.ts';

/** An injection as a system message, marked so that it is neither added nor kept a second time. */
export function toMessage(text: string, mark: InjectionMark): Message {
  return { role: 'system', content: text, providerOptions: toProviderOptions(mark) };
}

/** Puts an injection behind the system messages at the start, where every provider takes it. */
export function insert<M extends Message>(messages: readonly M[], injection: Message): M[] {
  const place = messages.findIndex(({ role }) => role !== 'system');
  const at = place < 0 ? messages.length : place;
  // A system message of the SDK has just these members, in both versions.
  return [...messages.slice(0, at), injection as M, ...messages.slice(at)];
}

/**
 * Puts what was recalled for messages of the user behind their words, where it stays in all later calls. It becomes a part of
 * the user's message, since not every provider takes system messages in the middle.
 */
export function addRecalled<M extends Message>(
  messages: readonly M[],
  session: MemorySession,
  options: MemoryOptions,
): M[] {
  const turns = messages.map(turnsOf);
  const recalled = session.recalledBehind(turns.flat(), options);
  let end = 0;
  return messages.map((message, place) => {
    end += turns[place]?.length ?? 0;
    const text = recalled.get(end - 1);
    const isTheirs = message.role === 'user' && turns[place]?.length !== 0;
    if (text === undefined || !isTheirs || partsOf(message).some(markOf)) return message;
    return { ...message, content: [...partsOf(message), toPart(text)] };
  });
}

function toPart(text: string): MessagePart {
  // A text part of the SDK has just these members, in both versions.
  return { type: 'text', text, providerOptions: toProviderOptions({ injection: 'recall' }) } as MessagePart;
}
