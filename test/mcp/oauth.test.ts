import {
  Client,
  type OAuthClientInformationMixed,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { afterAll, expect, test } from 'vitest';
import { useAccounts } from '../../server/src/accounts/accounts.fixture.ts';
import { ok } from './clients.ts';

const service = useAccounts();
const open: Client[] = [];
afterAll(() => Promise.all(open.map((client) => client.close())));

const REDIRECT_URL = 'http://127.0.0.1:5555/callback';

/** What an app keeps, as the library asks for it; the place of its browser is taken by the test. */
class App implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URL;
  readonly clientMetadata = {
    client_name: 'A connector',
    redirect_uris: [REDIRECT_URL],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
  };
  wanted: URL | undefined;
  kept: OAuthTokens | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #verifier = '';
  #discovered: OAuthDiscoveryState | undefined;
  state = () => 'a state of the app';
  clientInformation = () => this.#client;
  saveClientInformation(client: OAuthClientInformationMixed) {
    this.#client = client;
  }
  tokens = () => this.kept;
  saveTokens(tokens: OAuthTokens) {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.wanted = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier = () => this.#verifier;
  discoveryState = () => this.#discovered;
  saveDiscoveryState(state: OAuthDiscoveryState) {
    this.#discovered = state;
  }
  invalidateCredentials(what: string) {
    if (what === 'all' || what === 'tokens') this.kept = undefined;
  }
}

const transportOf = (app: App) =>
  new StreamableHTTPClientTransport(new URL('/mcp', service.url), { authProvider: app });
const newClient = () => {
  const client = new Client(
    { name: 'connector', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  open.push(client);
  return client;
};

test('the library’s own client gets in by the address alone, from discovery to a call, refreshes, and is shut out', async () => {
  const app = new App();
  const transport = transportOf(app);
  await expect(newClient().connect(transport)).rejects.toThrow();
  const asked = Object.fromEntries(app.wanted?.searchParams ?? []);
  expect(app.wanted?.origin + (app.wanted?.pathname ?? '')).toBe(`${service.url}/connect`);
  expect(asked).toMatchObject({
    code_challenge_method: 'S256',
    scope: 'full',
    resource: `${service.url}/mcp`,
  });

  const { browser, tenantId } = await service.signUp();
  const { body: shown } = await browser.post('/connections/request', asked);
  expect(shown).toMatchObject({ app: { name: 'A connector' }, redirect_is_local: true, scope: 'full' });
  const { body: approved } = await browser.post('/connections', { ...asked, grant: 'full' });
  const back = new URL(approved.redirect_url);
  expect(back.origin + back.pathname).toBe(REDIRECT_URL);
  expect(back.searchParams.get('state')).toBe('a state of the app');
  // The library checks that the answer names the issuer it asked.
  await transport.finishAuth(back.searchParams);

  const client = newClient();
  await client.connect(transportOf(app));
  expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: tenantId } });
  await ok(client, 'svc_remember', { type: 'semantic', content: 'Connected.' });

  const before = app.kept;
  service.kit.clock.advance(3_600_000);
  expect((await ok(client, 'svc_status')).structured).toMatchObject({ tenant: { id: tenantId } });
  expect(app.kept?.access_token).not.toBe(before?.access_token);
  expect(app.kept?.refresh_token).not.toBe(before?.refresh_token);

  const { body } = await browser.get('/connections');
  expect(body.connections).toHaveLength(1);
  await browser.delete(`/connections/${body.connections[0].id}`);
  app.wanted = undefined;
  await expect(client.callTool({ name: 'svc_status', arguments: {} })).rejects.toThrow();
  // It asks the human again.
  expect(app.wanted).toBeDefined();
});

test('an answer of another issuer is not taken', async () => {
  const app = new App();
  const transport = transportOf(app);
  await expect(newClient().connect(transport)).rejects.toThrow();
  const { browser } = await service.signUp();
  const asked = Object.fromEntries(app.wanted?.searchParams ?? []);
  const { body } = await browser.post('/connections', { ...asked, grant: 'read' });
  const back = new URL(body.redirect_url);
  back.searchParams.set('iss', 'https://evil.example');
  await expect(transport.finishAuth(back.searchParams)).rejects.toThrow();
  expect(app.kept).toBeUndefined();
});
