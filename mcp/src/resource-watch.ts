import type { AgentMemory } from '@svc-memory/core/contract';
import { SvcError } from '@svc-memory/core/contract';
import { BOOT, memoryIdOf } from './resources.ts';

/** Resources that one client may follow at once. */
const MAX_FOLLOWED = 16;
const EVERY_MS = 3_000;

interface ResourceWatchOptions {
  /** Asked before each look; false ends the watch. */
  readonly isAllowed?: () => Promise<boolean>;
  /** Milliseconds between two looks; default 3,000. */
  readonly everyMs?: number;
}

/**
 * Notices that resources have changed, whoever changed them and in whichever process: by looking at each again and again,
 * with calls that count against no plan. What cannot be read now has not changed.
 */
export class ResourceWatch {
  readonly #memory: () => Promise<AgentMemory>;
  readonly #changed: (uri: string) => void;
  readonly #options: ResourceWatchOptions;
  /** What each followed resource looked like; undefined before the first look. */
  readonly #followed = new Map<string, string | undefined>();
  #timer: NodeJS.Timeout | undefined;
  /** The last of the looks that have begun or wait. */
  #looking: Promise<void> | undefined;
  #isStopped = false;

  constructor(
    memory: () => Promise<AgentMemory>,
    changed: (uri: string) => void,
    options: ResourceWatchOptions = {},
  ) {
    this.#memory = memory;
    this.#changed = changed;
    this.#options = options;
  }

  /**
   * Follows these resources from now on, and no others; of too many the first ones. Ends once it is known how they are now, and
   * after the calls before it: what a client takes back at once must not be answered before what it asked for.
   *
   * @returns those that are followed
   */
  async follow(uris: Iterable<string>): Promise<ReadonlySet<string>> {
    const wanted = new Set([...new Set(uris)].filter(isResource).slice(0, MAX_FOLLOWED));
    for (const uri of this.#followed.keys()) if (!wanted.has(uri)) this.#followed.delete(uri);
    for (const uri of wanted) if (!this.#followed.has(uri)) this.#followed.set(uri, undefined);
    await this.#look();
    if (this.#isStopped) return wanted;
    this.#timer ??= setInterval(() => {
      if (!this.#looking) void this.#look();
    }, this.#options.everyMs ?? EVERY_MS);
    this.#timer.unref();
    if (this.#followed.size > 0) return wanted;
    clearInterval(this.#timer);
    this.#timer = undefined;
    return wanted;
  }

  stop(): void {
    this.#isStopped = true;
    this.#followed.clear();
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Looks once more, after the look that is under way: that one may have passed what is new. */
  #look(): Promise<void> {
    const look = (this.#looking ?? Promise.resolve())
      .then(() => this.#lookOnce())
      .finally(() => {
        if (this.#looking === look) this.#looking = undefined;
      });
    this.#looking = look;
    return look;
  }

  async #lookOnce(): Promise<void> {
    try {
      if ((await this.#options.isAllowed?.()) === false) return this.stop();
      const memory = await this.#memory();
      for (const [uri, before] of this.#followed) {
        const now = await lookAt(memory, uri);
        if (!this.#followed.has(uri) || now === undefined) continue;
        this.#followed.set(uri, now);
        if (before !== undefined && before !== now) this.#changed(uri);
      }
    } catch {
      // The service is away: it is looked for again.
    }
  }
}

function isResource(uri: string): boolean {
  return uri === BOOT || memoryIdOf(uri) !== undefined;
}

/** What a resource looks like now; undefined where that cannot be told. */
async function lookAt(memory: AgentMemory, uri: string): Promise<string | undefined> {
  try {
    if (uri === BOOT) return JSON.stringify(await memory.boot({ preview: true }));
    return JSON.stringify(await memory.get({ id: memoryIdOf(uri) ?? '' }));
  } catch (error) {
    return error instanceof SvcError && error.code === 'NOT_FOUND' ? 'gone' : undefined;
  }
}
