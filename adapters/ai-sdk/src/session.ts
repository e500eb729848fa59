import { type AgentMemory, CompactionLifecycle } from '@svc-memory/core';
import { attempt } from './attempt.ts';
import type { Conversation } from './conversation.ts';
import type { Turn } from './messages.ts';
import type { MemoryOptions } from './options.ts';
import { TurnLog } from './turn-log.ts';

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

/** How much of a history was compacted away. */
export interface Compaction {
  readonly id: string;
  /** Fingerprints of the messages up to the last one dropped. */
  readonly prefix: readonly string[];
  /** Places of those among them that stay. */
  readonly kept: readonly number[];
  readonly text: string;
  /** False where the memory service was away: then `text` only says so. */
  readonly isRecovered: boolean;
}

/** One call's wishes. */
interface Request {
  readonly options: MemoryOptions;
  readonly conversation: Conversation;
  readonly signal?: AbortSignal | undefined;
}

/** What this process knows of one conversation. Losing it costs a few calls and stores nothing twice. */
export class Session {
  /** Set where the middleware adds the boot injection to every call that has no recovery in it. */
  boots = false;
  compaction: Compaction | undefined;
  readonly log = new TurnLog();
  readonly #injections = new Map<'boot' | 'recovery', Injection>();
  readonly #seen = new Set<string>();

  /** The boot injection: made when a conversation starts, and anew when recall finds what it does not show. */
  async boot({ options, conversation, signal }: Request): Promise<string | undefined> {
    const last = this.#injections.get('boot');
    if (last && !(conversation.isStart && last.answered)) {
      if (!(await this.#hasNews(last, { options, conversation, signal }))) return last.text;
    }
    const { hint } = conversation;
    const text = await attempt(options, 'give the boot injection', signal, (memory) =>
      new CompactionLifecycle(memory).sessionStart(hint === undefined ? {} : { hint }),
    );
    return this.#remember('boot', text, hint) ?? last?.text;
  }

  /** The recovery injection for a compaction that has just been made, of about so many tokens. */
  async recover({ options, conversation: { hint }, signal }: Request, tokens: number) {
    const { sessionId } = options;
    const text = await attempt(options, 'give the recovery injection', signal, (memory) =>
      new CompactionLifecycle(limited(memory, tokens)).afterCompaction({
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(hint === undefined ? {} : { hint }),
      }),
    );
    return this.#remember('recovery', text, hint);
  }

  /** What takes the place of a recovery in force once the user asks for something that it does not show. */
  async refresh(request: Request, tokens: number): Promise<string | undefined> {
    const last = this.#injections.get('recovery');
    if (!last || !(await this.#hasNews(last, request))) return undefined;
    const { options, conversation, signal } = request;
    // Not a second recovery: the service counts those, and grows wary of an agent that needs many.
    const text = await attempt(options, 'refresh the injection', signal, async (memory) => {
      const { injection } = await limited(memory, tokens).compaction({
        phase: 'pre',
        flush: 'turn',
        ...(options.sessionId === undefined ? {} : { session_id: options.sessionId }),
        ...(conversation.hint === undefined ? {} : { context_hint: conversation.hint }),
      });
      return injection;
    });
    return this.#remember('recovery', text, conversation.hint);
  }

  /** Keeps turns; answers false, after a warning, where that failed: then they are sent again next time. */
  async keep(turns: readonly Turn[], { options, during, afterCompaction }: Keeping): Promise<boolean> {
    const { sessionId } = options;
    const moment = sessionId === undefined ? {} : { sessionId };
    const kept = await attempt(options, 'keep the conversation', undefined, async (memory) => {
      await this.log.keep(turns, afterCompaction, async (transcript) => {
        const lifecycle = new CompactionLifecycle(
          during === 'compaction' ? memory : betweenCompactions(memory),
        );
        await lifecycle.beforeCompaction({ ...moment, transcript });
      });
      return true;
    });
    return kept ?? false;
  }

  /** A model has answered what it was asked with the injections in force. */
  answered(): void {
    for (const injection of this.#injections.values()) injection.answered = true;
  }

  #remember(kind: 'boot' | 'recovery', text: string | undefined, hint: string | undefined) {
    if (text !== undefined) this.#injections.set(kind, { text, hint, answered: false });
    return text;
  }

  /** Recalls for what the user has just said; true when something relevant is not in the model's input yet. */
  async #hasNews(last: Injection, { options, conversation, signal }: Request): Promise<boolean> {
    const { hint, turns } = conversation;
    if (hint === undefined || hint === last.hint) return false;
    this.#injections.set(last === this.#injections.get('boot') ? 'boot' : 'recovery', { ...last, hint });
    const answer = await attempt(options, 'recall for this turn', signal, (memory) =>
      memory.recall({ query: hint, limit: RECALLED }),
    );
    const news = (answer?.results ?? []).filter(
      ({ id, content }) => !this.#seen.has(id) && !isShown(content, last.text, turns),
    );
    for (const { id } of news) this.#seen.add(id);
    return news.length > 0;
  }
}

/** How turns are kept. */
interface Keeping {
  readonly options: MemoryOptions;
  readonly during: 'compaction' | 'turn';
  readonly afterCompaction: boolean;
}

/** A memory whose injections take about so many tokens. */
function limited(memory: AgentMemory, tokens: number): AgentMemory {
  const max_characters = Math.max(LEAST_CHARACTERS, tokens * CHARACTERS_PER_TOKEN);
  return {
    ...memory,
    compaction: (input, options) => memory.compaction({ max_characters, ...input }, options),
  };
}

/** A memory whose flush says that no compaction follows. */
function betweenCompactions(memory: AgentMemory): AgentMemory {
  return {
    ...memory,
    compaction: (input, options) => memory.compaction({ flush: 'turn', ...input }, options),
  };
}

function isShown(content: string, injection: string, turns: readonly Turn[]): boolean {
  // A kept turn begins with who said it.
  const said = content.replace(/^[\w ()-]{1,64}: /, '').split('\n', 1)[0] ?? '';
  const start = said.slice(0, RECOGNISED_CHARACTERS);
  return injection.includes(start) || turns.some((turn) => turn.content.includes(start));
}

// Belongs to the caller's memory object and goes with it: `compactMessages` is a plain function, called at each step.
const known = new WeakMap<AgentMemory, Map<string, Session>>();

/** The session of a memory by its id, the one used longest ago forgotten past 1,000. */
export function sessionOf({ memory, sessionId = '' }: MemoryOptions): Session {
  const sessions = known.get(memory) ?? new Map<string, Session>();
  known.set(memory, sessions);
  const session = sessions.get(sessionId) ?? new Session();
  sessions.delete(sessionId);
  sessions.set(sessionId, session);
  const [oldest] = sessions.keys();
  if (sessions.size > MOST_SESSIONS && oldest !== undefined) sessions.delete(oldest);
  return session;
}
