import type { AgentMemory, Input } from '../contract/index.ts';

/** Where in the life of a session something happens. */
export interface Moment {
  /** The host's id of the session; ties its turns together. */
  readonly sessionId?: string;
  /** What the agent is about to do; memories related to it are recalled. */
  readonly hint?: string;
}

/** What is about to be compacted away: a text, or the turns of the conversation. */
export type Transcript = NonNullable<Input<'compaction'>['transcript']>;

/**
 * What happens around a compaction, in one place: an adapter maps its framework's hooks onto these three moments and
 * puts each text answered into the agent's context, changing nothing else. Works in-process and over REST alike.
 *
 * Every method throws `SvcError`; a host that must not be held up catches it and goes on. Turns may be sent again in
 * any overlap: what is kept already is not kept twice.
 */
export class CompactionLifecycle {
  readonly #memory: AgentMemory;

  constructor(memory: AgentMemory) {
    this.#memory = memory;
  }

  /** A session begins: the boot injection. */
  async sessionStart({ hint }: Moment = {}): Promise<string> {
    const { injection } = await this.#memory.boot(hint === undefined ? {} : { context_hint: hint });
    return injection;
  }

  /** Context is about to be lost: keeps the transcript; answers the number of turns not kept before. */
  async beforeCompaction({
    sessionId,
    transcript,
  }: Moment & { readonly transcript: Transcript }): Promise<number> {
    const { metadata } = await this.#memory.compaction({
      phase: 'pre',
      transcript,
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
    });
    return metadata.stored_turns;
  }

  /** Context was lost: the recovery injection. */
  async afterCompaction({ sessionId, hint }: Moment = {}): Promise<string> {
    const { injection } = await this.#memory.compaction({
      phase: 'post',
      ...(sessionId === undefined ? {} : { session_id: sessionId }),
      ...(hint === undefined ? {} : { context_hint: hint }),
    });
    return injection;
  }
}
