import type { Logger } from 'pino';
import type { Mail, Mailer } from './mail.ts';

/** What the service writes to its humans. Sending goes on in the background: its time would tell who has an account. */
export interface Letters {
  /** True where a human must confirm the e-mail address before the first sign-in. */
  readonly confirms: boolean;
  confirmAddress(email: string, token: string): void;
  resetPassword(email: string, token: string): void;
  /** To somebody who signs up with an address that has an account. */
  knownAddress(email: string): void;
  /** To the human of an agent that asks for help. What it said is not in it: mail goes through many hands. */
  distress(email: string): void;
}

/**
 * Writes letters with links to this service.
 *
 * @param address Where humans reach the service, without a slash at the end.
 */
export function createLetters(mailer: Mailer, address: () => string, logger: Logger): Letters {
  const post = (mail: Mail) => {
    mailer.send(mail).catch((error: unknown) => logger.error({ err: error }, 'an e-mail could not be sent'));
  };
  return {
    confirms: mailer.delivers,
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
