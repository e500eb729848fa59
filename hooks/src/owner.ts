import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Fields, parseFields, textField } from './files/fields.ts';
import { readOwnFile } from './files/plain-file.ts';

/** Name of the fact whose the key is by which the service answered last. */
export const OWNER = 'owner';

/** Whose something is that a hook keeps on this machine. */
export interface Owner {
  /** A digest of the key; undefined where there was none. */
  readonly key: string | undefined;
  /** The agent, and its user where the key is bound to one, as the service named them last; a new key of theirs changes nothing. */
  readonly of: string | undefined;
}

/** Tells keys apart without keeping them. */
export function keyDigest(apiKey: string): string {
  return createHash('sha256').update(apiKey).digest('hex').slice(0, 32);
}

/** The agent and user that a text of fields names, in one text; undefined where it names none. */
export function namedIn(fields: Fields): string | undefined {
  const tenant = textField(fields, 'tenant_id');
  return tenant === undefined ? undefined : JSON.stringify([tenant, textField(fields, 'user_id') ?? null]);
}

/** The agent and user that the service has named for a key; undefined where it has not answered by it yet. */
export function namedFor(home: string, key: string | undefined): string | undefined {
  const last = lastOwner(home);
  return last.key === key ? last.of : undefined;
}

/** Whether what was kept may be sent by a key: by that under which it was kept, or another of the same agent and user. */
export function isOwn(home: string, kept: Owner, key: string | undefined): boolean {
  if (kept.key !== undefined && kept.key === key) return true;
  return kept.of !== undefined && kept.of === namedFor(home, key);
}

/** The key by which the service answered last, and whom it named. */
export function lastOwner(home: string): Owner {
  const fields = parseFields(readOwnFile(join(home, 'hooks', OWNER))) ?? {};
  return { key: textField(fields, 'key'), of: textField(fields, 'of') };
}
