import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { useAccounts } from '../accounts/accounts.fixture.ts';
import { caller, serving, useApp } from '../app/app.fixture.ts';

const own = useApp();
let answer = () => {};
const answered = new Promise<void>((resolve) => {
  answer = resolve;
});
/** A repository that answers late, with nothing. */
const late = async function* () {
  await answered;
  yield* [];
};
const human = useAccounts(() => ({}), { importSources: { git: late, s3: late } });

/** Begins to upload a file, of which the rest never comes. */
async function beginUpload(port: number, bearer: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    `POST /api/v1/import?name=a.md HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${bearer}\r\nContent-Length: 1000000\r\n\r\nA note`,
  );
  return socket;
}

it('takes eight uploads of an agent at once, those of others apart', async () => {
  const { bearer } = await own.signIn();
  const other = caller(own.app, (await own.signIn()).bearer);
  await serving(own.app, async (port) => {
    const uploads = await Promise.all(Array.from({ length: 9 }, () => beginUpload(port, bearer)));
    const within = { signal: AbortSignal.timeout(10_000) };
    const answers = uploads.map(async (socket) => String((await once(socket, 'data', within))[0]));
    const refused = await Promise.any(answers).catch(() => 'no answer');
    expect(refused).toMatch(/^HTTP\/1\.1 429 /);
    expect(refused).toMatch(/\r\nRetry-After: 5\r\n/);
    const note = (call: typeof other) =>
      call('post', '/import?name=b.md&dry_run=true').set('Content-Type', 'text/plain').send('Another note.');
    await note(other).expect(200);
    await note(caller(own.app, bearer)).expect(429);
    const files = [{ name: 'c.md', content: 'One more.' }];
    await caller(own.app, bearer)('post', '/import?dry_run=true').send({ files }).expect(429);
    for (const socket of uploads) socket.destroy();
    await expect.poll(async () => (await note(caller(own.app, bearer))).status).toBe(200);
  });
});

it('takes sixteen uploads of all agents of a human at once', async () => {
  const agents = await Promise.all(Array.from({ length: 3 }, () => own.signIn()));
  // Agents that nobody has become the owner's.
  await own.kit.engine.accounts.ensureLocalOwner('Wren');
  const note = (bearer: string) =>
    caller(own.app, bearer)('post', '/import?name=b.md&dry_run=true')
      .set('Content-Type', 'text/plain')
      .send('Another note.');
  await serving(own.app, async (port) => {
    const [first = '', second = '', third = ''] = agents.map(({ bearer }) => bearer);
    const bearers = [...Array<string>(8).fill(first), ...Array<string>(8).fill(second), third];
    const uploads = await Promise.all(bearers.map((bearer) => beginUpload(port, bearer)));
    const within = { signal: AbortSignal.timeout(10_000) };
    const answers = uploads.map(async (socket) => String((await once(socket, 'data', within))[0]));
    expect(await Promise.any(answers).catch(() => 'no answer')).toMatch(/^HTTP\/1\.1 429 /);
    await note(third).expect(429);
    await note((await own.signIn()).bearer).expect(200);
    for (const socket of uploads) socket.destroy();
    await expect.poll(async () => (await note(third)).status).toBe(200);
  });
});

it('takes four imports from elsewhere of an agent at once', async () => {
  const { browser } = await human.signUp();
  const git = { url: 'https://example.com/late.git' };
  const imports = Array.from({ length: 5 }, () => browser.post('/import', { git, dry_run: true }));
  const { status, headers } = await Promise.race(imports);
  expect([status, headers.get('retry-after')]).toEqual([429, '5']);
  answer();
  const statuses = (await Promise.all(imports)).map((one) => one.status);
  expect(statuses.sort()).toEqual([400, 400, 400, 400, 429]);
});
