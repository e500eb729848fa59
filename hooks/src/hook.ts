import { randomUUID } from 'node:crypto';
import { firstCharacters } from '@svc-memory/core/text';
import type { Fields } from './files/fields.ts';
import { loadSnapshot, removeSnapshot, SNAPSHOT_FILE, saveSnapshot } from './files/snapshot.ts';
import type { Spool } from './files/spool.ts';
import type { HookState } from './files/state.ts';
import type { HookEvent, HookFramework } from './frameworks/framework.ts';
import type { HookOptions } from './options.ts';
import { isOfUser, namedFor, namedLast, type Owner } from './owner.ts';
import { CallError, type Service } from './service.ts';

/** One firing of a hook, with everything it needs. */
export interface Hook {
  readonly options: HookOptions;
  readonly framework: HookFramework;
  readonly event: HookEvent;
  readonly state: HookState;
  readonly spool: Spool;
  /** Answers the service, or throws where there are no credentials for it. */
  service(): Service;
  /** Writes a line to stderr; it does not stop the host. */
  say(text: string): void;
}

/** The milliseconds since this process began. */
export function elapsed(): number {
  return performance.now();
}

/** The fields by which every request says where it comes from. */
export function callOrigin({ framework, event }: Hook): Fields {
  return {
    framework: framework.id,
    session_id: event.sessionId,
    max_characters: framework.maxCharacters,
    max_bytes: framework.maxBytes,
  };
}

/** Saves what the service has answered as `SVC.md`. */
export function keepInjection({ options, framework, event, service, say }: Hook, injection: string): void {
  const origin = { framework: framework.id, event: event.name, sessionId: event.sessionId };
  try {
    const { url, key } = service();
    saveSnapshot(options.home, injection, { ...origin, service: url, key });
  } catch (error) {
    say(`${SNAPSHOT_FILE} cannot be written: ${messageOf(error)}`);
  }
}

/** Whose it is what a hook keeps now. Where the service has not answered by the key yet, it may be of whom it named last. */
export function ownerOf({ service, options }: Hook): Owner {
  const last = namedLast(options.home);
  try {
    const { key } = service();
    return { key, of: namedFor(options.home, key) ?? last };
  } catch {
    // There is no key.
    return { key: undefined, of: last };
  }
}

/**
 * Removes the `SVC.md` of a user whose key the service does not know: their memories may be erased, and nothing of them is delivered
 * any more. That of an agent's own key stays.
 *
 * @returns whether it removed one.
 */
export function forgetRefused({ options, say }: Hook, error: unknown): boolean {
  if (!(error instanceof CallError && error.unknown)) return false;
  if (!isOfUser(options.home, loadSnapshot(options.home)?.key)) return false;
  try {
    removeSnapshot(options.home);
  } catch (failed) {
    say(`${SNAPSHOT_FILE} cannot be removed: ${messageOf(failed)}`);
  }
  say(`${SNAPSHOT_FILE} is removed: it was of a user whose key the service does not know`);
  return true;
}

/** What the service could not see while it was away. */
export interface Report {
  readonly kind: 'boot' | 'compaction' | 'recovery';
  readonly outcome: 'stale' | 'nothing' | 'spooled';
  readonly characters?: number;
  readonly detail: string;
}

/** Keeps a report, to be sent with the next call that reaches the service. */
export function report(hook: Hook, { detail, ...rest }: Report): void {
  const { max_characters: _, max_bytes: __, ...origin } = callOrigin(hook);
  const logged = { id: randomUUID(), at: new Date().toISOString(), ...rest, ...origin };
  const moment = { ...logged, detail: firstCharacters(detail.replace(/\s+/g, ' '), 200) };
  hook.spool.add({ path: '/compactions', body: { moments: [moment] } }, ownerOf(hook));
}

/** An error as a person reads it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
