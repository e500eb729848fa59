import type { Section } from '../boot/section.ts';
import type { Output, Parsed } from '../contract/index.ts';
import type { Tx } from '../database/database.ts';
import type { Memory, NewMemory, Stored } from '../memory/contract.ts';
import type { Recalled } from '../recall/contract.ts';
import type { Actor } from './context.ts';

/** What a plugin learns about the call it takes part in. */
export interface Call {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly now: Date;
}

/** Something that happened, as systems outside hear of it: ids, never content. */
export interface Event {
  readonly id: string;
  readonly type: string;
  readonly tenantId: string;
  readonly timestamp: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Hooks that change a value: each gets what the one before answered, and answers the new value or nothing to leave it.
 * Throwing `SvcError` refuses the call.
 */
export interface ChangingHooks {
  /** A memory about to be stored, batch, sync and import included; not yet in a transaction. */
  'memory:beforeStore': NewMemory;
  /** A recall before it runs. */
  'recall:before': Parsed<'recall'>;
  /** The results of a recall, best first; may be reranked or cut. */
  'recall:after': readonly Recalled[];
  /** The sections of an injection about to be rendered, in order. */
  'boot:sections': readonly Section[];
  /** A compaction call before anything is stored. */
  'compaction:before': Parsed<'compaction'>;
}

/** Hooks that are told of something done; what they throw is logged and changes nothing. */
export interface NotifyingHooks {
  'memory:stored': { readonly memory: Memory; readonly outcome: Stored['outcome'] };
  'compaction:after': Output<'compaction'>;
  event: Event;
}

type Changing = {
  readonly [Name in keyof ChangingHooks]?: (
    value: ChangingHooks[Name],
    call: Call & { readonly tx?: Tx },
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

/** Runs the hooks of all plugins. */
export class PluginHost {
  readonly #plugins: Plugin[] = [];
  readonly #onFailure: (plugin: string, hook: string, error: unknown) => void;

  constructor(onFailure: (plugin: string, hook: string, error: unknown) => void) {
    this.#onFailure = onFailure;
  }

  add(plugin: Plugin): void {
    this.#plugins.push(plugin);
  }

  /** Passes a value through every plugin's hook of that name. */
  async change<Name extends keyof ChangingHooks>(
    name: Name,
    value: ChangingHooks[Name],
    call: Call & { readonly tx?: Tx },
  ): Promise<ChangingHooks[Name]> {
    let current = value;
    for (const { hooks } of this.#plugins) {
      const hook = (hooks as Changing)[name];
      current = (await hook?.(current, call)) ?? current;
    }
    return current;
  }

  /** Tells every plugin; a failing one is reported and does not keep the others from hearing. */
  async notify<Name extends keyof NotifyingHooks>(
    name: Name,
    value: NotifyingHooks[Name],
    call: Call,
  ): Promise<void> {
    for (const { name: plugin, hooks } of this.#plugins) {
      try {
        const hook = (hooks as Notifying)[name];
        await hook?.(value, call);
      } catch (error) {
        this.#onFailure(plugin, name, error);
      }
    }
  }
}
