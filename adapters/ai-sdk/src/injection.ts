import { type Message, member } from './messages.ts';

const NAMESPACE = 'svcMemory';

/** Which injection a message carries. */
export interface Mark {
  /** `boot` at the start of a session, `recovery` in place of what was compacted away. */
  readonly injection: 'boot' | 'recovery';
  /** The compaction that a recovery is about. */
  readonly compaction?: string;
}

/** An injection as a system message, marked so that it is neither added nor kept a second time. */
export function toMessage(text: string, mark: Mark): Message {
  return { role: 'system', content: text, providerOptions: { [NAMESPACE]: { ...mark } } };
}

/** The mark of a message that is an injection. */
export function markOf({ role, providerOptions }: Message): Mark | undefined {
  if (role !== 'system' || typeof providerOptions !== 'object' || providerOptions === null) return undefined;
  const mark = member(providerOptions, NAMESPACE);
  if (typeof mark !== 'object' || mark === null) return undefined;
  const injection = member(mark, 'injection');
  const compaction = member(mark, 'compaction');
  if (injection !== 'boot' && injection !== 'recovery') return undefined;
  return { injection, ...(typeof compaction === 'string' ? { compaction } : {}) };
}

/** Puts an injection behind the system messages at the start, where every provider takes it. */
export function insert<M extends Message>(messages: readonly M[], injection: Message): M[] {
  const place = messages.findIndex(({ role }) => role !== 'system');
  const at = place < 0 ? messages.length : place;
  // A system message of the SDK has just these members, in both versions.
  return [...messages.slice(0, at), injection as M, ...messages.slice(at)];
}
