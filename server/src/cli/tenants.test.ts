import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newEmail, PASSWORD, useAccounts } from '../accounts/accounts.fixture.ts';
import { connectApp } from '../authorization/authorization.fixture.ts';
import { besideEngine, svc, useFolder } from './cli.fixture.ts';

const DAY_MS = 86_400_000;
const START = { sequence: 0, hash: '0'.repeat(64) };

const folder = useFolder();
const service = useAccounts(() => ({ settings: { rateLimitPerMinute: 0 } }));
let end: () => Promise<void>;
beforeAll(async () => {
  end = await besideEngine(folder.path, service.kit.engine);
});
afterAll(() => end());

const tenants = (args: string) => svc(`tenants ${args}`, { SVC_DATA_DIR: folder.path });
const listed = async (id: string) =>
  JSON.parse((await tenants('list --json')).out).find((tenant: { id: string }) => tenant.id === id);

let made = 0;
/** An agent that the operator made, as `keys create --new-tenant` does. */
async function operatorsAgent() {
  const displayName = `Bot${++made}`;
  const { id } = await service.kit.engine.tenants.create({ displayName, plan: 'standard' });
  const { secret } = await service.kit.engine.apiKeys.create(id, { name: 'bot', scope: 'full' });
  return { id, displayName, key: { Authorization: `Bearer ${secret}` } };
}

const actsOf = async (tenantId: string) =>
  (await service.kit.engine.auditLog.read({ tenantId, chain: 'account' }, START)).map(
    ({ act, by, touched }) => [act, by.kind, touched],
  );

/** Confirms the address, as the link in the mail does. */
const confirm = (userId: string) => service.kit.engine.accounts.confirmAddress(userId);

