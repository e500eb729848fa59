import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';

// A clock tick of Linux, which Node has no name for; it is 10 ms on every common system.
const TICK_MS = 10;

/** Share of one core, in percent, that a process takes while nobody asks it anything. Linux only. */
export async function idleShare(pid: number, forMs: number): Promise<number> {
  const [before, began] = [await ticksOf(pid), performance.now()];
  await setTimeout(forMs);
  return (((await ticksOf(pid)) - before) * TICK_MS * 100) / (performance.now() - began);
}

/** Milliseconds of processor time that a process has taken. Linux only. */
export async function processorTime(pid: number): Promise<number> {
  return (await ticksOf(pid)) * TICK_MS;
}

async function ticksOf(pid: number): Promise<number> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may itself hold spaces and brackets.
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
