import { randomBytes } from 'node:crypto';

const LIFETIME_MS = 15 * 60_000;

/** The one-time link that signs the owner of an embedded service in. Lives in this process: a start makes a new one. */
export interface LocalSignIn {
  /** What the link carries. */
  readonly token: string;
  /** Uses the token up; the id of the owner, or undefined for a wrong, used or expired one. */
  redeem(token: string): Promise<string | undefined>;
}

/**
 * Makes a one-time link for the owner, good for 15 minutes.
 *
 * @param owner Finds the owner, and sees to it that they have every agent that is nobody else's.
 * @param now Milliseconds since some fixed moment.
 */
export function createLocalSignIn(owner: () => Promise<string>, now: () => number = Date.now): LocalSignIn {
  const token = randomBytes(32).toString('base64url');
  const expiresAt = now() + LIFETIME_MS;
  let used = false;
  return {
    token,
    redeem: async (offered) => {
      // 256 random bits, tried once: how long a comparison takes gives nothing away that helps to guess them.
      if (used || offered !== token || now() >= expiresAt) return undefined;
      used = true;
      return owner();
    },
  };
}
