import { setTimeout } from 'node:timers/promises';
import type { Engine, Plugin } from '@svc-memory/core';
import type { Logger } from 'pino';
import type { Mail, Mailer } from './mail.ts';

/** The emails of the service. They are sent in the background: the time of an answer must not reveal who has an account. */
export interface Emails {
  /** True where a human must confirm the e-mail address before the first sign-in. */
  readonly requiresConfirmation: boolean;
  confirmAddress(email: string, token: string): void;
  resetPassword(email: string, token: string): void;
  /** To somebody who signs up with an address that has an account. */
  knownAddress(email: string): void;
  /** To the human of an agent that asks for help. It does not quote the agent: mail is not confidential. */
  distress(email: string): void;
}

/**
 * Writes emails with links to this service.
 *
 * @param address Where humans reach the service, without a slash at the end.
 */
export function createEmails(mailer: Mailer, address: () => string, logger: Logger): Emails {
  const post = (mail: Mail) => void sendPatiently(mailer, mail, logger);
  return {
    requiresConfirmation: mailer.delivers,
    confirmAddress: (to, token) =>
      post({
        to,
        subject: 'Confirm your e-mail address',
        text: [
          'Somebody signed up for the Agent Memory Service with this address. If that was you, open this link within',
          'an hour to confirm it:',
          '',
          `${address()}/api/v1/auth/verify?token=${token}`,
          '',
          'If it was not you, do nothing.',
        ].join('\n'),
      }),
    resetPassword: (to, token) =>
      post({
        to,
        subject: 'Choose a new password',
        text: [
          'Somebody asked to choose a new password for your account at the Agent Memory Service. If that was you, open',
          'this link within an hour. It works once:',
          '',
          `${address()}/reset-password#token=${token}`,
          '',
          'If it was not you, do nothing: your password stays as it is.',
        ].join('\n'),
      }),
    knownAddress: (to) =>
      post({
        to,
        subject: 'You have an account already',
        text: [
          'Somebody signed up for the Agent Memory Service with this address, which has an account. If that was you,',
          'sign in, or ask there for a new password, which also confirms the address:',
          '',
          `${address()}/`,
          '',
          'If it was not you, do nothing: nobody was let in.',
        ].join('\n'),
      }),
    distress: (to) =>
      post({
        to,
        subject: 'Your agent asks for help',
        text: [
          'An agent of yours sent a distress signal through the Agent Memory Service. Sign in to read it and to',
          'acknowledge it:',
          '',
          `${address()}/`,
        ].join('\n'),
      }),
  };
}

/** Writes to an agent's humans when it raises a distress signal, but not when it repeats an open one. */
export function distressMail(engine: Engine, emails: Emails, logger: Logger): Plugin {
  const write = async (tenantId: string) => {
    for (const address of await engine.accounts.addressesOf(tenantId)) emails.distress(address);
  };
  return {
    name: 'distress mail',
    hooks: {
      event: ({ type, tenantId, data }) => {
        if (type !== 'distress.raised' || data.repeated !== false) return;
        // In the background: the agent's call must not wait for a mail server.
        write(tenantId).catch((error: unknown) =>
          logger.error({ err: error, tenantId }, 'nobody could be written to about a distress signal'),
        );
      },
    },
  };
}

/** Milliseconds before another attempt: servers are restarted, and some put off mail of senders whom they do not know. */
const WAITS_MS = [1_000, 60_000, 600_000];

/** Sends a mail, again where that failed and may do later. What waits is lost with the process; whoever wanted it can ask again. */
async function sendPatiently(mailer: Mailer, mail: Mail, logger: Logger): Promise<void> {
  for (const wait of [...WAITS_MS, undefined]) {
    try {
      return await mailer.send(mail);
    } catch (err) {
      if (wait === undefined || isRefused(err)) {
        logger.error({ err }, 'an e-mail could not be sent');
        return;
      }
      logger.warn({ err }, 'an e-mail could not be sent; it is tried again');
      await setTimeout(wait, undefined, { ref: false });
    }
  }
}

/** Whether the server refuses for good: RFC 5321, 4.2.1. */
function isRefused(error: unknown): boolean {
  return error instanceof Error && 'responseCode' in error && Number(error.responseCode) >= 500;
}
