const KEYS = /\b(sv[cs]_)[0-9A-Za-z]{20,}/g;

/** Takes API keys and session keys of the service out of a text. */
export function withoutKeys(text: string): string {
  return text.replace(KEYS, '$1[redacted]');
}
