import type { Request } from 'express';
import { readTextBody } from '../request/body.ts';
import { OAuthError } from './oauth-error.ts';

const FORM_BYTES = 32 * 1024;

/** The fields of a form as OAuth clients send it: each once at most, and an empty one is none. */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'send the parameters as application/x-www-form-urlencoded');
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(await readTextBody(request, FORM_BYTES))) {
    if (fields.has(name)) throw new OAuthError('invalid_request', 'a parameter is given twice');
    fields.set(name, value);
  }
  return new Map([...fields].filter(([, value]) => value !== ''));
}

/** A field that must be there. */
export function requireField(fields: ReadonlyMap<string, string>, name: string): string {
  const value = fields.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`);
  return value;
}
