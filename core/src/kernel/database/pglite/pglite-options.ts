import type { Logger } from '../../runtime/runtime.ts';
import type { Database } from '../database.ts';

/** How the embedded database is opened. */
export interface PgliteOptions {
  /**
   * Whether a write is answered only when it is on the disk; default true. Without it writes are faster, and a power cut may
   * lose what was written before it or damage the folder.
   */
  readonly sync?: boolean | undefined;
  /** Told when Postgres has stopped and been opened again, and when the regular maintenance fails; default: nobody. */
  readonly logger?: Logger | undefined;
  /** Called before an existing database is migrated; `backUp` writes a backup of it. When it throws, nothing is migrated. */
  readonly beforeMigration?: ((backUp: BackUp) => Promise<void>) | undefined;
}

type BackUp = NonNullable<Database['backUp']>;
