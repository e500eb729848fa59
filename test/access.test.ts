import { createHash } from 'node:crypto';
import { createSecretBox, type Engine } from '@svc-memory/core';
import {
  type Access,
  type AgentMemory,
  accountRoutes,
  backupRoutes,
  type OperationName,
  type Route,
  routes,
  systemRoutes,
} from '@svc-memory/core/contract';
import { startTestEngine, type TestEngine } from '@svc-memory/core/testing';
import { createApp, createLogger, type RunningServer, startServer } from 'svc-memory';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const HOUR_MS = 3_600_000;
const NOBODY = '01a1fd1f-b240-70d3-b327-7aff81549621';

let kit: TestEngine;
let server: RunningServer;
beforeAll(async () => {
  kit = await startTestEngine({
    webhooks: {
      secrets: createSecretBox('a secret of at least thirty-two characters'),
      resolve: async () => [{ address: '93.184.215.14', family: 4 }],
    },
  });
  const app = createApp({
    engine: kit.engine,
    logger: createLogger({ level: 'silent' }),
    settings: { allowSignup: true, rateLimitPerMinute: 0, failedSignInsPerMinute: 0, signInsPerMinute: 0 },
  });
  server = await startServer({ app, host: '127.0.0.1', port: 0, lingerMs: 0 });
});
afterAll(async () => {
  await server.close();
  await kit.close();
});

type Headers = Readonly<Record<string, string>>;

/** A human, their agent, and every credential there can be for it. */
interface Party {
  readonly tenantId: string;
  readonly human: Headers;
  readonly agent: AgentMemory;
  readonly asHuman: AgentMemory;
}

