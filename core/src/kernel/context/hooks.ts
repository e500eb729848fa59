import type { Call } from './call.ts';

/** Something that happened, as systems outside hear of it: ids, never content. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly tenantId: string;
  readonly timestamp: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Hooks that change a value: each gets a copy of what the one before answered, and answers the new value or nothing to leave it.
 * Throwing `SvcError` refuses the call. The feature that runs a hook declares it here by declaration merging.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add the members
export interface ChangingHooks {}

/**
 * Hooks that are told of something done, each by a copy; what they throw is logged and changes nothing. The feature that runs a
 * hook declares it here by declaration merging.
 */
export interface NotifyingHooks {
  event: Event;
}

/** How a hook that changes a value is run. */
export interface ChangingRule<Value> {
  /**
   * Checks what a plugin answered for what it was given; throws where that cannot be used. Where nothing is changed it answers
   * `given` itself.
   */
  readonly accept: (answered: unknown, given: Value) => Value;
  /**
   * What becomes of a call whose plugin fails. `skip`: it goes on without the plugin, which is right for what is read. `refuse`:
   * it fails, since what the plugin was to keep out of a memory would be stored.
   */
  readonly onFailure: 'skip' | 'refuse';
}

/** The hooks that a feature runs, and how. */
export type HookRules = {
  readonly [Name in keyof ChangingHooks]?: ChangingRule<ChangingHooks[Name]>;
} & { readonly [Name in keyof NotifyingHooks]?: 'notify' };

export type HookName = keyof ChangingHooks | keyof NotifyingHooks;

type Changing = {
  readonly [Name in keyof ChangingHooks]?: (
    value: ChangingHooks[Name],
    call: Call,
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook that changes nothing just ends
  ) => ChangingHooks[Name] | void | Promise<ChangingHooks[Name] | void>;
};
type Notifying = {
  readonly [Name in keyof NotifyingHooks]?: (value: NotifyingHooks[Name], call: Call) => void | Promise<void>;
};

/** An extension of the engine: `engine.use({ name, hooks })`. Plugins run in the order they were added. */
export interface Plugin {
  readonly name: string;
  readonly hooks: Changing & Notifying;
}
