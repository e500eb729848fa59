import type { Request, Response } from 'express';
import { type BucketLimiter, refuseTooMany } from '../limits/bucket.ts';
import { clientOf } from '../limits/client.ts';

/** Limits of what anyone may try without a credential. */
export interface SignInLimits {
  /**
   * Counts an attempt against the client's address, and against the account it is for, whether there is one or not:
   * guesses from many addresses at one account are limited too.
   */
  attempt(request: Request, response: Response, email?: string): Promise<void>;
  /** Counts a mail against its recipient, so that nobody can flood an inbox. */
  mail(response: Response, email: string): Promise<void>;
}

/** The counters behind the limits. */
export interface SignInLimiters {
  readonly byAddress: BucketLimiter;
  readonly byAccount: BucketLimiter;
  readonly byInbox: BucketLimiter;
}

/** Limits by the given counters; each throws `RATE_LIMITED`. */
export function createSignInLimits({ byAddress, byAccount, byInbox }: SignInLimiters): SignInLimits {
  const take = async (limiter: BucketLimiter, who: string, response: Response) => {
    const decision = await limiter.take(who);
    if (!decision.allowed) refuseTooMany(response, decision, 'Too many attempts.');
  };
  return {
    attempt: async (request, response, email) => {
      await take(byAddress, clientOf(request), response);
      if (email !== undefined) await take(byAccount, email.toLowerCase(), response);
    },
    mail: (response, email) => take(byInbox, email.toLowerCase(), response),
  };
}
