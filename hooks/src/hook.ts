import { randomUUID } from 'node:crypto';
import type { Fields, Framework, Moment } from './framework.ts';
import type { HookOptions } from './options.ts';
import type { Service } from './service.ts';
import type { Spool } from './spool.ts';
import type { State } from './state.ts';

/** One firing of a hook, with everything it needs. */
export interface Hook {
  readonly options: HookOptions;
  readonly framework: Framework;
  readonly moment: Moment;
  readonly state: State;
  readonly spool: Spool;
  /** Answers the service, or throws where there are no credentials for it. */
  service(): Service;
  /** Tells whoever looks at stderr; the host goes on either way. */
  say(text: string): void;
}

/** The milliseconds since this process began. */
export function elapsed(): number {
  return performance.now();
}

/** What every request says of where it comes from. */
export function originOf({ framework, moment }: Hook): Fields {
  return {
    framework: framework.id,
    ...(moment.sessionId === undefined ? {} : { session_id: moment.sessionId.slice(0, 256) }),
    ...(framework.maxCharacters === undefined ? {} : { max_characters: framework.maxCharacters }),
  };
}

/** What the service cannot know of by itself, since it was away. */
export interface Report {
  readonly kind: 'boot' | 'compaction' | 'recovery';
  readonly outcome: 'stale' | 'nothing' | 'spooled';
  readonly characters?: number;
  readonly detail: string;
}

/** Keeps a report, to be sent with the next call that reaches the service. */
export function report(hook: Hook, { detail, ...rest }: Report): void {
  const { max_characters: _, ...origin } = originOf(hook);
  const moment = { id: randomUUID(), at: new Date().toISOString(), ...rest, ...origin };
  hook.spool.add({
    path: '/compactions',
    body: { moments: [{ ...moment, detail: detail.replace(/\s+/g, ' ').slice(0, 200) }] },
  });
}

/** An error as a person reads it. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
