import { createServer, get } from 'node:http';
import { expect, it } from 'vitest';
import { useServer } from '../../../test/kit/use-server.ts';
import { useApp } from '../app/app.fixture.ts';

const test = useApp();
const server = useServer(createServer((request, response) => test.app(request, response)));

/** Asks as a browser does, and reads nothing: the headers say it all. */
function ask(path: string, bearer: string, accepts: string): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: bearer, 'accept-encoding': accepts };
    get({ port: server.port, path: `/api/v1${path}`, headers }, (response) => {
      resolve(response.headers);
      response.destroy();
    }).on('error', reject);
  });
}

it('long answers are compressed as the client likes it best; short ones and live streams are not', async () => {
  const { tenantId } = await test.signIn();
  const { secret } = await test.kit.engine.apiKeys.create(tenantId, { name: 'browser', scope: 'full' });
  const bearer = `Bearer ${secret}`;
  await test.kit.engine.agent(tenantId).rememberBatch({
    memories: Array.from({ length: 60 }, (_, n) => ({
      type: 'episodic' as const,
      content: `Episode ${n}: ${'word '.repeat(50)}`,
    })),
  });
  const encoding = async (path: string, accepts: string) =>
    (await ask(path, bearer, accepts))['content-encoding'];
  expect(await encoding('/memories/map', 'gzip, deflate, br')).toBe('br');
  expect(await encoding('/memories/map', 'gzip')).toBe('gzip');
  expect(await encoding('/memories/map', 'identity')).toBeUndefined();
  expect(await encoding('/status', 'gzip, br')).toBeUndefined();
  expect(await encoding('/events/stream', 'gzip, br')).toBeUndefined();
  expect(await ask('/export', bearer, 'br')).toMatchObject({ 'content-encoding': 'br' });
});
