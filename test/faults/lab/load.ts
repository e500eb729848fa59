import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ClientOrders, type Entry, readJournal } from './journal.ts';

const CLIENT = fileURLToPath(new URL('client.ts', import.meta.url));

/** A client at work in a process of its own. */
export interface Load {
  /** Memories acknowledged so far. */
  acknowledged(): number;
  /** Waits until so many more are acknowledged; fails after three. */
  more(count: number): Promise<void>;
  /** Lets it end its operations, and reads its journal. */
  stop(): Promise<Entry[]>;
}

let clients = 0;

/** Starts a client. */
export function startLoad(given: Omit<ClientOrders, 'name' | 'journal' | 'timeoutMs'>): Load {
  clients += 1;
  const folder = mkdtempSync(join(tmpdir(), 'svc-faults-client-'));
  const orders: ClientOrders = {
    ...given,
    name: `c${clients}`,
    journal: join(folder, 'journal.jsonl'),
    timeoutMs: 30_000,
  };
  const child = fork(CLIENT, [JSON.stringify(orders)], {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'close');
  let acknowledged = 0;
  let wake = () => {};
  child.on('message', (count: number) => {
    acknowledged = count;
    wake();
  });
  return {
    acknowledged: () => acknowledged,
    more: async (count) => {
      const goal = acknowledged + count;
      const late = setTimeout(() => child.kill('SIGKILL'), 180_000);
      while (acknowledged < goal) {
        if (child.exitCode !== null || child.signalCode !== null) {
          throw new Error(`the client stopped short: ${acknowledged} of ${goal} acknowledged`);
        }
        await Promise.race([
          new Promise<void>((resolve) => {
            wake = resolve;
          }),
          ended,
        ]);
      }
      clearTimeout(late);
    },
    stop: async () => {
      child.send('stop');
      await ended;
      const journal = await readJournal(orders.journal);
      rmSync(folder, { recursive: true });
      return journal;
    },
  };
}
