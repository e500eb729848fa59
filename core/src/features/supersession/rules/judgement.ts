import { type Run, textOf } from './run.ts';

/** What a newer fact does to an older one. */
export interface Judgement {
  /** `conflicts`: of the same subject, and perhaps both cannot hold. */
  readonly verdict: 'replaces' | 'conflicts' | 'coexists';
  /** A plain phrase for the human, such as "8080 became 9090". */
  readonly reason: string;
}

export function becameReason(old: Run, next: Run): string {
  return `${textOf(old)} became ${textOf(next)}`;
}

export function replaces(reason: string): Judgement {
  return { verdict: 'replaces', reason };
}

export function conflicts(reason: string): Judgement {
  return { verdict: 'conflicts', reason };
}

export function coexists(reason: string): Judgement {
  return { verdict: 'coexists', reason };
}
