import { expect, it, vi } from 'vitest';
import { PASSWORD, useAccounts } from './accounts.fixture.ts';

const test = useAccounts();

type Entry = Awaited<ReturnType<ReturnType<typeof test.kit.engine.agent>['auditLog']>>['entries'][number];

const show = ({ act, by, touched }: Entry) => [act, by.kind, touched.method];
const actsOf = async (tenantId: string) => {
  const { entries } = await test.kit.engine.agent(tenantId).exportAuditLog();
  return entries.map(show);
};

it('signing up, in and out and a new password stand in the audit log, by the human', async () => {
  const { browser, email, tenantId, userId } = await test.signUp();
  await test.browser().post('/auth/login', { email, password: PASSWORD });
  const changed = await browser.post('/auth/password', {
    current_password: PASSWORD,
    password: 'a better battery',
  });
  expect(changed.status).toBe(200);
  expect((await browser.post('/auth/sessions/end-others')).status).toBe(200);
  expect(await actsOf(tenantId)).toEqual([
    ['agent.created', 'human', undefined],
    ['sign_in.succeeded', 'human', 'sign_up'],
    ['api_key.created', 'human', undefined],
    ['sign_in.succeeded', 'human', 'password'],
    ['password.changed', 'human', 'password'],
    ['session.ended', 'human', undefined],
  ]);
  const { entries } = await test.kit.engine.agent(tenantId).exportAuditLog();
  expect(entries.map(({ by }) => by.credential_id)).toEqual(entries.map(() => userId));
  expect(JSON.stringify(entries)).not.toContain(email);
});

it('a failed sign-in stands in the log of each agent of the human, once a minute, and of nobody else', async () => {
  const { browser, email, tenantId, userId } = await test.signUp();
  const other = await test.signUp();
  const { body } = await browser.post('/agents', { display_name: 'Bob' });
  const fail = (whose: string) =>
    test.browser().post('/auth/login', { email: whose, password: 'wrong battery' });
  expect((await fail('nobody@example.com')).status).toBe(401);
  for (let attempt = 1; attempt <= 3; attempt += 1) expect((await fail(email)).status).toBe(401);
  await vi.waitFor(async () => {
    for (const id of [tenantId, body.agent.id])
      expect((await actsOf(id)).at(-1)).toEqual(['sign_in.failed', 'visitor', 'password']);
  });
  const { entries } = await test.kit.engine.agent(tenantId).auditLog({ act: 'sign_in.failed' });
  expect(entries).toMatchObject([{ by: { credential_id: null }, touched: { user_id: userId } }]);
  expect(await actsOf(other.tenantId)).not.toContainEqual(expect.arrayContaining(['sign_in.failed']));
});
