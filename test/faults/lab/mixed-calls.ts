import { setTimeout } from 'node:timers/promises';
import { connect } from '@svc-memory/core/client';
import type { AgentMemory } from '@svc-memory/core/contract';
import type { Random } from './random.ts';

// Few enough that what is stored stays as much: a soak looks for what grows without being asked to.
const KEYS = 500;
const CLIENTS = 3;
const PAUSE_MS = 15;

/** What calls have come to since they were last taken. */
export interface Calls {
  /** How long each took, in milliseconds. */
  readonly took: readonly number[];
  /** Writes among them. */
  readonly writes: number;
}

/** Clients that call a service in every way of an ordinary day. */
export interface MixedCalls {
  /** What was called since this was asked last. */
  take(): Calls;
  /** Answers that were failures, by code. */
  readonly failures: Readonly<Record<string, number>>;
  stop(): Promise<void>;
}

/** Starts the clients. */
export function startMixedCalls(url: string, apiKey: string, random: Random): MixedCalls {
  const memory = connect({ url, apiKey, retries: 0 });
  const over = new AbortController();
  const failures: Record<string, number> = {};
  let took: number[] = [];
  let writes = 0;
  const work = async () => {
    while (!over.signal.aborted) {
      const call = CALLS[random.between(0, CALLS.length - 1)] ?? recall;
      const began = performance.now();
      await call(memory, random).catch((error: { code?: string }) => {
        const code = String(error.code ?? error);
        failures[code] = (failures[code] ?? 0) + 1;
      });
      took.push(performance.now() - began);
      if (call === remember) writes += 1;
      await setTimeout(PAUSE_MS, undefined, { signal: over.signal }).catch(() => {});
    }
  };
  const all = Promise.all(Array.from({ length: CLIENTS }, work));
  return {
    failures,
    take: () => {
      const taken = { took, writes };
      took = [];
      writes = 0;
      return taken;
    },
    stop: async () => {
      over.abort();
      await all;
    },
  };
}

type Call = (memory: AgentMemory, random: Random) => Promise<unknown>;

const PLACES = ['garden', 'kitchen', 'harbour', 'library', 'station', 'market'];
const THINGS = ['kettle', 'ladder', 'lantern', 'notebook', 'bicycle', 'umbrella'];

const one = (random: Random, words: readonly string[]) => words[random.between(0, words.length - 1)];
const phrase = (random: Random) => `the ${one(random, THINGS)} in the ${one(random, PLACES)}`;

const remember: Call = (memory, random) =>
  memory.remember({
    type: random.between(0, 1) === 0 ? 'semantic' : 'episodic',
    key: `thing-${random.between(1, KEYS)}`,
    content: `On day ${random.between(1, 10_000)} there was ${phrase(random)}.`,
  });
const recall: Call = (memory, random) => memory.recall({ query: phrase(random) });

/** As often as an agent makes them. */
const CALLS: readonly Call[] = [
  remember,
  remember,
  recall,
  recall,
  recall,
  (memory, random) => memory.boot({ context_hint: phrase(random) }),
  (memory) => memory.query({ limit: 20 }),
  (memory) => memory.status(),
  (memory, random) =>
    memory.compaction({ phase: 'pre', framework: 'generic', session_id: `s${random.between(1, 50)}` }),
];
