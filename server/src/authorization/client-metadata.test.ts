import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { useServer } from '../../../test/kit/use-server.ts';
import { useAccounts } from '../accounts/accounts.fixture.ts';
import { createTestApp, proofKey, REDIRECT_URI } from './authorization.fixture.ts';
import { createClientMetadataReader } from './client-metadata.ts';

/** What the app's server answers; a test puts its own here. */
const given = { status: 200, type: 'application/json', body: '', asked: 0, location: '' };
const server = useServer(
  createServer((_request, response) => {
    given.asked += 1;
    const headers = { 'Content-Type': given.type, ...(given.location ? { Location: given.location } : {}) };
    response.writeHead(given.status, headers).end(given.body);
  }),
);

const local = (path: string) => `${server.url}${path}`;
const CLIENT_ID = 'https://app.example/client.json';
const document = (more: object = {}) =>
  JSON.stringify({ client_id: CLIENT_ID, client_name: 'Real app', redirect_uris: [REDIRECT_URI], ...more });

// The name leads to this machine here: what is checked of addresses is checked by the reader alone, below.
const read = createClientMetadataReader({ allowPrivate: true });
const service = useAccounts(() => ({}), {
  clientMetadata: (url, signal) => read(new URL(local(url.pathname)), signal),
});

async function ask(clientId = CLIENT_ID, more: object = {}) {
  const { browser } = await service.signUp();
  const request = createTestApp(service).request(clientId, proofKey().challenge, more);
  return browser.post('/connections/request', request);
}

describe('an app with a metadata document', () => {
  it('is shown with the host of the document, which is read once an hour', async () => {
    Object.assign(given, { body: document(), asked: 0 });
    const { body } = await ask();
    expect(body).toMatchObject({
      app: { name: 'Real app', host: 'app.example' },
      redirect_host: 'app.example',
    });
    await ask();
    expect(given.asked).toBe(1);
    given.body = document({ client_name: 'Renamed' });
    service.kit.clock.advance(3_600_000);
    expect((await ask()).body.app.name).toBe('Renamed');
    expect((await ask(CLIENT_ID, { redirect_uri: 'https://evil.example/' })).status).toBe(400);
  });

  it.each([
    ['names another client_id', document({ client_id: 'https://evil.example/client.json' })],
    ['names none', JSON.stringify({ client_name: 'x', redirect_uris: [REDIRECT_URI] })],
    ['has no redirect_uris', JSON.stringify({ client_id: CLIENT_ID })],
    ['wants to be answered at javascript:', document({ redirect_uris: ['javascript:1'] })],
    ['is no JSON', 'hello'],
    ['is an array', '[]'],
    ['is too large', document({ client_name: 'x'.repeat(20_000) })],
  ])('whose document %s is unknown, with the reason', async (_what, body) => {
    Object.assign(given, { status: 200, type: 'application/json', body });
    service.kit.clock.advance(3_600_000);
    const answer = await ask();
    expect([answer.status, answer.body.error.message]).toEqual([404, expect.stringContaining('app.example')]);
  });

  it('whose server fails, sends elsewhere, or sends no JSON is unknown', async () => {
    for (const change of [
      { status: 500 },
      { status: 302, location: 'http://127.0.0.1:1/' },
      { status: 200, type: 'text/html' },
    ]) {
      Object.assign(given, { status: 200, type: 'application/json', location: '', body: document() }, change);
      service.kit.clock.advance(3_600_000);
      expect((await ask()).status, JSON.stringify(change)).toBe(404);
    }
    Object.assign(given, { status: 200, type: 'application/json', location: '' });
  });

  it.each([
    'http://app.example/client.json',
    'https://app.example/',
    'https://app.example',
    'https://user@app.example/client.json',
    'https://app.example/client.json#x',
    'https://APP.example/client.json',
    'https://app.example/a/../client.json',
    'https://app.example:443/client.json',
  ])('must be named by an address in its plain form: %s is not', async (clientId) => {
    given.asked = 0;
    expect((await ask(clientId)).status).toBe(404);
    expect(given.asked).toBe(0);
  });
});

describe('threat 6: a document in a private place', () => {
  it.each(['127.0.0.1', '[::1]', '169.254.169.254', '10.0.0.1', '[::ffff:127.0.0.1]', '2130706433'])(
    '%s is not asked',
    async (host) => {
      given.asked = 0;
      const reader = createClientMetadataReader();
      const url = new URL(`https://${host}:${server.port}/client.json`);
      await expect(reader(url, new AbortController().signal)).rejects.toThrow(/public/);
      expect(given.asked).toBe(0);
    },
  );

  it('nor is one whose name leads there', async () => {
    const reader = createClientMetadataReader({ resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
    const asked = reader(new URL('https://app.example/client.json'), new AbortController().signal);
    await expect(asked).rejects.toThrow(/public/);
  });
});
