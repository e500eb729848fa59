import type { BaseMessage } from '@langchain/core/messages';
import { createSessions, type MemoryOptions, MemorySession } from '@svc-memory/core/adapter';
import { conversationOf, summaryOf, turnsOf, withText } from './messages.ts';

/** A model call as far as the memory is concerned. */
interface Call {
  readonly options: MemoryOptions;
  /** What was said. */
  readonly messages: readonly BaseMessage[];
  /** What the model is shown. */
  readonly shown: readonly BaseMessage[];
  readonly signal?: AbortSignal | undefined;
}

/** What the memory adds to a model call. */
export interface Additions {
  /** For the system message. */
  readonly injection: string | undefined;
  /** What the model is shown, with what was recalled behind messages of the user. */
  readonly messages: BaseMessage[];
}

/** How long an invocation may take from its last answer to its end before it counts as left. */
const LEFT_AFTER_MS = 3_000;

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
  /** By their last answers the invocations that may have been left, with the timers that then keep what was said. */
  readonly #answered = new Map<BaseMessage, ReturnType<typeof setTimeout>>();

  /** An invocation of the agent begins. A summary in its messages was made before, perhaps in another process. */
  begin(messages: readonly BaseMessage[]): void {
    const summary = lastSummary(messages);
    if (summary !== this.#summary) this.#adopt(summary);
    this.#seen = messages;
  }

  /**
   * Keeps what was said unless the invocation with this answer goes on or ends soon. One that is left is told to nobody: whoever
   * reads no more of a stream ends it between two steps.
   */
  keepIfLeft(answer: BaseMessage, keep: () => void): void {
    const timer = setTimeout(() => {
      this.#answered.delete(answer);
      keep();
    }, LEFT_AFTER_MS);
    this.#answered.set(answer, timer);
  }

  /** An invocation goes on, or ends. Others of the same thread, which may have none, are not concerned. */
  #goOn(messages: readonly BaseMessage[]): void {
    for (const [answer, timer] of this.#answered) {
      const isIts = messages.some((one) => one === answer || (one.id !== undefined && one.id === answer.id));
      if (!isIts) continue;
      clearTimeout(timer);
      this.#answered.delete(answer);
    }
  }

  /** What to add to a model call; after a summarisation its recovery, once what it replaced is kept. */
  async additionsTo(call: Call): Promise<Additions> {
    this.#goOn(call.messages);
    const summary = lastSummary(call.messages);
    const isNew =
      summary !== undefined && (summary !== this.#summary || this.#dropped(call.messages).length > 0);
    if (isNew && this.#seen.length > 0) await this.#compact(call, summary);
    else if (summary !== this.#summary) this.#adopt(summary);
    this.#lastInjection = (await this.#inject(call)) ?? this.#lastInjection;
    return { injection: this.#lastInjection, messages: this.#withRecalled(call) };
  }

  /** The model has answered. */
  saw(messages: readonly BaseMessage[]): void {
    this.#seen = messages;
    this.answered();
  }

  /** Keeps what was said in an invocation so far. */
  async keepAll(options: MemoryOptions, messages: readonly BaseMessage[]): Promise<void> {
    this.#goOn(messages);
    const afterCompaction = lastSummary(messages) !== undefined;
    await this.keep(messages.flatMap(turnsOf), { options, during: 'turn', afterCompaction });
  }

  #adopt(summary: string | undefined): void {
    this.#summary = summary;
    this.#recovery = undefined;
    this.#owesRecovery = false;
  }

  /**
   * What is no longer there of the messages last looked at. A summary is known by it: one that replaces another takes over its
   * id, and one that failed has always the same words.
   */
  #dropped(messages: readonly BaseMessage[]): BaseMessage[] {
    const left = new Set(messages.filter((message) => summaryOf(message) === undefined).map(({ id }) => id));
    return this.#seen.filter(
      (message) => message.id !== undefined && summaryOf(message) === undefined && !left.has(message.id),
    );
  }

  /** Keeps what stood there before a summary took its place. */
  async #compact({ options, messages }: Call, summary: string): Promise<void> {
    // As they are now: another middleware may have taken something out.
    const now = new Map(messages.map((message) => [message.id, message]));
    const seen = this.#seen.map((message) => now.get(message.id ?? '') ?? message);
    const afterCompaction = lastSummary(this.#seen) !== undefined;
    await this.keep(seen.flatMap(turnsOf), { options, during: 'compaction', afterCompaction });
    this.log.startAfter(this.#dropped(messages).flatMap(turnsOf), afterCompaction);
    // Looked at once: a call that is repeated after an error of the provider drops nothing again.
    this.#seen = messages;
    this.#adopt(summary);
    this.#owesRecovery = true;
  }

  async #inject({ options, messages, shown, signal }: Call): Promise<string | undefined> {
    const { hint = this.#lastHint, isStart } = conversationOf(messages);
    this.#lastHint = hint;
    const turns = shown.flatMap(turnsOf);
    const request = { options, signal, conversation: { turns, isStart, hint } };
    if (this.#owesRecovery) {
      this.#recovery = await this.recover(request);
      this.#owesRecovery = this.#recovery === undefined;
      return this.#recovery;
    }
    if (this.#recovery === undefined) return this.boot(request);
    await this.recall(request);
    return this.#recovery;
  }

  #withRecalled({ options, messages, shown }: Call): BaseMessage[] {
    const turns = shown.map(turnsOf);
    const latest = messages.flatMap(turnsOf).findLast(({ role }) => role === 'user');
    const recalled = this.recalledBehind(turns.flat(), options, latest);
    let end = 0;
    return shown.map((message, place) => {
      end += turns[place]?.length ?? 0;
      const text =
        message.getType() === 'human' && turns[place]?.length !== 0 ? recalled.get(end - 1) : undefined;
      return text === undefined ? message : withText(message, text);
    });
  }
}

/** The session of a memory by its id. */
export const threadOf = createSessions(() => new Session('langchain'));

function lastSummary(messages: readonly BaseMessage[]): string | undefined {
  return messages.map(summaryOf).findLast((summary) => summary !== undefined);
}
