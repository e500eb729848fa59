import type { Engine } from '@svc-memory/core';
import { SvcError } from '@svc-memory/core/contract';
import type { Logger } from 'pino';

/** Of the failed sign-ins of a human, one in this time is written: whoever guesses passwords does not fill the log. */
const ONE_IN_MS = 60_000;
const REMEMBERED = 10_000;

/** Notes failed sign-ins in the audit logs of the agents of whoever they are for. */
export interface FailedSignIns {
  /** Runs a sign-in by password; one that is refused is noted, then thrown as it is. */
  noting<T>(email: string, signIn: () => Promise<T>): Promise<T>;
}

/**
 * Notes failed sign-ins.
 *
 * @param now Milliseconds since some fixed moment.
 */
export function createFailedSignIns(
  { engine, logger }: { readonly engine: Engine; readonly logger: Logger },
  now: () => number = () => performance.now(),
): FailedSignIns {
  const notedAt = new Map<string, number>();
  const isDue = (userId: string): boolean => {
    const before = notedAt.get(userId);
    if (before !== undefined && now() - before < ONE_IN_MS) return false;
    notedAt.delete(userId);
    notedAt.set(userId, now());
    for (const oldest of notedAt.keys()) {
      if (notedAt.size <= REMEMBERED) break;
      notedAt.delete(oldest);
    }
    return true;
  };
  const note = async (email: string) => {
    const userId = await engine.accounts.findByAddress(email);
    if (userId === undefined || !isDue(userId)) return;
    const visitor = { kind: 'visitor', credentialId: null };
    await engine.accounts.audit(userId, 'sign_in.failed', { method: 'password' }, visitor);
  };
  return {
    noting: async (email, signIn) => {
      try {
        return await signIn();
      } catch (error) {
        if (error instanceof SvcError && error.code === 'UNAUTHORIZED') {
          // Not waited for: the time of the answer would tell whether there is such an account.
          note(email).catch((failure: unknown) => {
            logger.error({ err: failure }, 'a failed sign-in could not be noted in the audit log');
          });
        }
        throw error;
      }
    },
  };
}
