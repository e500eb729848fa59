import { OAUTH_PROVIDERS, type OAuthProvider } from '@svc-memory/core/contract';
import { isLoopback } from '../access/host.ts';
import { type Config, ConfigError } from '../config/config.ts';
import { createPrintingMailer, createSmtpMailer, type Mailer } from './mail.ts';
import type { AccountSettings, OAuthClient } from './settings.ts';

/**
 * What the operator's variables say about accounts.
 *
 * @throws ConfigError for variables that do not go together.
 */
export function accountSettings(config: Config): Pick<AccountSettings, 'allowSignup' | 'oauth'> {
  const mistakes: string[] = [];
  const oauth: { [Provider in OAuthProvider]?: OAuthClient } = {};
  const clients = {
    google: [config.oauthGoogleId, config.oauthGoogleSecret],
    github: [config.oauthGithubId, config.oauthGithubSecret],
    oidc: [config.oauthOidcId, config.oauthOidcSecret, config.oauthOidcIssuer],
  } as const;
  for (const provider of OAUTH_PROVIDERS) {
    const parts = clients[provider];
    const [clientId, clientSecret, issuer] = parts;
    const name = `SVC_OAUTH_${provider.toUpperCase()}`;
    if (parts.every((part) => part === undefined)) continue;
    if (clientId === undefined || clientSecret === undefined || parts.includes(undefined)) {
      mistakes.push(
        `${name}_ID, ${name}_SECRET${provider === 'oidc' ? ` and ${name}_ISSUER` : ''} go together`,
      );
    } else oauth[provider] = { clientId, clientSecret, issuer };
  }
  if (config.publicUrl === undefined) {
    const needs =
      Object.keys(oauth).length > 0
        ? 'SVC_OAUTH_…'
        : config.smtpUrl === undefined
          ? undefined
          : 'SVC_SMTP_URL';
    if (needs) mistakes.push(`${needs} needs SVC_PUBLIC_URL, the address that humans come back to`);
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  // An embedded service is its owner's own; one on a database server is there for others.
  return { allowSignup: config.allowSignup ?? config.databaseUrl !== undefined, oauth };
}

/** The mail server of the operator; without one, a service that only this machine reaches shows mail on its console. */
export function mailerOf(config: Config, print: (text: string) => void): Mailer | undefined {
  const { smtpUrl, publicUrl, host } = config;
  if (smtpUrl !== undefined && publicUrl !== undefined) return createSmtpMailer(smtpUrl, publicUrl);
  const local = config.databaseUrl === undefined && publicUrl === undefined && isLoopback(host);
  return local ? createPrintingMailer(print) : undefined;
}
