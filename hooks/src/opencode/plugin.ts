import { HOOK_SCRIPT } from '../install/command.ts';
import { fireHook, type HookCall } from './fire-hook.ts';
import { type OpenCodeMessage, TranscriptFile } from './transcript-file.ts';

/** What hooks of other hosts are told on their command line. */
export interface PluginOptions {
  /** Folder of `SVC.md`, and of what waits to be sent. */
  readonly home: string;
  /** File with the address and key of the service. */
  readonly credentials: string;
  /** The program that runs hooks; by default, and where it is gone, the `node` in the `PATH`. */
  readonly node?: string;
}

/** What the plugin uses of OpenCode's interface: https://opencode.ai/docs/plugins */
interface OpenCode {
  readonly client: {
    readonly session: {
      messages(of: { path: { id: string } }): Promise<{ data?: readonly OpenCodeMessage[] | undefined }>;
    };
  };
}

interface OpenCodeEvent {
  readonly type: string;
  readonly properties?: {
    readonly sessionID?: string;
    readonly info?: { readonly id?: string; readonly parentID?: string };
  };
}

interface Part {
  readonly id: string;
  readonly sessionID: string;
  readonly messageID: string;
  readonly type: string;
  readonly text?: string;
  readonly synthetic?: boolean;
}

/** Sessions in use at once. One beyond is taken for ended: a server of OpenCode runs for weeks, and would hold all it ever had. */
const MOST_SESSIONS = 20;

/**
 * The memory of an agent in OpenCode. It fires the hooks of other hosts at the same points: the injection is in the system
 * prompt of each call, so that no compaction loses it; what is recalled for a prompt stands with it.
 *
 * Nothing it does fails OpenCode: without the service the last good injection serves, and turns wait on this machine.
 */
export function openCodePlugin(options: PluginOptions) {
  return async ({ client }: OpenCode) => {
    const sessions = new Map<string, Session>();
    // What an agent has done by another one is in the answer that it gets.
    const ofOtherAgents = new Set<string>();
    const sessionOf = (id: string | undefined): Session | undefined => {
      if (id === undefined || ofOtherAgents.has(id)) return undefined;
      const session = sessions.get(id) ?? new Session(id, options, client);
      // Set anew, so that the one that was used longest ago is the first.
      sessions.delete(id);
      sessions.set(id, session);
      const [[oldestId, oldest] = []] = sessions;
      if (sessions.size > MOST_SESSIONS && oldestId !== undefined) {
        sessions.delete(oldestId);
        void oldest?.keep('session-end');
      }
      return session;
    };
    return {
      event: async ({ event: { type, properties = {} } }: { event: OpenCodeEvent }) => {
        const { sessionID, info } = properties;
        if (type === 'session.created' && info?.id && info.parentID) ofOtherAgents.add(info.id);
        if (type === 'session.deleted' && info?.id) {
          sessions.delete(info.id);
          ofOtherAgents.delete(info.id);
        }
        if (type === 'session.compacted') sessionOf(sessionID)?.recover();
        if (type === 'session.idle') await sessionOf(sessionID)?.endTurn();
      },
      'chat.message': async (input: { sessionID: string }, output: { parts: Part[] }) => {
        await sessionOf(input.sessionID)?.recallFor(output.parts);
      },
      'experimental.chat.system.transform': async (
        input: { sessionID?: string },
        output: { system: string[] },
      ) => {
        const injection = await sessionOf(input.sessionID)?.injection();
        if (injection) output.system.push(injection);
      },
      'experimental.session.compacting': async (input: { sessionID: string }) => {
        await sessionOf(input.sessionID)?.beginCompaction();
      },
      dispose: async () => {
        await Promise.all([...sessions.values()].map((session) => session.keep('session-end')));
      },
    };
  };
}

/** One session of an agent. */
class Session {
  readonly #id: string;
  readonly #options: PluginOptions;
  readonly #client: OpenCode['client'];
  readonly #transcript: TranscriptFile;
  #injection: Promise<string> | undefined;
  #isCompacting = false;
  #kept: Promise<unknown> = Promise.resolve();

  constructor(id: string, options: PluginOptions, client: OpenCode['client']) {
    this.#id = id;
    this.#options = options;
    this.#client = client;
    this.#transcript = new TranscriptFile(options.home, id);
  }

  /** What the agent is told of itself; nothing while the host asks a model for a summary. */
  async injection(): Promise<string> {
    if (this.#isCompacting) return '';
    this.#injection ??= this.#fire('session-start');
    return this.#injection;
  }

  async beginCompaction(): Promise<void> {
    this.#isCompacting = true;
    await this.keep('before-compaction');
  }

  recover(): void {
    this.#isCompacting = false;
    this.#injection = this.#fire('after-compaction');
  }

  /** Keeps what was said. A compaction that was under way is over: one that fails, or that the user stops, tells nothing else. */
  async endTurn(): Promise<void> {
    this.#isCompacting = false;
    await this.keep('turn-end');
  }

  /** Adds to a message of the user what the agent remembers for it. */
  async recallFor(parts: Part[]): Promise<void> {
    const said = parts.filter(({ type, synthetic }) => type === 'text' && !synthetic);
    const last = parts.at(-1);
    if (!last) return;
    const text = await this.#fire('prompt', said.map((part) => part.text).join('\n'));
    if (text === '') return;
    const { sessionID, messageID } = last;
    // Parts are in the order of their ids.
    parts.push({ id: `${last.id}r`, sessionID, messageID, type: 'text', text, synthetic: true });
  }

  /** Hands what was said to the hook, in turn: it goes on where the last one ended. */
  keep(name: 'turn-end' | 'before-compaction' | 'session-end'): Promise<unknown> {
    this.#kept = this.#kept.then(async () => {
      const { data = [] } = await this.#client.session
        .messages({ path: { id: this.#id } })
        .catch(() => ({ data: [] }));
      this.#transcript.add(data);
      await this.#fire(name);
    });
    return this.#kept;
  }

  #fire(name: HookCall['hook_event_name'], prompt?: string): Promise<string> {
    const { home, credentials, node } = this.#options;
    return fireHook(node, [HOOK_SCRIPT, 'opencode', '--home', home, '--credentials', credentials], {
      hook_event_name: name,
      session_id: this.#id,
      transcript_path: this.#transcript.path,
      ...(prompt === undefined ? {} : { prompt }),
    });
  }
}
