import { z } from 'zod';
import { firstCharacters } from '../../text/truncate.ts';
import { withoutUnseen } from '../../text/unseen.ts';
import { redirectUriProblem } from './redirect-uri.ts';

const NAME_CHARACTERS = 80;

declare module '../../kernel/context/context.ts' {
  interface Services {
    readonly clientMetadata?: FetchClientMetadata;
  }
}

/**
 * Reads the metadata document of an app from its https address, never from a private network.
 *
 * @returns the document, parsed from JSON.
 * @throws an Error that says why it could not be read.
 */
export type FetchClientMetadata = (url: URL, signal: AbortSignal) => Promise<unknown>;

/** What an app says of itself (RFC 7591). What we have no use for is left out. */
export const clientMetadata = z.object({
  client_name: z.string().max(1_024).optional(),
  redirect_uris: z
    .array(
      z
        .string()
        .max(2_048)
        .superRefine((uri, context) => {
          const message = redirectUriProblem(uri);
          if (message !== undefined) context.addIssue({ code: 'custom', message });
        }),
    )
    .min(1)
    .max(20),
  grant_types: z
    .array(z.string().max(100))
    .max(20)
    .refine((types) => types.includes('authorization_code'), 'must include authorization_code')
    .optional(),
  response_types: z
    .array(z.string().max(100))
    .max(20)
    .refine((types) => types.includes('code'), 'must include code')
    .optional(),
});
export type ClientMetadata = z.output<typeof clientMetadata>;

/** The name of an app as it can be shown: on one line, without characters that are not seen. */
export function nameOf({ client_name = '' }: ClientMetadata): string {
  const seen = withoutUnseen(client_name.toWellFormed()).normalize('NFC').replace(/\s+/gu, ' ').trim();
  return firstCharacters(seen, NAME_CHARACTERS) || 'An app without a name';
}

/**
 * The address of a client id that is one (a client id metadata document); undefined for other client ids.
 * It must be https and have a path, and be written as parsers write it, so that two texts never name one app.
 */
export function documentUrl(clientId: string): URL | undefined {
  if (!clientId.startsWith('https://') || !URL.canParse(clientId)) return undefined;
  const url = new URL(clientId);
  const isPlain = url.href === clientId && url.username === '' && url.password === '' && url.hash === '';
  return isPlain && url.pathname !== '/' ? url : undefined;
}
