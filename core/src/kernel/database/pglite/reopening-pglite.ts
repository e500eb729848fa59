import { setTimeout } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from '../../runtime/runtime.ts';
import { FolderPglite } from './folder-pglite.ts';

const RETRY_MS = 1_000;

interface Reopening {
  /** Opens the folder. `onPanic` must be told when what was opened has stopped. */
  readonly open: (onPanic: (error: Error) => void) => Promise<FolderPglite>;
  /** Throws while opening it again would be in vain: an attempt keeps the process from answering. */
  readonly beforeAgain: () => Promise<void>;
  readonly logger: Logger;
}

/**
 * A PGlite that is opened again after Postgres has panicked, as a server of Postgres starts again by itself: the log is
 * replayed, and all that was acknowledged is there. Meanwhile it answers nothing. It tries until it succeeds, as after a full
 * disk has room.
 */
export async function openReopening({ open, beforeAgain, logger }: Reopening): Promise<PGlite> {
  const closing = new AbortController();
  let reopening: Promise<void> = Promise.resolve();
  const pause = () => setTimeout(RETRY_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {});
  const reopen = async () => {
    // The call that Postgres panicked in is still under way.
    await pause();
    await current.close().catch(() => {});
    while (!closing.signal.aborted) {
      try {
        await beforeAgain();
        current = await open(onPanic);
        logger.warn({}, 'the database was opened again, with all that was acknowledged');
        return;
      } catch {
        // Whoever calls is told that the database has stopped.
        await pause();
      }
    }
  };
  const onPanic = (error: Error) => {
    logger.error(
      { err: error },
      'the database has stopped, as on a full disk; it is opened again as soon as that works',
    );
    reopening = reopen();
  };
  let current = await open(onPanic);
  const close = async () => {
    closing.abort();
    await reopening;
    await current.close();
  };
  return new Proxy(Object.create(FolderPglite.prototype) as PGlite, {
    get: (_, name) => {
      if (name === 'close') return close;
      const value: unknown = Reflect.get(current, name, current);
      return typeof value === 'function' ? value.bind(current) : value;
    },
  });
}
