import { createEngine, type Engine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { besideEngine, svc, useFolder } from './cli.fixture.ts';

const folder = useFolder();
beforeAll(async () => {
  await makeDataFolder(folder.path);
});

const env = () => ({ SVC_DATA_DIR: folder.path });
const keys = (args: string) => svc(`keys ${args}`, env());
const listed = async () => JSON.parse((await keys('list --json')).out);

const open = async () => createEngine({ database: await openPglite(folder.path, { sync: false }) });

test('without a tenant the answer says how to make one', async () => {
  const { code, err } = await keys('list');
  expect([code, err]).toEqual([
    2,
    'svc: There is no tenant yet.\n     Make one: npx svc-memory keys create --new-tenant "My agent"\n',
  ]);
});

test('create makes a tenant on request and prints the key alone on stdout', async () => {
  const { code, out, err } = await keys('create --new-tenant Ada --plan local --name first');
  expect(code).toBe(0);
  expect(out).toMatch(/^svc_\w{36}\n$/);
  expect(err).toMatch(/^API key "first" \(full\) of Ada \([0-9a-f-]{36}\), shown this once:\n$/);
  const engine = await open();
  const { scope } = await engine.apiKeys.authenticate(out.trim()).finally(() => engine.close());
  expect(scope).toBe('full');
});

test('create binds a key to one user of the agent, and to no more', async () => {
  expect((await keys('create --user u1 --name theirs')).err).toContain('bound to user "u1"');
  expect(
    (await listed()).map((key: { name: string; user_id: string | null }) => [key.name, key.user_id]),
  ).toContainEqual(['theirs', 'u1']);
  for (const user of ['*', 'a'.repeat(129)]) {
    const { code, err } = await keys(`create --user ${user}`);
    expect([code, err]).toEqual([2, expect.stringContaining('svc: --user must ')]);
  }
});

test.each([
  ['empty', '', /^svc: --name must not be empty, not ""\.\n$/],
  ['long', 'n'.repeat(5_000), /^svc: --name must be at most 256 characters, not "n{60}…"\.\n$/],
  [
    'coloured',
    'red\n\u001b[31m',
    /^svc: --name must not contain control characters, not "red\\n\\u001b\[31m"\.\n$/,
  ],
])('a name that is %s is refused as over REST', async (_how, name, message) => {
  expect(await keys(`create --name ${name}`)).toMatchObject({ code: 2, err: expect.stringMatching(message) });
});

describe('keys, beside what has the folder', () => {
  let engine: Engine;
  let end: () => Promise<void>;
  beforeAll(async () => {
    engine = await open();
    end = await besideEngine(folder.path, engine);
  });
  afterAll(async () => {
    await end();
    await engine.close();
  });

  test('create takes a scope and a lifetime', async () => {
    const { out } = await keys('create --name reader --scope read --expires 90d');
    expect(await engine.apiKeys.authenticate(out.trim())).toMatchObject({ scope: 'read' });
    const [reader] = await listed();
    const days = (Date.parse(reader.expires_at) - Date.parse(reader.created_at)) / 86_400_000;
    expect(reader).toMatchObject({ name: 'reader', scope: 'read' });
    expect(Math.round(days)).toBe(90);
  });

  test('list prints as JSON what the API shows', async () => {
    await keys('create --name shown --user ada');
    const [shown] = await listed();
    expect(shown).toEqual({
      id: expect.any(String),
      name: 'shown',
      scope: 'full',
      user_id: 'ada',
      last_four: expect.any(String),
      status: 'active',
      created_at: expect.any(String),
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      last_used_address: null,
      replaced_by: null,
    });
  });

  test('list shows no secret', async () => {
    const { out } = await keys('list');
    expect(out).toMatch(/first +…\w{4} +full +active/);
    expect(out).toMatch(/reader +…\w{4} +read +active until/);
    expect(out).not.toContain('svc_');
  });

  test('revoke ends a key at once', async () => {
    const { out: secret } = await keys('create --name lost');
    const [{ id }] = await listed();
    expect(await keys(`revoke ${id}`)).toMatchObject({ code: 0, out: `Revoked API key "lost" (${id}).\n` });
    await expect(engine.apiKeys.authenticate(secret.trim())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    expect((await keys('list')).out).toMatch(/lost +…\w{4} +full +revoked/);
  });

  test('rotate makes a key like another, which ends after the overlap', async () => {
    const { out: old } = await keys('create --name travels --scope read');
    const [{ id }] = await listed();
    const { out: next } = await keys(`rotate ${id} --overlap 7d`);
    for (const secret of [old, next]) {
      expect(await engine.apiKeys.authenticate(secret.trim())).toMatchObject({ scope: 'read' });
    }
    const [, ended] = await listed();
    expect(Date.parse(ended.expires_at)).toBeLessThan(Date.now() + 7 * 86_400_000);
    expect((await keys(`rotate ${id}`)).err).toMatch(/"travels" .+ has ended or was rotated before/);
  });

  test.each([
    ['rotate 0197a8f2-0000-7000-8000-000000000001', 1, /Ada has no API key with the id 0197a8f2/],
    [
      'rotate x --overlap soon',
      2,
      /--overlap must be a duration such as 24h or 90d, at most 36500d, not "soon"/,
    ],
    ['revoke 0197a8f2-0000-7000-8000-000000000001', 1, /Ada has no API key with the id 0197a8f2/],
    ['revoke', 2, /missing required argument 'id'/],
    ['create --scope admin', 2, /Allowed choices are full, read/],
    [
      'create --expires soon',
      2,
      /--expires must be a duration such as 24h or 90d, at most 36500d, not "soon"/,
    ],
    ['create --expires 0d', 2, /--expires must be a duration/],
    ['create --expires 36501d', 2, /--expires must be a duration/],
    ['create --expires 3000000d', 2, /--expires must be a duration/],
    ['create --expires 99999999999d', 2, /--expires must be a duration/],
    ['create --tenant x --new-tenant y', 2, /exclude each other/],
    ['create --new-tenant ', 2, /--new-tenant must not be empty, not ""/],
    ['create --new-tenant a\nb', 2, /--new-tenant must not contain control characters, not "a\\nb"/],
    ['create --new-tenant a\u202eb', 2, /--new-tenant must not contain characters that cannot be seen/],
    ['create --plan trial', 2, /--plan is of a new tenant: give --new-tenant too/],
    ['list --tenant 0197a8f2-0000-7000-8000-000000000001', 2, /There is no tenant 0197a8f2.*\n.*\(Ada\)/],
  ])('keys %s ends with %i and says why', async (args, exitCode, message) => {
    const { code, err } = await keys(args);
    expect(err).toMatch(message);
    expect(code).toBe(exitCode);
  });

  test('with several tenants one must be named', async () => {
    const { err } = await keys('create --new-tenant Bob');
    const bob = /\(([0-9a-f-]{36})\)/.exec(err)?.[1];
    expect(await keys('list')).toMatchObject({
      code: 2,
      err: expect.stringContaining('Name one with --tenant'),
    });
    expect((await keys(`list --tenant ${bob}`)).code).toBe(0);
  });
});
