import { type AgentMemory, CompactionLifecycle } from '@svc-memory/core/adapter';
import type { Line, Plugin } from './made-up-framework.ts';

/** Options of `memoryPlugin`. */
export interface MemoryPluginOptions {
  readonly memory: AgentMemory;
  readonly timeoutMs?: number;
  readonly onWarning?: (cause: unknown) => void;
}

/** Gives bots of the made-up framework their memory: the adapter that `adapters/README.md` describes. */
export function memoryPlugin({ memory, timeoutMs = 5_000, onWarning }: MemoryPluginOptions): Plugin {
  const lifecycle = new CompactionLifecycle(memory);

  async function attempt<T>(work: () => Promise<T>): Promise<T | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const expiry = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    });
    try {
      return await Promise.race([work(), expiry]);
    } catch (cause) {
      onWarning?.(cause);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    onOpen: async ({ first }) =>
      toLines(await attempt(() => lifecycle.sessionStart({ hint: hintOf([first]) }))),
    onCut: async ({ id, cut, rest }) =>
      toLines(
        await attempt(async () => {
          await lifecycle.beforeCompaction({ sessionId: id, transcript: toTurns(cut) });
          return lifecycle.afterCompaction({ sessionId: id, hint: hintOf(rest) });
        }),
      ),
    onAnswer: async ({ id, lines }) => {
      const transcript = toTurns(lines);
      await attempt(() => lifecycle.turnEnd({ sessionId: id, transcript }));
    },
  };
}

// The framework's own mark of what a plugin put in keeps injections from being kept as if they had been said.
const toTurns = (lines: readonly Line[]) =>
  lines.filter(({ by }) => by !== 'plugin').map(({ by, says }) => ({ role: by, content: says }));

const toLines = (text: string | undefined): Line[] =>
  text === undefined ? [] : [{ by: 'plugin', says: text }];

const hintOf = (lines: readonly Line[]) =>
  (lines.findLast(({ by }) => by === 'human')?.says ?? '').slice(0, 4_096).toWellFormed();
