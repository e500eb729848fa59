import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../access/bearer.ts';

/** Path that the links open. */
export const LOCAL_SIGN_IN_PATH = '/auth/local';

const LIFETIME_MS = 15 * 60_000;

export interface LinkOptions {
  /** Whether it is good on any machine, in place of that of the service only. Default false. */
  readonly anywhere?: boolean | undefined;
}

/** The one-time links that sign the owner of an embedded service in. They live in this process, and end with it. */
export interface LocalSignIn {
  /** Makes a link, good for 15 minutes; answers its path. */
  newLink(options?: LinkOptions): string;
  /** Where the link of the token is good; undefined for a wrong or used one. Uses nothing up. */
  goodAt(token: string): 'this machine' | 'anywhere' | undefined;
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
  let links: { readonly token: string; readonly expiresAt: number; readonly anywhere: boolean }[] = [];
  const find = (offered: string) => links.find(({ token }) => isSameSecret(offered, token));
  return {
    newLink: ({ anywhere = false } = {}) => {
      const token = randomBytes(32).toString('base64url');
      links = [
        ...links.filter(({ expiresAt }) => now() < expiresAt),
        { token, expiresAt: now() + LIFETIME_MS, anywhere },
      ];
      return `${LOCAL_SIGN_IN_PATH}?token=${token}`;
    },
    goodAt: (offered) => {
      const link = find(offered);
      return link && (link.anywhere ? 'anywhere' : 'this machine');
    },
    redeem: async (offered) => {
      const link = find(offered);
      links = links.filter((other) => other !== link);
      return link && now() < link.expiresAt ? owner() : undefined;
    },
  };
}
