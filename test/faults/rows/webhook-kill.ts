import { connect, createServer, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { listen } from '../../kit/listen.ts';
import type { Fault, Figures } from '../fault.ts';
import type { Cluster } from '../lab/cluster.ts';
import { endLeases, eventually, storedEvents } from '../lab/events.ts';
import { type Receiver, startReceiver } from '../lab/receiver.ts';
import type { Tenant } from '../lab/tenant.ts';

const EVENTS = 6;

/** kill -9 of the worker at one point of a delivery. */
const webhookKill = (point: string, killAt: (stage: Stage) => Promise<void>): Fault => ({
  name: `kill -9 of the worker ${point}`,
  holds: 'every event arrives at least once, always under the same webhook-id',
  run: async ({ cluster: shared, rounds }) => {
    const cluster = await shared();
    const [events, lost, repeated, problems] = [
      [] as number[],
      [] as number[],
      [] as number[],
      [] as string[],
    ];
    let recoveryMs = 0;
    for (let round = 0; round < rounds; round += 1) {
      const receiver = await startReceiver();
      const gate = await openGate(receiver);
      const own = await cluster.tenant();
      await cluster.subscribe(own, gate.url);
      await killAt({ cluster, own, receiver, gate });
      await cluster.worker.ended();
      const killed = Date.now();
      gate.open();
      receiver.onRequest(async () => {});
      await cluster.worker.start();
      await endLeases(cluster, own, 'event_deliveries');
      const ids = await storedEvents(cluster, own);
      const missing = () => ids.filter((id) => !receiver.seen.has(id));
      await eventually(() => missing().length === 0, 60_000).catch(() => {});
      recoveryMs = Math.max(recoveryMs, Date.now() - killed);
      const foreign = [...receiver.seen.keys()].filter((id) => !ids.includes(id));
      if (foreign.length > 0) problems.push(`${foreign.length} deliveries under an id of no event`);
      if (ids.length !== EVENTS) problems.push(`${ids.length} events of ${EVENTS} writes`);
      events.push(ids.length);
      lost.push(missing().length);
      repeated.push([...receiver.seen.values()].reduce((sum, times) => sum + times - 1, 0));
      await gate.close();
      await receiver.close();
    }
    const sum = (list: readonly number[]) => list.reduce((a, b) => a + b, 0);
    const figures: Figures = {
      times: rounds,
      n: `${sum(events)} events`,
      lost: sum(lost),
      duplicates: 0,
      recoveryMs,
      codes: {},
      note: `${sum(repeated)} delivered again, under the same id; leases aged by 60 s`,
      problems,
    };
    return figures;
  },
});

interface Stage {
  readonly cluster: Cluster;
  readonly own: Tenant;
  readonly receiver: Receiver;
  readonly gate: Gate;
}

async function store({ cluster, own }: Stage): Promise<void> {
  for (let n = 0; n < EVENTS; n += 1) {
    const answer = await fetch(`${cluster.apis[0].url}/api/v1/memories`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${own.apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ type: 'working', content: `event ${n}` }),
    });
    if (answer.status !== 201) throw new Error(`a write was answered ${answer.status}`);
  }
}

/** The worker holds a delivery and has its connection, but nothing that it sends arrives. */
export const killBeforeSend = webhookKill('before it sends', async (stage) => {
  stage.gate.shut();
  await store(stage);
  await eventually(() => stage.gate.connections() > 0, 30_000);
  stage.cluster.worker.kill('SIGKILL');
});

/** The target has the event, the worker does not know yet. */
export const killBeforeMark = webhookKill('after it sent, before it marks', async (stage) => {
  let reached = () => {};
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  stage.receiver.onRequest(() => {
    reached();
    // Answered when the one who asked is gone.
    return setTimeout(2_000, undefined, { ref: false });
  });
  await store(stage);
  await arrived;
  stage.cluster.worker.kill('SIGKILL');
});

/** At least one delivery stands in the database as done. */
export const killAfterMark = webhookKill('after it marked', async (stage) => {
  await store(stage);
  const { cluster, own } = stage;
  await eventually(async () => {
    const done = await cluster.sql(
      `SELECT FROM event_deliveries WHERE tenant_id = '${own.id}' AND status = 'delivered'`,
    );
    return done.length > 0;
  }, 30_000);
  cluster.worker.kill('SIGKILL');
});

interface Gate {
  readonly url: string;
  connections(): number;
  /** From now on connections are taken, and nothing passes. */
  shut(): void;
  /** Drops what was held, and lets pass what comes. */
  open(): void;
  close(): Promise<void>;
}

/** A way to a receiver that can be shut. */
async function openGate(receiver: Receiver): Promise<Gate> {
  const target = new URL(receiver.url);
  const held = new Set<Socket>();
  let isShut = false;
  const server = createServer((inbound) => {
    held.add(inbound);
    inbound.on('error', () => {}).once('close', () => held.delete(inbound));
    if (isShut) return;
    const outbound = inbound.pipe(
      connect(Number(target.port), '127.0.0.1').on('error', () => inbound.destroy()),
    );
    outbound.pipe(inbound);
  });
  const { url, close } = await listen(server);
  return {
    url: `${url}/`,
    close,
    connections: () => held.size,
    shut: () => {
      isShut = true;
    },
    open: () => {
      isShut = false;
      for (const socket of held) socket.destroy();
    },
  };
}
