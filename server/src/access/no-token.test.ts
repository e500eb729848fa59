import request from 'supertest';
import { expect, it } from 'vitest';
import { useApp } from '../app/app.fixture.ts';

const test = useApp();
const SECRET = `svc_${'a'.repeat(36)}`;

it.each<[string, string, Record<string, string>, RegExp]>([
  ['nothing', '/status', {}, /^This call carries no API key and no sign-in: .*Bearer <API key>"\.$/],
  ['X-API-Key', '/status', { 'X-API-Key': SECRET }, /Bearer <API key>".* are not read\.$/],
  ['?api_key=', `/status?api_key=${SECRET}`, {}, /Bearer <API key>".* are not read\.$/],
  ['Basic', '/status', { Authorization: 'Basic YTpi' }, /^The Authorization header holds no bearer token/],
  [
    '10 KiB',
    '/status',
    { Authorization: `Bearer svc_${'a'.repeat(10_240)}` },
    /^The Authorization header holds no bearer token/,
  ],
  ['an empty one', '/status', { Authorization: 'Bearer' }, /^The Authorization header holds no bearer token/],
  ['a bare key', '/status', { Authorization: SECRET }, /^The Authorization header holds no bearer token/],
  [
    'a wrong key',
    '/status',
    { Authorization: `Bearer ${SECRET}` },
    /^The API key is unknown, expired or revoked\.$/,
  ],
  ['a word', '/status', { Authorization: 'Bearer hello' }, /^The API key is unknown, expired or revoked\.$/],
])('a 401 says what is wrong: %s', async (_, path, headers, message) => {
  const { status, body } = await request(test.app).get(`/api/v1${path}`).set(headers);
  expect([status, body.error.code]).toEqual([401, 'UNAUTHORIZED']);
  expect(body.error.message).toMatch(message);
  expect(JSON.stringify(body)).not.toContain(SECRET);
});
