import { eq, sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { type ClientMetadata, clientMetadata, documentUrl, nameOf } from './client-metadata.ts';
import { oauthClients } from './schema.ts';

/** An app as it is known. */
export interface ClientRecord {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly readAt: Date;
}

/** Apps that registered and that nobody has let in; the oldest make room. */
const UNUSED_CLIENTS = 5_000;

/** Registers an app (RFC 7591). Every app is a public client: it has no secret, and proves itself by PKCE. */
export async function registerClient(services: Services, metadata: ClientMetadata): Promise<ClientRecord> {
  const { database, clock, ids } = services;
  const client = {
    id: ids(),
    name: nameOf(metadata),
    redirectUris: [...new Set(metadata.redirect_uris)],
    readAt: clock(),
  };
  await database.system(async (tx) => {
    await tx.insert(oauthClients).values(client);
    await tx.execute(sql`
      DELETE FROM oauth_clients WHERE id IN (
        SELECT id FROM oauth_clients client
        WHERE NOT EXISTS (SELECT FROM connections WHERE client_id = client.id)
        ORDER BY read_at DESC OFFSET ${UNUSED_CLIENTS})`);
  });
  return client;
}

/**
 * Finds an app by its client id. One that is the address of a metadata document is read from there, at most once an hour.
 *
 * @throws SvcError `NOT_FOUND` for an unknown app, or one whose document cannot be read or is wrong, with the reason.
 */
export async function findClient(services: Services, id: string, signal: AbortSignal): Promise<ClientRecord> {
  const [known] = await services.database.system((tx) =>
    tx.select().from(oauthClients).where(eq(oauthClients.id, id)),
  );
  const url = documentUrl(id);
  if (!url) {
    if (!known) throw unknownClient('No app is known by this client_id. Start again in the app.');
    return known;
  }
  const now = services.clock();
  if (known && now.getTime() - known.readAt.getTime() < HOUR_MS) return known;
  const metadata = await readDocument(services, url, signal);
  const client = {
    id,
    name: nameOf(metadata),
    redirectUris: [...new Set(metadata.redirect_uris)],
    readAt: now,
  };
  const { id: _, ...changes } = client;
  await services.database.system((tx) =>
    tx.insert(oauthClients).values(client).onConflictDoUpdate({ target: oauthClients.id, set: changes }),
  );
  return client;
}

async function readDocument(
  { clientMetadata: fetchMetadata }: Services,
  url: URL,
  signal: AbortSignal,
): Promise<ClientMetadata> {
  if (!fetchMetadata) throw unknownClient('This service reads no metadata documents of apps.');
  const document = await fetchMetadata(url, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : 'it failed';
    throw unknownClient(`The metadata document of the app at ${url.host} cannot be read: ${reason}.`);
  });
  const parsed = clientMetadata.safeParse(document);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw unknownClient(
      `The metadata document of the app at ${url.host} is wrong: ${issue?.path.join('.')} ${issue?.message}.`,
    );
  }
  if (Object(document).client_id !== url.href) {
    throw unknownClient(
      `The metadata document of the app at ${url.host} names another client_id than its address.`,
    );
  }
  return parsed.data;
}

function unknownClient(message: string): SvcError {
  return new SvcError('NOT_FOUND', message);
}
