import type { Output } from '@svc-memory/core/contract';
import { type Api, createApi } from './api.ts';

export const BATCH = 20;

/** What was asked of the service and what it acknowledged, kept outside of it. */
export class Ledger {
  /** Contents of all memories that were ever sent, acknowledged or not. */
  readonly sent = new Set<string>();
  /** Content by id of every acknowledged new memory. */
  readonly stored = new Map<string, string>();
  /** Contents of each batch by its tag, and whether it was acknowledged. */
  readonly batches = new Map<string, { contents: string[]; acknowledged: boolean }>();
  /** For each key, the contents in the order one writer sent them, and how many were acknowledged. */
  readonly upserts = new Map<string, { contents: string[]; acknowledged: number }>();
  /** Contents that several writers sent under one key, and how many were acknowledged. */
  readonly shared = { contents: new Set<string>(), acknowledged: 0 };
  acknowledged = 0;
  /** Calls of the checks themselves that count against the plan. */
  countedReads = 0;
}

/** A client of a process by its credentials. */
export function clientOf({ url, key }: { readonly url: string; readonly key: string }): Api {
  return createApi({ url, key, tenantId: '', keyId: '', digest: async () => '' });
}

/**
 * Writes in every way at once until the service is gone. What is sent is noted before, what is acknowledged after.
 *
 * @param onAcknowledged Told after every acknowledged call.
 */
export async function writeUntilGone(
  api: Api,
  ledger: Ledger,
  round: number,
  onAcknowledged: () => void,
): Promise<void> {
  const acknowledge = () => {
    ledger.acknowledged += 1;
    onAcknowledged();
  };
  const writers = [
    single(api, ledger, `r${round}s0`, acknowledge),
    single(api, ledger, `r${round}s1`, acknowledge),
    batch(api, ledger, `r${round}b0`, acknowledge),
    batch(api, ledger, `r${round}b1`, acknowledge),
    upsert(api, ledger, `r${round}u0`, acknowledge),
    upsert(api, ledger, `r${round}u1`, acknowledge),
    ...['x', 'y', 'z'].map((name) => sharedUpsert(api, ledger, `r${round}${name}`, acknowledge)),
  ];
  await Promise.all(writers.map(untilGone));
}

/** A memory of some length, told apart from all others by its first word. */
function contentOf(name: string, n: number): string {
  return `mark${name}n${n} ${'The harbour master wrote this line down. '.repeat(1 + (n % 30))}end`;
}

async function untilGone(work: Promise<never>): Promise<void> {
  await work.catch((error: unknown) => {
    // What `fetch` throws when a connection breaks; anything else is a failure of the test.
    if (!(error instanceof TypeError)) throw error;
  });
}

async function single(api: Api, ledger: Ledger, name: string, acknowledge: () => void): Promise<never> {
  for (let n = 0; ; n += 1) {
    const content = contentOf(name, n);
    ledger.sent.add(content);
    const { memory } = (await api.post<'remember'>('/memories', { type: 'episodic', content })).body;
    ledger.stored.set(memory.id, content);
    acknowledge();
  }
}

async function batch(api: Api, ledger: Ledger, name: string, acknowledge: () => void): Promise<never> {
  for (let n = 0; ; n += 1) {
    const tag = `${name}n${n}`;
    const contents = Array.from({ length: BATCH }, (_, item) => contentOf(`${tag}i`, item));
    const noted = { contents, acknowledged: false };
    ledger.batches.set(tag, noted);
    for (const content of contents) ledger.sent.add(content);
    const memories = contents.map((content) => ({ type: 'semantic', content, tags: [tag] }));
    const { body } = await api.post<'rememberBatch'>('/memories/batch', { memories });
    for (const { id, content } of body.memories) ledger.stored.set(id, content);
    noted.acknowledged = true;
    acknowledge();
  }
}

async function upsert(api: Api, ledger: Ledger, name: string, acknowledge: () => void): Promise<never> {
  const noted = { contents: [] as string[], acknowledged: 0 };
  ledger.upserts.set(name, noted);
  for (let n = 0; ; n += 1) {
    const content = contentOf(name, n);
    ledger.sent.add(content);
    noted.contents.push(content);
    await api.post('/memories', { type: 'working', content, key: name });
    noted.acknowledged += 1;
    acknowledge();
  }
}

async function sharedUpsert(api: Api, ledger: Ledger, name: string, acknowledge: () => void): Promise<never> {
  for (let n = 0; ; n += 1) {
    const content = contentOf(name, n);
    ledger.sent.add(content);
    ledger.shared.contents.add(content);
    await api.post('/memories', { type: 'working', content, key: 'shared' });
    ledger.shared.acknowledged += 1;
    acknowledge();
  }
}

/** Every active memory by id. */
export async function readAll(api: Api, ledger: Ledger) {
  const { memories } = (await api.get<'export'>('/export')).body.export;
  ledger.countedReads += 1;
  type Memory = Output<'get'>['memory'];
  return new Map<string, Memory>(
    Object.values(memories).flatMap((list) => list.map((item) => [item.id, item])),
  );
}
