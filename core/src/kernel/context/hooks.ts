import type { Tx } from '../database/database.ts';
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
 * Hooks that change a value: each gets what the one before answered, and answers the new value or nothing to leave it.
 * Throwing `SvcError` refuses the call. The feature that runs a hook declares it here by declaration merging.
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add the members
export interface ChangingHooks {}

/**
 * Hooks that are told of something done; what they throw is logged and changes nothing. The feature that runs a hook
 * declares it here by declaration merging.
 */
export interface NotifyingHooks {
  event: Event;
}

/** Name of a hook. */
export type HookName = keyof ChangingHooks | keyof NotifyingHooks;

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

/** Checks what JavaScript callers pass, so that a mistake shows at once and not with the first write. */
function checkPlugin(plugin: unknown, names: ReadonlySet<string>): void {
  const shape = "pass { name: 'my-plugin', hooks: { 'memory:stored': (value, call) => { ... } } }";
  if (typeof plugin !== 'object' || plugin === null)
    throw new TypeError(`plugin must be an object: ${shape}`);
  const { name, hooks } = plugin as { name?: unknown; hooks?: unknown };
  if (typeof name !== 'string' || name === '') throw new TypeError(`plugin.name must be a text: ${shape}`);
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) {
    throw new TypeError(`plugin.hooks of ${name} must be an object: ${shape}`);
  }
  for (const [hook, work] of Object.entries(hooks)) {
    if (!names.has(hook)) {
      const known = [...names].join(', ');
      throw new TypeError(`plugin.hooks of ${name} has no hook ${JSON.stringify(hook)}: use ${known}`);
    }
    if (work !== undefined && typeof work !== 'function') {
      throw new TypeError(`plugin.hooks[${JSON.stringify(hook)}] of ${name} must be a function`);
    }
  }
}

/** Runs the hooks of all plugins. */
export class HookRegistry {
  readonly #names: ReadonlySet<string>;
  readonly #plugins: Plugin[] = [];
  readonly #onFailure: (plugin: string, hook: string, error: unknown) => void;

  /**
   * @param names The hooks that the features run.
   * @param onFailure Told what a notified plugin threw.
   */
  constructor(names: readonly HookName[], onFailure: (plugin: string, hook: string, error: unknown) => void) {
    this.#names = new Set(names);
    this.#onFailure = onFailure;
  }

  /** @throws TypeError for what is no plugin. */
  add(plugin: Plugin): void {
    checkPlugin(plugin, this.#names);
    this.#plugins.push(plugin);
  }

  /** Passes a value through every plugin's hook of that name. */
  async run<Name extends keyof ChangingHooks>(
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
