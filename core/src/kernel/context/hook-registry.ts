import { TaskCancelledError, TimeoutStrategy, timeout } from 'cockatiel';
import { SvcError } from '../contract/errors.ts';
import { createLruCache } from '../runtime/lru-cache.ts';
import type { Logger } from '../runtime/runtime.ts';
import type { Call } from './call.ts';
import type { ChangingHooks, ChangingRule, HookName, HookRules, NotifyingHooks, Plugin } from './hooks.ts';

/** After a plugin let an agent wait too long, the agent's calls do not wait for that hook for a while. */
const REST_MS = 10_000;
const MOST_RESTING = 1_000;

/** How long calls wait for plugins, in milliseconds. */
interface HookPatience {
  /** Of what may go on without the plugin. */
  readonly pluginPatienceMs: number;
  /** Of what is refused without it. */
  readonly pluginStorePatienceMs: number;
}

interface HookRegistryOptions {
  /** The hooks that the features run. */
  readonly rules: HookRules;
  readonly patience: HookPatience;
  readonly logger: Logger;
}

type AnyHook = (value: unknown, call: Call) => unknown;

/** A plugin's hook, in one call. */
interface Asked {
  readonly plugin: string;
  readonly name: HookName;
  readonly hook: AnyHook;
  readonly value: unknown;
  readonly call: Call;
  readonly patienceMs: number;
}

/**
 * Runs the hooks of all plugins. A plugin is somebody else's code: it gets copies, what it answers is checked, it is not waited
 * for without end, and none of its failures stays unnamed in the log.
 */
export class HookRegistry {
  readonly #rules: ReadonlyMap<string, unknown>;
  readonly #patience: HookPatience;
  readonly #logger: Logger;
  readonly #plugins: Plugin[] = [];
  /** The hooks that failed when they were last run: each is named in the log once. */
  readonly #failing = new Set<string>();
  /** The hooks that are not waited for, by plugin and agent: what an agent's texts do to a plugin is no other agent's matter. */
  readonly #resting = createLruCache<true>(MOST_RESTING, REST_MS);

  constructor({ rules, patience, logger }: HookRegistryOptions) {
    this.#rules = new Map(Object.entries(rules));
    this.#patience = patience;
    this.#logger = logger;
  }

