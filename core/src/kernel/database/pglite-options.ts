import type { Database } from './database.ts';

/** How the embedded database is opened. */
export interface PgliteOptions {
  /**
   * Whether a write is answered only when it is on the disk; default true. Without it writes are faster, and a power cut may
   * lose what was written before it or damage the folder.
   */
  readonly sync?: boolean;
  /** Called when the regular maintenance fails. Queries still work, only slower. */
  readonly onMaintenanceFailure?: (error: unknown) => void;
  /** Called before an existing database is migrated; `backUp` writes a backup of it. When it throws, nothing is migrated. */
  readonly beforeMigration?: (backUp: BackUp) => Promise<void>;
}

type BackUp = NonNullable<Database['backUp']>;
