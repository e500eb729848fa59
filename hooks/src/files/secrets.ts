import { redactText } from '@svc-memory/core/secrets';

/**
 * Takes secrets out of a text before it is kept on this machine or sent: the service's own keys always, well-known formats
 * unless `SVC_REDACT_SECRETS` is `false`.
 */
export function withoutSecrets(text: string): string {
  return redactText(text, process.env.SVC_REDACT_SECRETS !== 'false').text;
}
