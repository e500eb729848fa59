import express from 'express';
import supertest from 'supertest';
import { expect, test, vi } from 'vitest';
import { answerErrors } from '../errors/answer.ts';
import { createLogger } from '../logs/logger.ts';
import { beginRequest } from '../request/begin.ts';
import { boundInProgress } from './in-progress.ts';

test('calls beyond the bound are refused at once, and let in again when others have ended', async () => {
  let end = () => {};
  const blocked = new Promise<void>((resolve) => {
    end = resolve;
  });
  const arrivals: string[] = [];
  const app = express();
  app.get('/call', beginRequest(), boundInProgress(2), async ({ path }, response) => {
    arrivals.push(path);
    await blocked;
    response.json({});
  });
  app.use(answerErrors(createLogger({ level: 'silent' })));
  const server = app.listen(0);
  const statusOf = (path: string) =>
    supertest(server)
      .get(path)
      .then(({ status }) => status);
  const held = ['/call', '/call'].map(statusOf);
  await vi.waitFor(() => expect(arrivals).toHaveLength(2));
  const refused = await supertest(server).get('/call');
  expect(refused.status).toBe(503);
  expect([refused.headers['retry-after'], refused.body.error.code]).toEqual(['1', 'UNAVAILABLE']);
  end();
  expect(await Promise.all(held)).toEqual([200, 200]);
  expect(await statusOf('/call')).toBe(200);
  server.close();
});
