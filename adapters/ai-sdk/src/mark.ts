const NAMESPACE = 'svcMemory';

/** Which injection a message, or a part of one, carries. */
export interface InjectionMark {
  /** `boot` at the start of a session, `recovery` in place of what was compacted away, `recall` for one message. */
  readonly injection: 'boot' | 'recovery' | 'recall';
  /** The compaction that a recovery is about. */
  readonly compaction?: string;
}

/** A mark as the provider options that a message or part carries through the SDK. */
export function toProviderOptions(mark: InjectionMark): Record<string, Record<string, string>> {
  return { [NAMESPACE]: { ...mark } };
}

/** The mark of a message or part that is an injection. */
export function markOf(carrier: object): InjectionMark | undefined {
  const options: unknown = Reflect.get(carrier, 'providerOptions');
  if (typeof options !== 'object' || options === null) return undefined;
  const mark: unknown = Reflect.get(options, NAMESPACE);
  if (typeof mark !== 'object' || mark === null) return undefined;
  const injection: unknown = Reflect.get(mark, 'injection');
  const compaction: unknown = Reflect.get(mark, 'compaction');
  if (injection !== 'boot' && injection !== 'recovery' && injection !== 'recall') return undefined;
  return { injection, ...(typeof compaction === 'string' ? { compaction } : {}) };
}
