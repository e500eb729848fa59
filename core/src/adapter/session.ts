import type { AgentMemory } from '../app/contract.ts';
import { asQuoted, renderRecalled, standsIn } from '../text/recalled.ts';
import { attempt } from './attempt.ts';
import { circuitOf } from './circuit.ts';
import { CompactionLifecycle } from './compaction-lifecycle.ts';
import type { Conversation } from './conversation.ts';
import { forgetOldest, type MemoryOptions, notifyListener } from './options.ts';
import { TurnLog } from './turn-log.ts';
import type { Turn } from './turns.ts';

const MOST_SESSIONS = 1_000;
// Far more messages of the user than a model is given.
const MOST_RECALLED = 1_000;
const RECALLED = 10;
// What a recall may add to a message; an injection has far more room.
const RECALLED_CHARACTERS = 4_000;
// Characters an o200k token has at most, on the average of a text.
const CHARACTERS_PER_TOKEN = 4;
const LEAST_CHARACTERS = 2_000;

/** A text from the service that stands in the model's input. */
interface Injection {
  readonly text: string;
  /** Whether `onInjection` was called with it. */
  isNotified: boolean;
  /** Whether a model has answered with it in its input. */
  answered: boolean;
}

/** What one model call asks of the session. */
export interface SessionRequest {
  readonly options: MemoryOptions;
  readonly conversation: Conversation;
  readonly signal?: AbortSignal | undefined;
}

/** How turns are kept. */
export interface SessionKeeping {
  readonly options: MemoryOptions;
  /** `compaction` where context is about to be lost. */
  readonly during: 'compaction' | 'turn';
  /** Whether the turns follow those given to `log.startAfter`. */
  readonly afterCompaction: boolean;
}

/**
 * What a process knows of one conversation: its injections, what was recalled for each message, and which turns are kept. Losing
 * it costs a few calls and stores nothing twice. Methods throw only where the caller aborts; where the service fails, they give a
 * warning.
 *
 * An injection never changes once it is made, and what is recalled later stands behind the message that it was recalled for. So
 * what a model has read stays the same in each later call, which the prompt caches of providers need.
 */
export class MemorySession {
  readonly log = new TurnLog();
  #keeping: Promise<boolean> = Promise.resolve(true);
  readonly #framework: string;
  readonly #injections = new Map<'boot' | 'recovery', Injection>();
  /** The injection that the next call is given. */
  #inForce: 'boot' | 'recovery' = 'boot';
  #hint: string | undefined;
  /** What the last recall found, as text, where it stands in no message yet. */
  #found = '';
  /** The recalled text by the name of the user's message behind which it stands. */
  readonly #recalled = new Map<string, string>();

  /** @param framework name of the agent framework, as `GET /compactions` shows it */
  constructor(framework: string) {
    this.#framework = framework;
  }

  /** The boot injection, made when a conversation starts; recalls for what the user has said since. */
  async boot(request: SessionRequest): Promise<string | undefined> {
    const { options, conversation, signal } = request;
    if (options.recall === 'never') return undefined;
    this.#inForce = 'boot';
    const last = this.#injections.get('boot');
    if (last && !(conversation.isStart && last.answered)) {
      await this.recall(request);
      return this.#use('boot', options);
    }
    const { hint } = conversation;
    const { sessionId } = options;
    await attempt(options, 'give the boot injection; the call goes on without', signal, async (within) => {
      const text = await this.#lifecycle(options).sessionStart({ sessionId, hint, signal: within });
      this.#inject('boot', text, hint);
    });
    return this.#use('boot', options);
  }

  /**
   * The recovery injection for a compaction that has just been made.
   *
   * @param tokens about how many it may take; default the agent's token budget
   */
  async recover(
    { options, conversation: { hint }, signal }: SessionRequest,
    tokens?: number,
  ): Promise<string | undefined> {
    if (options.recall === 'never') return undefined;
    const { sessionId } = options;
    const maxCharacters = charactersOf(tokens);
    const recovered = await attempt(
      options,
      'give the recovery injection; the call goes on without',
      signal,
      async (within) => {
        const recovering = { sessionId, hint, maxCharacters, signal: within };
        this.#inject('recovery', await this.#lifecycle(options).afterCompaction(recovering), hint);
        return true;
      },
    );
    return recovered ? this.#use('recovery', options) : undefined;
  }

