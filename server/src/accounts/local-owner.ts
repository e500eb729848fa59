import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../access/bearer.ts';

/** Path that the links open. */
export const LOCAL_SIGN_IN_PATH = '/auth/local';

const LIFETIME_MS = 15 * 60_000;

/** The one-time links that sign the owner of an embedded service in. They live in this process, and end with it. */
export interface LocalSignIn {
  /** Makes a link, good for 15 minutes; answers its path. */
  newLink(): string;
  /** Uses a link's token up; the id of the owner, or undefined for a wrong, used or expired one. */
  redeem(token: string): Promise<string | undefined>;
}

/**
 * Makes the one-time links of the owner.
 *
 * @param owner Finds the owner, and sees to it that they have every agent that is nobody else's.
 * @param now Milliseconds since some fixed moment.
 */
export function createLocalSignIn(owner: () => Promise<string>, now: () => number = Date.now): LocalSignIn {
  let links: { readonly token: string; readonly expiresAt: number }[] = [];
  return {
    newLink: () => {
      const token = randomBytes(32).toString('base64url');
      links = [
        ...links.filter(({ expiresAt }) => now() < expiresAt),
        { token, expiresAt: now() + LIFETIME_MS },
      ];
      return `${LOCAL_SIGN_IN_PATH}?token=${token}`;
    },
    redeem: async (offered) => {
      const link = links.find(({ token }) => isSameSecret(offered, token));
      links = links.filter((other) => other !== link);
      return link && now() < link.expiresAt ? owner() : undefined;
    },
  };
}
