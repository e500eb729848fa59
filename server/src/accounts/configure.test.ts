import { expect, it } from 'vitest';
import { ConfigError, loadConfig } from '../config/config.ts';
import { accountSettings, mailerOf } from './configure.ts';

const PUBLIC = { SVC_PUBLIC_URL: 'https://memory.example.com' };
const settings = (env: Record<string, string>) => accountSettings(loadConfig(env));
const mailer = (env: Record<string, string>) => mailerOf(loadConfig(env), () => {});

it('sign-up is closed on an embedded service and open on a database server, unless said otherwise', () => {
  const postgres = { SVC_DATABASE_URL: 'postgres://db/memories' };
  expect(settings({}).allowSignup).toBe(false);
  expect(settings({ SVC_ALLOW_SIGNUP: 'true' }).allowSignup).toBe(true);
  expect(settings(postgres).allowSignup).toBe(true);
  expect(settings({ ...postgres, SVC_ALLOW_SIGNUP: 'false' }).allowSignup).toBe(false);
});

it('an OAuth provider is set up by its variables together', () => {
  const env = { ...PUBLIC, SVC_OAUTH_GITHUB_ID: 'id', SVC_OAUTH_GITHUB_SECRET: 'secret' };
  expect(settings(env).oauth).toEqual({ github: { clientId: 'id', clientSecret: 'secret' } });
});

it.each([
  [{ ...PUBLIC, SVC_OAUTH_GITHUB_ID: 'id' }, 'SVC_OAUTH_GITHUB_ID, SVC_OAUTH_GITHUB_SECRET go together'],
  [
    { ...PUBLIC, SVC_OAUTH_OIDC_ID: 'id', SVC_OAUTH_OIDC_SECRET: 'x' },
    'SVC_OAUTH_OIDC_ID, SVC_OAUTH_OIDC_SECRET and SVC_OAUTH_OIDC_ISSUER go together',
  ],
  [{ SVC_OAUTH_GITHUB_ID: 'id', SVC_OAUTH_GITHUB_SECRET: 'x' }, 'needs SVC_PUBLIC_URL'],
  [{ SVC_SMTP_URL: 'smtp://localhost' }, 'SVC_SMTP_URL needs SVC_PUBLIC_URL'],
])('%j is refused, with the fix', (env, message) => {
  expect(() => settings(env)).toThrow(ConfigError);
  expect(() => settings(env)).toThrow(message);
});

it('mail goes to the mail server, else to the console of a service that only this machine reaches, else nowhere', () => {
  expect(mailer({ ...PUBLIC, SVC_SMTP_URL: 'smtp://localhost' })?.delivers).toBe(true);
  expect(mailer({})?.delivers).toBe(false);
  expect(mailer({ SVC_HOST: '0.0.0.0' })).toBeUndefined();
  expect(mailer(PUBLIC)).toBeUndefined();
  expect(mailer({ SVC_DATABASE_URL: 'postgres://db/memories' })).toBeUndefined();
});
