import type { Environment } from '../config.ts';
import type { Terminal } from './terminal.ts';

/** What every command gets from outside. */
export interface CommandContext {
  readonly env: Environment;
  readonly terminal: Terminal;
}