describe('svc tenants plan', () => {
  test('lets an account write again whose trial has ended, without a restart', async () => {
    const { browser, tenantId, apiKey } = await service.signUp();
    const key = { Authorization: `Bearer ${apiKey}` };
    const write = () =>
      browser.post('/memories', { type: 'semantic', content: 'The frost comes early.' }, key);
    service.kit.clock.advance(14 * DAY_MS);
    const refused = await write();
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(refused.body.error.message).toContain(
      'Whoever runs the service can move the account to another plan',
    );
    expect(refused.body.error.message).not.toContain('svc-memory');

    const { code, out } = await tenants(`plan ${tenantId} standard`);
    expect([code, out]).toEqual([0, `Ada (${tenantId}) is on the plan standard; it was on trial.\n`]);
    expect((await write()).status).toBe(201);
    expect((await browser.post('/memories/recall', { query: 'frost' }, key)).status).toBe(200);
    expect((await browser.get('/status', key)).body.tenant).not.toHaveProperty('trial_expires_at');
    expect(await actsOf(tenantId)).toContainEqual([
      'agent.plan_changed',
      'operator',
      { plan: 'standard', former_plan: 'trial' },
    ]);
  });

  test('lets an account go on that has used up its month, also its users', async () => {
    const agent = await operatorsAgent();
    await tenants(`plan ${agent.id} trial`);
    const write = (content: string) =>
      service.browser().post('/memories', { type: 'semantic', content, user_id: 'u1' }, agent.key);
    expect((await write('Tea at four.')).status).toBe(201);
    await service.kit.engine.database.transaction(agent.id, (tx) =>
      tx.execute(`UPDATE usage_counts SET operations = 10000 WHERE tenant_id = '${agent.id}'`),
    );
    const { status, body } = await write('Trains are late.');
    expect([status, body.error.code]).toEqual([429, 'QUOTA_EXCEEDED']);
    expect(body.error.message).toContain('Whoever runs the service can move the account to another plan');
    await tenants(`plan ${agent.id} standard`);
    expect((await write('Trains are late.')).status).toBe(201);
  });

  test('begins the 14 days anew on trial, and says until when', async () => {
    const { tenantId } = await service.signUp();
    service.kit.clock.advance(30 * DAY_MS);
    const end = new Date(service.kit.clock().getTime() + 14 * DAY_MS);
    expect((await tenants(`plan ${tenantId} trial`)).out).toContain(
      `until ${end.toISOString().slice(0, 10)}`,
    );
    expect(await listed(tenantId)).toMatchObject({ trial_expires_at: end.toISOString() });
  });

  test('names what else the human has on another plan', async () => {
    const { browser, tenantId } = await service.signUp();
    const { body } = await browser.post('/agents', { display_name: 'Second' });
    const { err } = await tenants(`plan ${tenantId} standard`);
    expect(err).toBe(`Its humans have other agents on another plan: ${body.agent.id} (Second, trial).\n`);
    expect((await tenants(`plan ${body.agent.id} standard`)).err).toBe('');
  });

  test('takes one of the plans, and a tenant that is there', async () => {
    const { id, displayName } = await operatorsAgent();
    expect((await tenants(`plan ${displayName} gold`)).err).toContain(
      'Allowed choices are standard, trial, local',
    );
    const { code, err } = await tenants('plan Nobody standard');
    expect([code, err]).toEqual([2, expect.stringContaining('svc: There is no tenant Nobody.\n')]);
    expect(err).toMatch(/Tenants: [0-9a-f-]{36} \(/);
    expect((await listed(id)).plan).toBe('standard');
  });
});

describe('a tenant is named', () => {
  test('by its name where only one has it, else by its id', async () => {
    const { id, displayName } = await operatorsAgent();
    expect((await tenants(`plan ${displayName} local`)).out).toContain(id);
    const { id: other } = await service.kit.engine.tenants.create({ displayName, plan: 'standard' });
    const { code, err } = await tenants(`plan ${displayName} trial`);
    expect(code).toBe(2);
    expect(err).toContain(`2 tenants have the name ${displayName}.`);
    expect(err).toContain(id);
    expect(err).toContain(other);
    expect([(await listed(id)).plan, (await listed(other)).plan]).toEqual(['local', 'standard']);
  });

  test('by no name that is the id of another', async () => {
    const { id } = await operatorsAgent();
    const thief = await service.kit.engine.tenants.create({ displayName: id, plan: 'trial' });
    expect((await tenants(`plan ${id.toUpperCase()} local`)).code).toBe(0);
    expect((await tenants(`plan ${id} local`)).code).toBe(0);
    expect([(await listed(id)).plan, (await listed(thief.id)).plan]).toEqual(['local', 'trial']);
  });
});

test('svc tenants list shows plan, use and humans', async () => {
  const { email, tenantId, browser, apiKey } = await service.signUp();
  await browser.post(
    '/memories',
    { type: 'semantic', content: 'A note.' },
    { Authorization: `Bearer ${apiKey}` },
  );
  const end = new Date(service.kit.clock().getTime() + 14 * DAY_MS);
  expect(await listed(tenantId)).toEqual({
    id: tenantId,
    display_name: 'Ada',
    plan: 'trial',
    trial_expires_at: end.toISOString(),
    operations_this_month: expect.any(Number),
    operations_limit: 10_000,
    humans: [{ id: expect.any(String), email, email_verified: false }],
  });
  expect((await listed(tenantId)).operations_this_month).toBeGreaterThan(0);
  const { out } = await tenants('list');
  expect(out).toMatch(
    new RegExp(
      `${tenantId} +Ada +trial +ended \\d{4}-\\d\\d-\\d\\d +\\d+ of 10,000 +${email} \\(unconfirmed\\)`,
    ),
  );
});

describe('svc tenants give', () => {
  test('lets a human decide for an agent that the operator made, beside their own', async () => {
    const agent = await operatorsAgent();
    const { browser, email, userId, tenantId: own } = await service.signUp();
    const about = { 'X-Svc-Tenant': agent.id };
    expect((await browser.get('/event-endpoints', about)).status).toBe(404);
    await confirm(userId);
    service.kit.clock.advance(1);
    const { code, out, err } = await tenants(`give ${agent.displayName} ${email.toUpperCase()}`);
    expect([code, out]).toEqual([0, `${agent.displayName} (${agent.id}) now belongs to ${email}.\n`]);
    expect(err).toBe(`All its humans: ${email}.\n`);
    expect((await browser.get('/event-endpoints', about)).status).toBe(200);
    expect((await browser.get('/agents')).body.agents.map((one: { id: string }) => one.id)).toEqual([
      own,
      agent.id,
    ]);

    // What waits for a human gets its decision.
    const soul = { type: 'core', category: 'identity', content: 'I am the bot of the support team.' };
    const { body: asked } = await service.browser().post('/memories', soul, agent.key);
    const { body: change } = await service
      .browser()
      .patch(`/memories/${asked.memory.id}`, { content: 'I am nobody’s bot.' }, agent.key);
    expect((await browser.post(`/guardian/${change.entry.id}/approve`, {}, about)).status).toBe(200);
    expect(await actsOf(agent.id)).toContainEqual(['agent.given', 'operator', { user_id: userId }]);
  });

  test('gives nothing to an address that nobody has confirmed, unless the operator knows whose it is', async () => {
    const agent = await operatorsAgent();
    // A stranger signs up with the address of a colleague before they do.
    const stranger = service.browser();
    const email = newEmail();
    await stranger.post('/auth/signup', { email, password: PASSWORD, display_name: 'Maya' });
    const { code, err } = await tenants(`give ${agent.id} ${email}`);
    expect(code).toBe(1);
    expect(err).toContain(`The address ${email} is not confirmed: anybody may have signed up with it`);
    expect(err).toContain('--unconfirmed');
    expect((await stranger.get('/event-endpoints', { 'X-Svc-Tenant': agent.id })).status).toBe(404);
    expect((await listed(agent.id)).humans).toEqual([]);
    expect((await tenants(`give ${agent.id} ${email} --unconfirmed`)).code).toBe(0);
    expect((await stranger.get('/event-endpoints', { 'X-Svc-Tenant': agent.id })).status).toBe(200);
  });

  test('says where nobody has signed up with the address', async () => {
    const { id } = await operatorsAgent();
    const { code, err } = await tenants(`give ${id} nobody@example.com`);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('svc: Nobody has signed up with nobody@example.com.\n     They sign up first'),
    ]);
  });

  test('gives an agent to several humans, and once to each', async () => {
    const agent = await operatorsAgent();
    const people = [await service.signUp(), await service.signUp()] as const;
    for (const { email, userId } of people) {
      await confirm(userId);
      await tenants(`give ${agent.id} ${email}`);
      service.kit.clock.advance(1);
    }
    const { code, out, err } = await tenants(`give ${agent.id} ${people[0].email}`);
    expect([code, out]).toEqual([0, expect.stringContaining(`belonged already to ${people[0].email}`)]);
    expect(err).toBe(`All its humans: ${people[0].email}, ${people[1].email}.\n`);
    const given = (await actsOf(agent.id)).filter(([act]) => act === 'agent.given');
    expect(given).toHaveLength(2);
  });

  test('is taken back at once, from the human and from the apps they let in', async () => {
    const agent = await operatorsAgent();
    const { browser, email, userId } = await service.signUp();
    await confirm(userId);
    await tenants(`give ${agent.id} ${email}`);
    const about = { 'X-Svc-Tenant': agent.id };
    expect((await browser.get('/status', about)).status).toBe(200);
    const { app, tokens } = await connectApp(service, browser, { headers: about });
    expect((await app.call(tokens.access_token)).status).toBe(200);
    const { code, out, err } = await tenants(`take ${agent.id} ${email}`);
    expect([code, out]).toEqual([0, `${agent.displayName} (${agent.id}) no longer belongs to ${email}.\n`]);
    expect(err).toContain(`npx svc-memory keys list --tenant ${agent.id}`);
    expect((await browser.get('/status', about)).status).toBe(404);
    expect((await app.call(tokens.access_token)).status).toBe(401);
    expect((await browser.get('/status')).status).toBe(200);
    expect((await service.browser().get('/status', agent.key)).status).toBe(200);
    expect(await actsOf(agent.id)).toContainEqual(['agent.taken', 'operator', { user_id: userId }]);
    const again = await tenants(`take ${agent.id} ${email}`);
    expect([again.code, again.err]).toEqual([
      1,
      expect.stringContaining(`does not belong to ${email}.\n     Its humans: none.`),
    ]);
  });
});

test('the commands of the README work as they stand there', async () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const readme = await readFile(join(root, 'server/README.md'), 'utf8');
  const section = readme.slice(readme.indexOf('## People and their agents'));
  const [, script = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];
  const { accounts, auditLog, tenants } = service.kit.engine;
  const { id: tenantId } = await tenants.create({ displayName: 'Support bot', plan: 'trial' });
  const { userId } = await service.signUp('maya@example.com');
  await confirm(userId);
  const npx = 'npx() { "node_modules/.bin/$@"; }\n';
  const env = { ...process.env, SVC_DATA_DIR: folder.path };
  await promisify(execFile)('bash', ['-ec', npx + script], { cwd: root, env });
  const log = await auditLog.read({ tenantId, chain: 'account' }, START);
  expect(log.map(({ act }) => act)).toEqual([
    'agent.created',
    'agent.plan_changed',
    'agent.given',
    'agent.taken',
  ]);
  expect(await accounts.humansOf(tenantId)).toEqual(new Map());
});
