import { z } from 'zod';
import { createSmtpMailer } from '../../../accounts/mail.ts';
import { discoveryUrl } from '../../../accounts/oauth-providers.ts';
import { maskUrl } from '../../../config/config.ts';
import { type CheckResult, failure, failureText, ok, type Surroundings } from './check-result.ts';

const PATIENCE_MS = 10_000;

/** Does the mail server let the service in; nothing where none is named. No mail is sent. */
export async function checkMail({ config: { smtpUrl, publicUrl } }: Surroundings): Promise<CheckResult[]> {
  if (smtpUrl === undefined) return [];
  const name = `Mail: ${maskUrl(smtpUrl)}`;
  try {
    await createSmtpMailer(smtpUrl, publicUrl ?? 'http://localhost').verify();
    return [ok(`${name} takes mail of this service`)];
  } catch (error) {
    const fix =
      'Correct SVC_SMTP_URL: smtps:// for TLS from the start (port 465), smtp:// for others (587). Until then nobody can confirm an address.';
    return [failure(`${name}: ${failureText(error)}`, fix)];
  }
}

const discovery = z.object({ issuer: z.string(), authorization_endpoint: z.url(), token_endpoint: z.url() });

/** Does the OpenID Connect issuer say where to sign in; nothing where none is named. */
export async function checkIssuer({
  config: { oauthOidcIssuer: issuer },
}: Surroundings): Promise<CheckResult[]> {
  if (issuer === undefined) return [];
  const name = `Sign-in: ${issuer}`;
  const fix = 'Correct SVC_OAUTH_OIDC_ISSUER. Until then nobody can sign in by it.';
  try {
    const response = await fetch(discoveryUrl(issuer), { signal: AbortSignal.timeout(PATIENCE_MS) });
    const found = response.ok ? discovery.safeParse(await response.json()) : undefined;
    if (!found?.success) {
      const answered = response.ok ? 'no discovery document' : String(response.status);
      return [failure(`${name} answered ${answered} at ${discoveryUrl(issuer)}`, fix)];
    }
    const told = found.data.issuer;
    if (told === issuer) return [ok(`${name} says where to sign in`)];
    return [failure(`${name} calls itself ${told}`, 'Set SVC_OAUTH_OIDC_ISSUER to that, if it is yours.')];
  } catch (error) {
    return [failure(`${name}: ${failureText(error)}`, fix)];
  }
}
