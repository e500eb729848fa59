import { CompactionLifecycle } from '../compaction/lifecycle.ts';
import type { AgentMemory } from '../contract/index.ts';
import { attempt } from './attempt.ts';
import type { MemoryOptions } from './options.ts';
import { TurnLog } from './turn-log.ts';
import type { Conversation, Turn } from './turns.ts';

const MOST_SESSIONS = 1_000;
const RECALLED = 10;
// Enough of a memory to find it in an injection, which may cut it.
const RECOGNISED_CHARACTERS = 60;
// Characters an o200k token has at most, on the average of a text.
const CHARACTERS_PER_TOKEN = 4;
const LEAST_CHARACTERS = 2_000;

/** A text from the service that stands in the model's input, and what it was made for. */
interface Injection {
  readonly text: string;
  readonly hint: string | undefined;
  /** Whether a model has answered with it in its input. */
  answered: boolean;
}

/** One model call's wishes. */
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
 * What a process knows of one conversation: the injections in force, and which turns are kept. Losing it costs a few
 * calls and stores nothing twice. Nothing throws but the caller's own abort: what the service cannot do is a warning.
 */
export class MemorySession {
  readonly log = new TurnLog();
  readonly #framework: string;
  readonly #injections = new Map<'boot' | 'recovery', Injection>();
  readonly #seen = new Set<string>();

  /** @param framework name of the agent framework, as `GET /compactions` shows it */
  constructor(framework: string) {
    this.#framework = framework;
  }

  /** The boot injection: made when a conversation starts, and anew when recall finds what it does not show. */
  async boot({ options, conversation, signal }: SessionRequest): Promise<string | undefined> {
    const last = this.#injections.get('boot');
    if (last && !(conversation.isStart && last.answered)) {
      if (!(await this.#hasNews(last, { options, conversation, signal }))) return last.text;
    }
    const { hint } = conversation;
    const { sessionId } = options;
    const text = await attempt(options, 'give the boot injection', signal, (within) =>
      this.#lifecycle(options).sessionStart({ sessionId, hint, signal: within }),
    );
    return this.#remember('boot', text, hint) ?? last?.text;
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
    const { sessionId } = options;
    const maxCharacters = charactersOf(tokens);
    const text = await attempt(options, 'give the recovery injection', signal, (within) =>
      this.#lifecycle(options).afterCompaction({ sessionId, hint, maxCharacters, signal: within }),
    );
    return this.#remember('recovery', text, hint);
  }

  /** What takes the place of a recovery in force once the user asks for something that it does not show. */
  async refresh(request: SessionRequest, tokens?: number): Promise<string | undefined> {
    const last = this.#injections.get('recovery');
    if (!last || !(await this.#hasNews(last, request))) return undefined;
    const { options, conversation, signal } = request;
    const { sessionId } = options;
    const { hint } = conversation;
    const maxCharacters = charactersOf(tokens);
    // Not a second recovery: the service counts those, and grows wary of an agent that needs many.
    const text = await attempt(options, 'refresh the injection', signal, (within) =>
      this.#lifecycle(options).refresh({ sessionId, hint, maxCharacters, signal: within }),
    );
    return this.#remember('recovery', text, hint);
  }

  /** Keeps turns; answers false, after a warning, where that failed: then they are sent again next time. */
  async keep(turns: readonly Turn[], { options, during, afterCompaction }: SessionKeeping): Promise<boolean> {
    const { sessionId } = options;
    const kept = await attempt(options, 'keep the conversation', undefined, async (signal) => {
      const lifecycle = this.#lifecycle(options);
      await this.log.keep(turns, afterCompaction, async (transcript) => {
        const keeping = { sessionId, transcript, signal };
        await (during === 'turn' ? lifecycle.turnEnd(keeping) : lifecycle.beforeCompaction(keeping));
      });
      return true;
    });
    return kept ?? false;
  }

  /** A model has answered what it was asked with the injections in force. */
  answered(): void {
    for (const injection of this.#injections.values()) injection.answered = true;
  }

  #lifecycle({ memory }: MemoryOptions): CompactionLifecycle {
    return new CompactionLifecycle(memory, { framework: this.#framework });
  }

  #remember(kind: 'boot' | 'recovery', text: string | undefined, hint: string | undefined) {
    if (text !== undefined) this.#injections.set(kind, { text, hint, answered: false });
    return text;
  }

  /** Recalls for what the user has just said; true when something relevant is not in the model's input yet. */
  async #hasNews(last: Injection, { options, conversation, signal }: SessionRequest): Promise<boolean> {
    const { hint, turns } = conversation;
    if (hint === undefined || hint === last.hint) return false;
    this.#injections.set(last === this.#injections.get('boot') ? 'boot' : 'recovery', { ...last, hint });
    const answer = await attempt(options, 'recall for this turn', signal, (within) =>
      options.memory.recall({ query: hint, limit: RECALLED }, { signal: within }),
    );
    const news = (answer?.results ?? []).filter(
      ({ id, content }) => !this.#seen.has(id) && !isShown(content, last.text, turns),
    );
    for (const { id } of news) this.#seen.add(id);
    return news.length > 0;
  }
}

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
    const [oldest] = sessions.keys();
    if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
    return session;
  };
}

function charactersOf(tokens: number | undefined): number | undefined {
  return tokens === undefined ? undefined : Math.max(LEAST_CHARACTERS, tokens * CHARACTERS_PER_TOKEN);
}

function isShown(content: string, injection: string, turns: readonly Turn[]): boolean {
  // A kept turn begins with who said it.
  const said = content.replace(/^[\w ()-]{1,64}: /, '').split('\n', 1)[0] ?? '';
  const start = said.slice(0, RECOGNISED_CHARACTERS);
  return injection.includes(start) || turns.some((turn) => turn.content.includes(start));
}
