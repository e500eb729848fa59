import type { AgentMemory, Input } from '../app/contract.ts';
import { withoutUndefined } from '../kernel/contract/settings.ts';

/** For which session and question an injection is made, and how long it may be. */
export interface InjectionOptions {
  /** The host's id of the session; ties its turns together. */
  readonly sessionId?: string | undefined;
  /** What the agent is about to do, up to 4,096 characters; memories related to it are recalled. */
  readonly hint?: string | undefined;
  /** Most UTF-16 code units of the text answered, from 2,000 on; default: what the agent's token budget allows. */
  readonly maxCharacters?: number | undefined;
  /** Ends the call. */
  readonly signal?: AbortSignal | undefined;
}

/** What was said: a text, or the turns of the conversation. */
export type Transcript = NonNullable<Input<'compaction'>['transcript']>;

/** The same, with what was said until then. */
export interface Keeping extends InjectionOptions {
  readonly transcript: Transcript;
}

/**
 * What happens around a compaction, in one place: an adapter maps its framework's hooks onto these methods and puts
 * each text answered into the agent's context, changing nothing else. Works in-process and over REST alike.
 *
 * Every method throws `SvcError`, or the reason of an aborted `signal`; a host that must not be held up catches it and
 * goes on. Turns may be sent again in any overlap: what is kept already is not kept twice.
 */
export class CompactionLifecycle {
  readonly #memory: AgentMemory;
  readonly #origin: { readonly framework?: string };

  /** @param framework name of the agent framework, in lower-case letters, digits and dashes; shown by `GET /compactions` */
  constructor(memory: AgentMemory, { framework }: { readonly framework?: string } = {}) {
    this.#memory = memory;
    this.#origin = framework === undefined ? {} : { framework };
  }

  /** A session begins: the boot injection. */
  async sessionStart(options: InjectionOptions = {}): Promise<string> {
    const { injection } = await this.#memory.boot(
      { ...this.#origin, ...fieldsOf(options) },
      { signal: options.signal },
    );
    return injection;
  }

  /** A turn is over and nothing is lost: keeps the transcript; answers the number of turns not kept before. */
  turnEnd(keeping: Keeping): Promise<number> {
    return this.#keep(keeping, 'turn');
  }

  /** Context is about to be lost: keeps the transcript; answers the number of turns not kept before. */
  beforeCompaction(keeping: Keeping): Promise<number> {
    return this.#keep(keeping, 'compaction');
  }

  /** Context was lost: the recovery injection. */
  afterCompaction(options: InjectionOptions = {}): Promise<string> {
    return this.#inject(options, { phase: 'post' });
  }

  /** The agent's injection made anew, for what it does now, though nothing was lost. */
  refresh(options: InjectionOptions = {}): Promise<string> {
    return this.#inject(options, { phase: 'pre', flush: 'turn' });
  }

  async #keep({ transcript, ...options }: Keeping, flush: 'turn' | 'compaction'): Promise<number> {
    const { metadata } = await this.#memory.compaction(
      { ...this.#origin, ...fieldsOf(options), phase: 'pre', flush, include_injection: false, transcript },
      { signal: options.signal },
    );
    return metadata.stored_turns;
  }

  async #inject(options: InjectionOptions, phase: Input<'compaction'>): Promise<string> {
    const input = { ...this.#origin, ...fieldsOf(options), ...phase };
    const { injection } = await this.#memory.compaction(input, { signal: options.signal });
    return injection;
  }
}

function fieldsOf({ sessionId, hint, maxCharacters }: InjectionOptions) {
  return withoutUndefined({ session_id: sessionId, context_hint: hint, max_characters: maxCharacters });
}