  /** @throws TypeError for what is no plugin. */
  add(plugin: Plugin): void {
    checkPlugin(plugin, [...this.#rules.keys()]);
    this.#plugins.push(plugin);
  }

  /**
   * Passes a value through every plugin's hook of that name.
   *
   * @throws SvcError that a plugin threw to refuse the call; `UNAVAILABLE` where one failed without which the call is refused.
   */
  async run<Name extends keyof ChangingHooks>(
    name: Name,
    value: ChangingHooks[Name],
    call: Call,
  ): Promise<ChangingHooks[Name]> {
    const rule = this.#rules.get(name) as ChangingRule<ChangingHooks[Name]>;
    const { pluginPatienceMs, pluginStorePatienceMs } = this.#patience;
    const patienceMs = rule.onFailure === 'skip' ? pluginPatienceMs : pluginStorePatienceMs;
    let current = value;
    for (const { name: plugin, hooks } of this.#plugins) {
      const hook = hooks[name] as AnyHook | undefined;
      if (!hook) continue;
      try {
        const answered = await this.#ask({ plugin, name, hook, value: current, call, patienceMs });
        if (answered !== undefined && answered !== null) current = accepted(rule, answered, current);
        this.#failing.delete(`${plugin} ${name}`);
      } catch (error) {
        if (error instanceof SvcError) throw error;
        this.#report(plugin, name, error);
        if (rule.onFailure === 'refuse') {
          throw new SvcError(
            'UNAVAILABLE',
            `the plugin ${plugin} failed at ${name}, and nothing is stored without it; the log says why`,
            { cause: error },
          );
        }
      }
    }
    return current;
  }

  /** Tells every plugin; a failing one is reported and does not keep the others from hearing. */
  async notify<Name extends keyof NotifyingHooks>(
    name: Name,
    value: NotifyingHooks[Name],
    call: Call,
  ): Promise<void> {
    const { pluginPatienceMs: patienceMs } = this.#patience;
    for (const { name: plugin, hooks } of this.#plugins) {
      const hook = hooks[name] as AnyHook | undefined;
      if (!hook) continue;
      const asked = { plugin, name, hook, value, call, patienceMs };
      const tell = async () => (this.#isResting(asked) ? begin(asked) : this.#ask(asked));
      const told = tell().then(
        () => void this.#failing.delete(`${plugin} ${name}`),
        (error: unknown) => this.#report(plugin, name, error),
      );
      // It hears of all that happens, also while nobody waits for it.
      if (!this.#isResting(asked)) await told;
    }
  }

  /** Runs one hook of one plugin, for as long as its answer is waited for. */
  async #ask(asked: Asked): Promise<unknown> {
    const { plugin, patienceMs } = asked;
    if (this.#isResting(asked)) throw new Error(`${plugin} took too long and is left alone for a while`);
    const answer = begin(asked);
    // Most hooks answer at once, and with each write and recall: no timer is set for them.
    if (typeof (answer as PromiseLike<unknown> | null | undefined)?.then !== 'function') return answer;
    try {
      return await timeout(patienceMs, TimeoutStrategy.Aggressive).execute(async () => answer);
    } catch (error) {
      if (!(error instanceof TaskCancelledError)) throw error;
      this.#resting.set(restKey(asked), true);
      throw new Error(`${plugin} did not answer within ${patienceMs} ms`);
    }
  }

  #isResting(asked: Asked): boolean {
    return this.#resting.has(restKey(asked));
  }

  #report(plugin: string, hook: HookName, error: unknown): void {
    const key = `${plugin} ${hook}`;
    if (this.#failing.has(key)) return;
    this.#failing.add(key);
    this.#logger.error(
      { plugin, hook, err: error },
      'a plugin fails; this is said once until it works again',
    );
  }
}

function restKey({ plugin, name, call }: Asked): string {
  return `${plugin} ${name} ${call.agentId}`;
}

/** Begins a hook, with copies of the value and of what says whose call it is. */
function begin({ hook, value, call }: Asked): unknown {
  return hook(structuredClone(value), copyOf(call));
}

function copyOf(call: Call): Call {
  const { tenantId, agentId, user, space, readsSpaces, readsOnlySpaces, readsUsers, isBackground } = call;
  const { actor, now } = call;
  return structuredClone({
    ...{ tenantId, agentId, user, space, readsSpaces, readsOnlySpaces, readsUsers, isBackground },
    ...{ actor, now },
  });
}

/** Takes what a plugin answered. An error of the check is the plugin's failure, and refuses nothing in its name. */
function accepted<Value>(rule: ChangingRule<Value>, answered: unknown, given: Value): Value {
  try {
    return rule.accept(answered, given);
  } catch (error) {
    const { message } = error instanceof Error ? error : new Error(String(error));
    throw new TypeError(`its answer cannot be used: ${message}`, { cause: error });
  }
}

/** Checks what JavaScript callers pass, so that a mistake shows at once and not with the first write. */
function checkPlugin(plugin: unknown, names: readonly string[]): void {
  const shape = "pass { name: 'my-plugin', hooks: { 'memory:stored': (value, call) => { ... } } }";
  if (typeof plugin !== 'object' || plugin === null)
    throw new TypeError(`plugin must be an object: ${shape}`);
  const { name, hooks } = plugin as { name?: unknown; hooks?: unknown };
  if (typeof name !== 'string' || name === '') throw new TypeError(`plugin.name must be a text: ${shape}`);
  if (typeof hooks !== 'object' || hooks === null || Array.isArray(hooks)) {
    throw new TypeError(`plugin.hooks of ${name} must be an object: ${shape}`);
  }
  for (const [hook, work] of Object.entries(hooks)) {
    if (!names.includes(hook)) {
      const known = names.join(', ');
      throw new TypeError(`plugin.hooks of ${name} has no hook ${JSON.stringify(hook)}: use ${known}`);
    }
    if (work !== undefined && typeof work !== 'function') {
      throw new TypeError(`plugin.hooks[${JSON.stringify(hook)}] of ${name} must be a function`);
    }
  }
}
