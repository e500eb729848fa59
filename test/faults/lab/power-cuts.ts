import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { deserialize } from 'node:v8';
import { type Database, openPglite } from '@svc-memory/core';
import { sql } from 'drizzle-orm';
import { halvesIn, halvesQuery } from './check.ts';
import { CutDisk } from './cut-disk.ts';
import type { WriterOrders } from './power-cut-writer.ts';
import type { Random } from './random.ts';
import type { DiskEvent } from './recorded-disk.ts';

const WRITER = fileURLToPath(new URL('power-cut-writer.ts', import.meta.url));
// One cut in so many comes before anything was acknowledged.
const EARLY = 10;

/** What was found after one cut. */
export interface CutResult {
  /** Memories acknowledged before it. */
  readonly acknowledged: number;
  /** How many of them are not there, or are of a version older than the one acknowledged. */
  readonly lost: number;
  /** Half-written memories, or why it does not start. */
  readonly problems: readonly string[];
}

interface CutOptions {
  readonly random: Random;
  readonly cuts: number;
  readonly sync: boolean;
  readonly writes?: number;
  /** Called after each cut. */
  readonly onCut?: (done: number) => void;
}

/**
 * Has a process write memories into a new embedded database, then rebuilds the folder as a power cut at some moment might
 * have left it, again and again, and opens it.
 */
export async function cutPower({ random, cuts, sync, writes = 12, onCut }: CutOptions): Promise<CutResult[]> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-power-cut-'));
  try {
    const events = await recordWriter({
      folder: join(folder, 'written'),
      record: join(folder, 'record'),
      sync,
      writers: 6,
      writes,
    });
    const results: CutResult[] = [];
    const disk = new CutDisk();
    let next = 0;
    for (const moment of momentsIn(events, cuts, random)) {
      for (; next < moment; next += 1) disk.apply(events[next] as DiskEvent, next);
      const copy = join(folder, 'cut');
      disk.writeTo(copy, random);
      results.push(await openAfterCut(copy, events.slice(0, moment)));
      onCut?.(results.length);
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function recordWriter(orders: WriterOrders): Promise<DiskEvent[]> {
  const args = ['--conditions=source', '--import', 'tsx', WRITER, JSON.stringify(orders)];
  await promisify(execFile)(process.execPath, args);
  return deserialize(await readFile(orders.record));
}

/**
 * How many events are done at each cut, in order: one in ten before anything is acknowledged, of the others each second at a
 * question or an answer, and the rest anywhere but where a new file of the log is filled with zeros.
 */
function momentsIn(events: readonly DiskEvent[], cuts: number, random: Random): number[] {
  const all = [...events.keys()].filter((index) => {
    const event = events[index];
    return event?.kind !== 'write' || typeof event.bytes !== 'number';
  });
  const first = all.find((index) => events[index]?.kind === 'acknowledged') ?? 0;
  const late = all.filter((index) => index >= first);
  const turns = late.filter((index) => ['sent', 'acknowledged'].includes(events[index]?.kind ?? ''));
  const early = all.filter((index) => index < first);
  return Array.from({ length: cuts }, (_, cut) => {
    const among = cut % EARLY === EARLY - 1 ? early : cut % 2 === 0 ? turns : late;
    return 1 + (among[random.between(0, among.length - 1)] ?? 0);
  }).sort((a, b) => a - b);
}

async function openAfterCut(folder: string, events: readonly DiskEvent[]): Promise<CutResult> {
  const acknowledged = new Map<string, string>();
  // By key, the contents that may be there: the one acknowledged last, and those that were under way.
  const possible = new Map<string, Set<string>>();
  for (const event of events) {
    if (event.kind === 'sent')
      possible.set(event.key, (possible.get(event.key) ?? new Set()).add(event.content));
    if (event.kind !== 'acknowledged') continue;
    acknowledged.set(event.key, event.content);
    possible.set(event.key, new Set([event.content]));
  }
  let database: Database | undefined;
  try {
    // Nothing more is cut here.
    database = await openPglite(folder, { sync: false });
    const { stored, problems } = await readStored(database);
    const lost = [...acknowledged.keys()].filter((key) => !possible.get(key)?.has(stored.get(key) ?? ''));
    const foreign = [...stored].filter(([key, content]) => !possible.get(key)?.has(content));
    return {
      acknowledged: acknowledged.size,
      lost: lost.length,
      problems: foreign.length > lost.length ? [...problems, 'memories that nobody sent'] : problems,
    };
  } catch (error) {
    const problems = [`it does not start: ${String(error).slice(0, 200)}`];
    return { acknowledged: acknowledged.size, lost: acknowledged.size, problems };
  } finally {
    await database?.close();
  }
}

async function readStored(database: Database): Promise<{ stored: Map<string, string>; problems: string[] }> {
  return database.system(async (tx) => {
    const rowsOf = async (query: string) =>
      ((await tx.execute(sql.raw(query))) as unknown as { rows: Record<string, string>[] }).rows;
    const [tenant] = await rowsOf('SELECT tenant_id FROM memories LIMIT 1');
    const memories = await rowsOf('SELECT key, content FROM memories WHERE key IS NOT NULL');
    const [counts = {}] = tenant ? await rowsOf(halvesQuery(tenant.tenant_id ?? '')) : [];
    return {
      stored: new Map(memories.map(({ key = '', content = '' }) => [key, content])),
      problems: halvesIn(counts),
    };
  });
}