  /** Recalls by the hint of what the user has just said, unless that was done already. */
  async recall({ options, conversation: { hint, turns }, signal }: SessionRequest): Promise<void> {
    const { recall: when = 'always' } = options;
    if (when !== 'always' || hint === undefined || hint === this.#hint) return;
    this.#hint = hint;
    const asked = { query: hint, limit: RECALLED };
    await attempt(options, 'recall for this turn; the call goes on without', signal, async (within) => {
      const { results } = await options.memory.recall(asked, { signal: within });
      const read = this.#readIn(turns);
      const news = results.filter((memory) => !read.some((text) => standsIn(memory, text)));
      this.#found = renderRecalled(news, RECALLED_CHARACTERS).text;
    });
  }

  /**
   * The recalled texts to put behind messages of the user, by the places of the messages' last turns. What was found last goes
   * behind the latest message.
   *
   * @param turns of all messages that the model is given
   * @param latest the user's latest turn; default: the last one of role `user`, which need not be theirs
   */
  recalledBehind(
    turns: readonly Turn[],
    options: MemoryOptions,
    latest: Turn | undefined = turns.findLast(({ role }) => role === 'user'),
  ): ReadonlyMap<number, string> {
    const said = namesOf(turns);
    const place = turns.findLastIndex(({ role, content }) => role === 'user' && content === latest?.content);
    const name = said.get(place);
    if (name !== undefined && this.#found !== '' && !this.#recalled.has(name)) {
      const text = this.#found;
      this.#found = '';
      this.#recalled.set(name, text);
      forgetOldest(this.#recalled, MOST_RECALLED);
      notifyListener(options.onInjection, { kind: 'recall', text, sessionId: options.sessionId });
    }
    const texts = [...said].flatMap(([at, one]) => {
      const text = this.#recalled.get(one);
      return text === undefined ? [] : [[at, text] as const];
    });
    return new Map(texts);
  }

  /**
   * Stores turns.
   *
   * @returns false, after a warning, where that failed. They are sent again with the next turns, or as soon as the service is back.
   */
  async keep(turns: readonly Turn[], { options, during, afterCompaction }: SessionKeeping): Promise<boolean> {
    const { store = 'always' } = options;
    if (store === 'never' || (store === 'compaction' && during === 'turn')) return true;
    this.log.add(turns, afterCompaction);
    const before = this.#keeping;
    // One after the other: turns are kept in their order.
    this.#keeping = before.then(() => this.#sendOwed(options, during));
    return this.#keeping;
  }

  /** Notes that a model has answered with the present injections in its input. */
  answered(): void {
    for (const injection of this.#injections.values()) injection.answered = true;
  }

  async #sendOwed(options: MemoryOptions, during: SessionKeeping['during']): Promise<boolean> {
    const { sessionId } = options;
    const sent = await attempt(options, KEEPING, undefined, async (signal) => {
      const lifecycle = this.#lifecycle(options);
      await this.log.send(async (transcript) => {
        const keeping = { sessionId, transcript, signal };
        await (during === 'turn' ? lifecycle.turnEnd(keeping) : lifecycle.beforeCompaction(keeping));
      });
      return true;
    });
    if (sent) return true;
    const circuit = circuitOf(options.memory);
    // Sent again at once, a refused call would be refused again. So only an absence of the service is waited for.
    if (circuit.isAway) {
      circuit.whenBack(this, async () => {
        await this.#sendOwed(options, during);
      });
    }
    return false;
  }

  #lifecycle({ memory }: MemoryOptions): CompactionLifecycle {
    return new CompactionLifecycle(memory, { framework: this.#framework });
  }

  #inject(kind: 'boot' | 'recovery', text: string, hint: string | undefined): void {
    // A proxy may have answered in place of the service.
    if (typeof text !== 'string') throw new TypeError('The answer holds no injection.');
    this.#injections.set(kind, { text, isNotified: false, answered: false });
    this.#inForce = kind;
    this.#hint = hint;
    this.#found = '';
  }

  #use(kind: 'boot' | 'recovery', { onInjection, sessionId }: MemoryOptions): string | undefined {
    const injection = this.#injections.get(kind);
    if (!injection) return undefined;
    const { text, isNotified } = injection;
    injection.isNotified = true;
    if (!isNotified) notifyListener(onInjection, { kind, text, sessionId });
    return text;
  }

  /** All that the model reads: the injection, the turns, and the recalled texts behind them. */
  #readIn(turns: readonly Turn[]): string[] {
    const recalled = [...namesOf(turns).values()].map((name) => this.#recalled.get(name));
    const texts = [this.#injections.get(this.#inForce)?.text, ...recalled];
    return [...texts.filter((text) => text !== undefined), ...turns.map(({ content }) => asQuoted(content))];
  }
}

const KEEPING = 'keep the conversation; its turns are sent again with the next ones, or once it answers';

/**
 * Makes the function that answers the session of a memory by its id; the one used longest ago is forgotten past 1,000.
 * Sessions belong to the caller's memory object and go with it.
 */
export function createSessions<S>(make: () => S): (options: MemoryOptions) => S {
  const known = new WeakMap<AgentMemory, Map<string, S>>();
  return ({ memory, sessionId = '' }) => {
    const sessions = known.get(memory) ?? new Map<string, S>();
    known.set(memory, sessions);
    const session = sessions.get(sessionId) ?? make();
    sessions.delete(sessionId);
    sessions.set(sessionId, session);
    forgetOldest(sessions, MOST_SESSIONS);
    return session;
  };
}

function charactersOf(tokens: number | undefined): number | undefined {
  return tokens === undefined ? undefined : Math.max(LEAST_CHARACTERS, tokens * CHARACTERS_PER_TOKEN);
}

/** Names for the turns of the user, by place. Equal turns get different names. */
function namesOf(turns: readonly Turn[]): ReadonlyMap<number, string> {
  const times = new Map<string, number>();
  const names = new Map<number, string>();
  for (const [place, { role, content }] of turns.entries()) {
    if (role !== 'user') continue;
    const time = times.get(content) ?? 0;
    times.set(content, time + 1);
    names.set(place, `${time} ${content}`);
  }
  return names;
}
