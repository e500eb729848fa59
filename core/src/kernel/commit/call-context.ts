import type { Call } from '../context/call.ts';
import type { Context, Services } from '../context/context.ts';
import type { Rows } from '../database/database.ts';
import { tenantsOf } from './commit-statement.ts';
import type { Counter } from './counter.ts';
import { type CommitBatched, type EmittedEvent, type Query, UnitOfWork } from './unit-of-work.ts';

const units = new WeakMap<Context, UnitOfWork>();

export function createContext(
  services: Services,
  call: Call & Pick<Context, 'route' | 'options'>,
  request: unknown,
): Context {
  // It inherits the services: there are dozens, and each call has a context.
  const context: Context = Object.assign(Object.create(services) as Services, call, {
    read: (work) => services.database.read(tenantsOf(call), work),
    write: (work, options) => unit.write(work, options),
    emit: async (_tx, type, data) => unit.emit({ type, data }),
    audit: async (_tx, act, touched) => unit.audit(act, touched),
  } satisfies Pick<Context, 'read' | 'write' | 'emit' | 'audit'>);
  const unit = new UnitOfWork(context, request);
  units.set(context, unit);
  return context;
}

function unitOf(context: Context): UnitOfWork {
  const unit = units.get(context);
  if (!unit) throw new TypeError('this is no context that createContext made');
  return unit;
}

/** Runs one reading statement that counts as the call's use; see `UnitOfWork.meteredQuery`. */
export function meteredQuery(context: Context, query: Query, event: EmittedEvent): Promise<Rows> {
  return unitOf(context).meteredQuery(query, event);
}

/** Commits one addition together with those of other calls; see `UnitOfWork.writeBatched`. */
export function writeBatched(
  context: Context,
  addition: Parameters<UnitOfWork['writeBatched']>[0],
  commitBatched: CommitBatched,
): Promise<boolean> {
  return unitOf(context).writeBatched(addition, commitBatched);
}

/** Counts operations beside those of the route; see `UnitOfWork.addUsage`. */
export function addUsage(context: Context, count: number): void {
  unitOf(context).addUsage(count);
}

/** Changes a counter with the current transaction, or not at all. */
export function addToCounter<Column extends string>(
  context: Context,
  counter: Counter<Column>,
  by: Readonly<Record<Column, number>>,
): void {
  unitOf(context).addToCounter({ counter, by });
}

/**
 * Waits until the call's uses are recorded; throws the error by which one was refused.
 *
 * @returns whether its API key is verified.
 */
export async function finish(context: Context): Promise<boolean> {
  const unit = unitOf(context);
  await unit.finish();
  return unit.isVerified;
}
