import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { asFields, type Fields, parseFields, textField } from './files/fields.ts';
import { readOwnFile } from './files/plain-file.ts';
import type { HookState } from './files/state.ts';

/** Name of the fact which agent and user the service has named for a key. */
const OWNERS = 'owners';
/** So many keys are known; an older one is asked about again. */
const MOST = 20;

/** Whose something is that a hook keeps on this machine. */
export interface Owner {
  /** A digest of the key; undefined where there was none. */
  readonly key: string | undefined;
  /** The agent, and its user where the key is bound to one, in one text; undefined where the service has named none. */
  readonly of: string | undefined;
}

/** Tells keys apart without keeping them. */
export function keyDigest(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 32);
}

/** Remembers whom the service names in its status for a key. */
export function noteNamed(state: HookState, home: string, key: string, status: Fields): void {
  const agent = textField(asFields(status.tenant), 'id');
  if (agent === undefined) return;
  const named = [key, JSON.stringify([agent, textField(status, 'user_id') ?? null])];
  const owners = [...ownersIn(home).filter((one) => one[0] !== key), named].slice(-MOST);
  state.write(OWNERS, JSON.stringify({ owners }));
}

/** The agent and user that the service has named for a key; undefined where it has not been asked yet. */
export function namedFor(home: string, key: string | undefined): string | undefined {
  return ownersIn(home).find((one) => one[0] === key)?.[1];
}

/** Whom the service has named last, by whatever key. */
export function namedLast(home: string): string | undefined {
  return ownersIn(home).at(-1)?.[1];
}

/** Whether the service has named a user of an agent for a key, rather than the agent itself. */
export function isOfUser(home: string, key: string | undefined): boolean {
  const named = namedFor(home, key);
  return named !== undefined && typeof JSON.parse(named)[1] === 'string';
}

/**
 * Whether what was kept may be sent by a key: by that under which it was kept, or another of the same agent and user. What was kept
 * before the folder had a key, or by an earlier release, is of whom the folder is.
 */
export function maySend(home: string, kept: Owner, key: string | undefined): boolean {
  if (kept.key === key || (kept.key === undefined && kept.of === undefined)) return true;
  const of = namedFor(home, kept.key) ?? kept.of;
  return of !== undefined && of === namedFor(home, key);
}

function ownersIn(home: string): readonly (readonly string[])[] {
  const { owners } = parseFields(readOwnFile(join(home, 'hooks', OWNERS))) ?? {};
  return Array.isArray(owners) ? owners.filter(isOwner) : [];
}

/** Another program may have written into the folder. */
function isOwner(value: unknown): value is readonly string[] {
  if (!Array.isArray(value) || typeof value[1] !== 'string') return false;
  return parseFields(value[1]) !== undefined;
}