let parties = 0;
async function newParty(): Promise<Party> {
  const email = `human-${++parties}@example.com`;
  const body = JSON.stringify({ email, password: 'correct horse battery', display_name: 'Ada' });
  const response = await fetch(`${server.url}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  expect(response.status).toBe(201);
  const { tenant, user } = (await response.json()) as { tenant: { id: string }; user: { id: string } };
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    tenantId: tenant.id,
    human: { Cookie: cookie, Origin: server.url },
    agent: kit.engine.agent(tenant.id),
    asHuman: kit.engine.agent(tenant.id, { source: 'human', credentialId: user.id }),
  };
}

async function keyOf(
  { tenantId }: Party,
  scope: 'full' | 'read',
  expiresAt?: Date,
): Promise<{ id: string; headers: Headers }> {
  const key = { name: 'test', scope, ...(expiresAt ? { expiresAt } : {}) };
  const { id, secret } = await kit.engine.apiKeys.create(tenantId, key);
  return { id, headers: { Authorization: `Bearer ${secret}` } };
}

interface Answer {
  readonly status: number;
  readonly code: string | undefined;
  readonly text: string;
}

async function call(method: string, path: string, headers: Headers, body: object = {}): Promise<Answer> {
  const leave = new AbortController();
  const sends = method === 'POST' || method === 'PATCH';
  const response = await fetch(`${server.url}${path}`, {
    method,
    signal: leave.signal,
    headers: { ...(sends ? { 'Content-Type': 'application/json' } : {}), ...headers },
    ...(sends ? { body: JSON.stringify(body) } : {}),
  });
  const { status } = response;
  if (!response.headers.get('content-type')?.includes('json')) {
    leave.abort();
    return { status, code: undefined, text: '' };
  }
  const text = await response.text();
  return { status, code: JSON.parse(text).error?.code, text };
}

/** Every method on every path of the contract. */
const endpoints = Object.entries<Route>({
  ...routes,
  ...accountRoutes,
  ...backupRoutes,
  ...systemRoutes,
}).flatMap(([name, route]) => [
  { name, method: route.method, path: route.path, access: route.access },
  ...(route.alsoGet ? [{ name, method: 'GET', path: route.alsoGet, access: route.access }] : []),
]);
const pathOf = (template: string) => `/api/v1${template.replaceAll(/\{\w+\}/g, NOBODY)}`;

const CREDENTIALS = [
  'no key',
  'a bad key',
  'an expired key',
  'a revoked key',
  'a read key',
  'a full key',
  'a full key + session key',
  'a human session',
  'a human session + session key',
  'another tenant’s key',
] as const;
type Credential = (typeof CREDENTIALS)[number];
type Outcome = 'allowed' | 'UNAUTHORIZED' | 'FORBIDDEN';

/** What each kind of route answers to a credential that is valid. */
const VALID: Readonly<Record<Access, { read: Outcome; full: Outcome; session: Outcome; human: Outcome }>> = {
  public: { read: 'allowed', full: 'allowed', session: 'allowed', human: 'allowed' },
  read: { read: 'allowed', full: 'allowed', session: 'allowed', human: 'allowed' },
  write: { read: 'FORBIDDEN', full: 'allowed', session: 'allowed', human: 'allowed' },
  agent: { read: 'FORBIDDEN', full: 'allowed', session: 'allowed', human: 'FORBIDDEN' },
  session: { read: 'FORBIDDEN', full: 'FORBIDDEN', session: 'allowed', human: 'FORBIDDEN' },
  human: { read: 'FORBIDDEN', full: 'FORBIDDEN', session: 'FORBIDDEN', human: 'allowed' },
};

function expected(access: Access, credential: Credential): Outcome {
  const { read, full, session, human } = VALID[access];
  switch (credential) {
    case 'a read key':
      return read;
    case 'a full key':
    case 'another tenant’s key':
      return full;
    case 'a full key + session key':
      return session;
    case 'a human session':
    case 'a human session + session key':
      return human;
    default:
      return access === 'public' ? 'allowed' : 'UNAUTHORIZED';
  }
}

/** Paths of calls that may replace the session key. */
const GIVES_SESSION_KEY = /boot|compaction|session/;

describe('who may call what', () => {
  let party: Party;
  let other: Party;
  const fixed: Partial<Record<Credential, Headers>> = {};
  beforeAll(async () => {
    party = await newParty();
    other = await newParty();
    const expired = await keyOf(party, 'full', new Date(kit.clock().getTime() + HOUR_MS));
    const revoked = await keyOf(party, 'full');
    // Keys that the service has seen in force, and may remember.
    for (const { headers } of [expired, revoked])
      expect(await call('POST', '/api/v1/memories/recall', headers, { query: 'x' })).toMatchObject({
        status: 200,
      });
    kit.clock.advance(HOUR_MS);
    await kit.engine.apiKeys.revoke(party.tenantId, revoked.id);
    fixed['no key'] = {};
    fixed['a bad key'] = { Authorization: `Bearer svc_${'a'.repeat(36)}` };
    fixed['an expired key'] = expired.headers;
    fixed['a revoked key'] = revoked.headers;
    fixed['a read key'] = (await keyOf(party, 'read')).headers;
    fixed['a full key'] = (await keyOf(party, 'full')).headers;
    fixed['another tenant’s key'] = (await keyOf(other, 'full')).headers;
  });

  /** Session keys are replaced by some routes, and sessions ended by some others: after those, calls get fresh ones. */
  let known: string | undefined;
  let guest: Party | undefined;
  const signedIn = async () => {
    if (guest && (await call('GET', '/api/v1/auth/session', guest.human)).status === 200) return guest;
    guest = await newParty();
    return guest;
  };
  const headersFor = async (credential: Credential, method: string, path: string): Promise<Headers> => {
    const mayEnd = method !== 'GET' && path.startsWith('/auth/');
    const human = async () => (mayEnd ? await signedIn() : party).human;
    const sessionKey = async () => {
      known ??= (await party.agent.sessionKey()).session_key;
      return { 'X-Session-Key': known };
    };
    if (credential === 'a human session') return human();
    if (credential === 'a human session + session key')
      return { ...(await human()), ...(await sessionKey()) };
    if (credential === 'a full key + session key') return { ...fixed['a full key'], ...(await sessionKey()) };
    return fixed[credential] ?? {};
  };

  for (const { method, path, access } of endpoints) {
    it(`${method} ${path} is for ${access}`, async () => {
      const outcomes: Record<string, Outcome> = {};
      for (const credential of CREDENTIALS) {
        const { status, code } = await call(method, pathOf(path), await headersFor(credential, method, path));
        expect(status, credential).toBeLessThan(500);
        if (GIVES_SESSION_KEY.test(path)) known = undefined;
        outcomes[credential] = code === 'UNAUTHORIZED' || code === 'FORBIDDEN' ? code : 'allowed';
      }
      const wanted = CREDENTIALS.map((credential) => [credential, expected(access, credential)]);
      expect(outcomes).toEqual(Object.fromEntries(wanted));
    });
  }
});

/** An app that the human of this tenant let in. */
async function connectedApp(engine: Engine, { asHuman }: Party): Promise<string> {
  const redirect_uri = 'https://app.example/back';
  const { id } = await engine.connections.registerClient({
    client_name: 'App',
    redirect_uris: [redirect_uri],
  });
  const verifier = 'v'.repeat(43);
  const { redirect_url } = await asHuman.approveAuthorization(
    {
      ...{ client_id: id, redirect_uri, response_type: 'code', code_challenge_method: 'S256', grant: 'read' },
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    },
    { serviceUrl: server.url },
  );
  const code = new URL(redirect_url).searchParams.get('code') ?? '';
  await engine.connections.redeemCode({ clientId: id, redirectUri: redirect_uri, verifier, code });
  const { connections } = await asHuman.connections();
  return connections[0]?.id ?? '';
}

/** Makes what a path's ids name, in a tenant; answers the ids by parameter. */
type Make = (party: Party, engine: Engine) => Promise<Record<string, string>>;

const memory: Make = async ({ agent }) => ({
  id: (await agent.remember({ type: 'semantic', content: 'The kettle is blue.' })).memory.id,
});
const entry: Make = async ({ agent }) => {
  const { memory } = await agent.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
  await agent.update({ id: memory.id, content: 'I am Ada, and I like tea.' });
  const { entries } = await agent.guardianQueue({ status: 'cooling' });
  const found = entries.find((entry) => entry.memory_id === memory.id);
  return { id: found?.id ?? '' };
};
const endpoint: Make = async ({ asHuman }) => {
  const { endpoint } = await asHuman.createEventEndpoint({ url: 'https://hooks.example.com/in' });
  return { id: endpoint.id };
};

/** How to make what the ids of a path name, by the longest path that fits. A new kind of id is one new line. */
const MAKERS: Readonly<Record<string, Make>> = {
  '/memories/{id}': memory,
  '/memories/{id}/restore': async (party, engine) => {
    const { id = '' } = await memory(party, engine);
    await party.agent.forget({ id });
    return { id };
  },
  '/guardian/{id}': entry,
  '/api-keys/{id}': async ({ tenantId }, { apiKeys }) => ({
    id: (await apiKeys.create(tenantId, { name: 'test', scope: 'full' })).id,
  }),
  '/connections/{id}': async (party, engine) => ({ id: await connectedApp(engine, party) }),
  '/event-endpoints/{id}': endpoint,
  '/event-endpoints/{id}/deliveries/{delivery_id}': async (party, engine) => {
    const { id = '' } = await endpoint(party, engine);
    return { id, delivery_id: (await party.asHuman.testEventEndpoint({ id })).delivery.id };
  },
  '/schedule/{id}': async ({ agent }) => ({
    id: (await agent.createScheduleItem({ title: 'Tea', due_at: '2030-01-01T16:00:00Z' })).item.id,
  }),
  '/jobs/{id}': async ({ agent }) => ({ id: (await agent.reflect()).job.id }),
  '/users/{user_id}': async ({ agent, tenantId }) => {
    const user_id = `user of ${tenantId}`;
    await agent.remember({ type: 'working', content: 'Tea', user_id });
    return { user_id };
  },
  '/erasures/{id}': async ({ agent }) => {
    await agent.remember({ type: 'working', content: 'Tea', user_id: 'u1' });
    return { id: (await agent.forgetUser({ user_id: 'u1' })).receipt.id };
  },
  '/spaces/{space_id}': async ({ agent }) => ({
    space_id: (await agent.createSpace({ name: 'Team' })).space.id,
  }),
  '/spaces/{space_id}/members/{tenant_id}': async ({ agent, tenantId }) => ({
    space_id: (await agent.createSpace({ name: 'Team' })).space.id,
    tenant_id: tenantId,
  }),
  '/wip/{id}': async ({ agent }) => ({ id: (await agent.createWipItem({ title: 'Tea' })).item.id }),
};

/** Bodies of the operations that want one. */
const BODIES: Partial<Record<OperationName, object>> = {
  update: { importance: 1 },
  updateEventEndpoint: { enabled: false },
  updateScheduleItem: { title: 'Coffee' },
  updateWipItem: { title: 'Coffee' },
  renameSpace: { name: 'Club' },
  setSpaceMember: { right: 'read' },
};

// Backups are of the whole service and for its owner alone, and what waits in a space was asked for by another agent: their own
// tests try who gets one.
const TRIED_ELSEWHERE = /^\/backups|^\/spaces\/.*\/guardian\/\{id\}/;
const withIds = endpoints.filter(({ path }) => path.includes('{') && !TRIED_ELSEWHERE.test(path));

describe('threat 1: another tenant', () => {
  let ada: Party;
  let eve: Party;
  beforeAll(async () => {
    [ada, eve] = [await newParty(), await newParty()];
  });

  const callerFor = async (party: Party, access: Access): Promise<Headers> =>
    access === 'human' ? party.human : (await keyOf(party, 'full')).headers;

  for (const { name, method, path, access } of withIds) {
    it(`${method} ${path} answers of somebody else’s id exactly as of none`, async () => {
      const prefixes = Object.keys(MAKERS).filter((prefix) => path.startsWith(prefix));
      const longest = prefixes.sort((one, two) => two.length - one.length)[0] ?? '';
      const make = MAKERS[longest];
      if (!make) throw new TypeError(`MAKERS in this file does not know how to make what ${path} names`);
      const body = BODIES[name as OperationName];
      const headers = { ...(await callerFor(eve, access)), 'X-Request-Id': 'same' };
      const ask = (ids: Readonly<Record<string, string>>, who: Headers) => {
        const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => ids[parameter] ?? NOBODY);
        return call(method, `/api/v1${filled}`, who, body);
      };
      const theirs = await make(ada, kit.engine);
      const missing = await ask({}, headers);
      expect([missing.status, missing.code]).toEqual([404, 'NOT_FOUND']);
      expect(await ask(theirs, headers)).toEqual(missing);
      for (const [parameter, id] of Object.entries(await make(eve, kit.engine))) {
        if (Object.keys(theirs).length > 1) {
          // One id of one's own beside one of somebody else, or of nothing.
          expect(await ask({ ...theirs, [parameter]: id }, headers)).toEqual(
            await ask({ [parameter]: id }, headers),
          );
        }
      }
      // The call was right in all but the id: of one's own it is answered, and nothing has happened to it meanwhile.
      const own = await ask(theirs, await callerFor(ada, access));
      expect(own.status, own.text).not.toBe(404);
      expect(own.status, own.text).not.toBe(400);
    });
  }
});
