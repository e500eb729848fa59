import { type Message, member, partsOf } from './messages.ts';

/** Messages that stay or go together, by their places. */
export type MessageUnit = readonly number[];

/**
 * Groups messages so that a tool call is never parted from its results. A message from the user always begins a group:
 * what was called before it and not answered by then never will be.
 */
export function unitsOf(messages: readonly Message[]): MessageUnit[] {
  const units: number[][] = [];
  const open = new Set<unknown>();
  for (const [place, message] of messages.entries()) {
    if (message.role === 'user' || message.role === 'system') open.clear();
    const last = units.at(-1);
    if (last && (open.size > 0 || message.role === 'tool')) last.push(place);
    else units.push([place]);
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') open.add(member(part, 'toolCallId'));
      if (part.type === 'tool-result') open.delete(member(part, 'toolCallId'));
    }
  }
  return units;
}
