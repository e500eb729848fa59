import request from 'supertest';
import { describe, expect, it } from 'vitest';
import { useApp } from '../app/app.fixture.ts';

const open = useApp(() => ({ settings: { host: '0.0.0.0' } }));
const named = useApp(() => ({ settings: { publicUrl: 'https://memory.example/' } }));
const behindProxy = useApp(() => ({ settings: { host: '0.0.0.0', trustedProxies: 1 } }));

const script = async (test: typeof open, headers: Record<string, string>) => {
  const { bearer } = await test.signIn();
  const call = request(test.app).get('/api/v1/setup-script?framework=langchain');
  const { body } = await call.set({ Authorization: bearer, ...headers });
  return String(body.script);
};
const urlIn = (text: string) => /url: '([^']*)'/.exec(text)?.[1];

describe('the address in set-up steps', () => {
  it.each([
    ['127.0.0.1:4321', 'http://127.0.0.1:4321'],
    ['localhost', 'http://localhost'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['memory.lan:8080', 'http://memory.lan:8080'],
  ])('is the host that was asked: %s', async (host, url) => {
    expect(urlIn(await script(open, { Host: host }))).toBe(url);
  });

  it.each(["evil'); await steal('", ...['a b', 'x/..', 'user@host', 'a:123456', 'a:99999', '300.1.1.1']])(
    'is never what is no host: %j',
    async (host) => {
      const text = await script(open, { Host: host });
      expect(text).not.toContain(host);
      expect(urlIn(text) ?? 'http://127.0.0.1:3000').toBe('http://127.0.0.1:3000');
      await request(open.app).get('/.well-known/oauth-protected-resource').set({ Host: host }).expect(404);
    },
  );

  it('is the public address where one is set', async () => {
    expect(urlIn(await script(named, { Host: '127.0.0.1:1' }))).toBe('https://memory.example');
  });

  it('is a forwarded one only from proxies that are trusted', async () => {
    const forwarded = { Host: 'inner:1', 'X-Forwarded-Host': 'outer.example', 'X-Forwarded-Proto': 'https' };
    expect(urlIn(await script(open, forwarded))).toBe('http://inner:1');
    expect(urlIn(await script(behindProxy, forwarded))).toBe('https://outer.example');
  });
});
