import type { BaseMessage } from '@langchain/core/messages';
import { createSessions, type MemoryOptions, MemorySession } from '@svc-memory/core/adapter';
import { conversationOf, summaryOf, turnsOf } from './messages.ts';

/** A model call as far as the memory is concerned. */
interface Call {
  readonly options: MemoryOptions;
  readonly messages: readonly BaseMessage[];
  readonly signal?: AbortSignal | undefined;
}

/** What this process knows of one thread of an agent. */
class Session extends MemorySession {
  /** The messages as they were when last looked at: what a summary replaces is gone from the state. */
  #seen: readonly BaseMessage[] = [];
  /** The summary in the messages whose making is dealt with. */
  #summary: string | undefined;
  #recovery: string | undefined;
  /** The summary's recovery is still to be fetched: the memory service was away. */
  #owesRecovery = false;
  #lastInjection: string | undefined;
  #lastHint: string | undefined;

  /** An invocation of the agent begins. A summary in its messages was made before, perhaps in another process. */
  begin(messages: readonly BaseMessage[]): void {
    const summary = lastSummary(messages);
    if (summary !== this.#summary) this.#adopt(summary);
    this.#seen = messages;
  }

  /** The injection for a model call; after a summarisation its recovery, once what it replaced is kept. */
  async injectionFor(call: Call): Promise<string | undefined> {
    const summary = lastSummary(call.messages);
    if (summary !== this.#summary) {
      if (summary === undefined || this.#seen.length === 0) this.#adopt(summary);
      else await this.#compact(call, summary);
    }
    this.#lastInjection = (await this.#inject(call)) ?? this.#lastInjection;
    return this.#lastInjection;
  }

  /** The model has answered. */
  saw(messages: readonly BaseMessage[]): void {
    this.#seen = messages;
    this.answered();
  }

  /** Keeps what was said in an invocation that has come to its end. */
  async end(options: MemoryOptions, messages: readonly BaseMessage[]): Promise<void> {
    const afterCompaction = lastSummary(messages) !== undefined;
    await this.keep(messages.flatMap(turnsOf), { options, during: 'turn', afterCompaction });
  }

  #adopt(summary: string | undefined): void {
    this.#summary = summary;
    this.#recovery = undefined;
    this.#owesRecovery = false;
  }

  /** Keeps what stood there before a summary took its place. */
  async #compact({ options, messages }: Call, summary: string): Promise<void> {
    const seen = this.#seen;
    const afterCompaction = lastSummary(seen) !== undefined;
    await this.keep(seen.flatMap(turnsOf), { options, during: 'compaction', afterCompaction });
    // The summary bears the id of the first message it replaces.
    const left = new Set(messages.filter((message) => summaryOf(message) === undefined).map(({ id }) => id));
    const dropped = seen.filter(({ id }) => id !== undefined && !left.has(id));
    this.log.startAfter(dropped.flatMap(turnsOf), afterCompaction);
    this.#adopt(summary);
    this.#owesRecovery = true;
  }

  async #inject({ options, messages, signal }: Call): Promise<string | undefined> {
    const { hint = this.#lastHint, ...known } = conversationOf(messages);
    this.#lastHint = hint;
    const request = { options, signal, conversation: { ...known, ...(hint === undefined ? {} : { hint }) } };
    if (this.#owesRecovery) {
      this.#recovery = await this.recover(request);
      this.#owesRecovery = this.#recovery === undefined;
      return this.#recovery;
    }
    if (this.#recovery === undefined) return this.boot(request);
    this.#recovery = (await this.refresh(request)) ?? this.#recovery;
    return this.#recovery;
  }
}

/** The session of a memory by its id. */
export const sessionOf = createSessions(() => new Session('langchain'));

function lastSummary(messages: readonly BaseMessage[]): string | undefined {
  return messages.map(summaryOf).findLast((summary) => summary !== undefined);
}
