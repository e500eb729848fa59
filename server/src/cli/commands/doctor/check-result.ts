import type { Credentials } from '@svc-memory/hooks';
import type { Config, Environment } from '../../../config/config.ts';
import type { Health } from '../../access/running-service.ts';

/** What one check came to. A `warning` does not keep the service from working. */
export interface CheckResult {
  readonly state: 'ok' | 'warning' | 'failure';
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** What the checks go by. */
export interface Surroundings {
  readonly env: Environment;
  readonly config: Config;
  readonly credentials: Credentials | undefined;
  /** The service that answers now, if one does. */
  readonly running: { readonly url: string; readonly health: Health } | undefined;
}
