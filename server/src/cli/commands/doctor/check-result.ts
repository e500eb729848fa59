import type { Credentials } from '@svc-memory/hooks';
import type { Config, Environment } from '../../../config/config.ts';
import type { Health } from '../../access/running-service.ts';

/** What one check came to. A `warning` does not keep the service from working. */
export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'failure';
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string | undefined;
}

export function ok(message: string): CheckResult {
  return { state: 'ok', message };
}

export function warning(message: string, fix?: string): CheckResult {
  return { state: 'warning', message, fix };
}

export function failure(message: string, fix?: string): CheckResult {
  return { state: 'failure', message, fix };
}

interface AnsweringService {
  readonly url: string;
  /** The address that is set, which may be wrong. */
  readonly asked: string;
  readonly health: Health;
}

/** What the checks go by. */
export interface Surroundings {
  readonly env: Environment;
  readonly config: Config;
  readonly credentials: Credentials | undefined;
  /** The service that answers now, if one does. */
  readonly running?: AnsweringService | undefined;
  /** A service that has the address of this one, and its data in another folder. */
  readonly elsewhere?: AnsweringService | undefined;
}

/** What went wrong, with what lies behind it: of a request that failed the message says nothing. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause, message } = error;
  if (!(cause instanceof Error)) return message;
  return `${message} (${'code' in cause ? cause.code : cause.message})`;
}
