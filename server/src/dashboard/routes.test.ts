import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../app/app.fixture.ts';

const HTML = '<!doctype html><meta property="csp-nonce" nonce="{{nonce}}"><p>dashboard</p>';
const SCRIPT = 'export {};'.repeat(200);
const BROWSER = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('the dashboard', () => {
  const place = { folder: '' };
  beforeAll(async () => {
    place.folder = await mkdtemp(join(tmpdir(), 'svc-dashboard-'));
    await mkdir(join(place.folder, 'assets'), { recursive: true });
    await writeFile(join(place.folder, 'index.html'), HTML);
    await writeFile(join(place.folder, 'assets/index-abc.js'), SCRIPT);
    await writeFile(join(place.folder, 'assets/index-abc.js.br'), brotliCompressSync(SCRIPT));
    await writeFile(join(place.folder, 'assets/former.js'), SCRIPT);
  });
  afterAll(() => rm(place.folder, { recursive: true }));

  const test = useApp(() => ({
    dashboard: { folder: place.folder, html: HTML, paths: ['/', '/memories', '/memories/:id'] },
  }));
  const open = (path: string, accept = BROWSER) => supertest(test.app).get(path).set('Accept', accept);

  it('opens at its own paths and nowhere else', async () => {
    for (const path of ['/', '/memories', '/memories/42']) {
      const { text, headers } = await open(path).expect(200);
      expect(text).toContain('<p>dashboard</p>');
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
    }
    for (const path of ['/api/v1/elsewhere', '/api', '/mcp', '/auth/elsewhere', '/assets/elsewhere']) {
      const { status, text } = await open(path);
      expect([path, status >= 400, text.includes('dashboard')]).toEqual([path, true, false]);
    }
  });

  it('tells a browser at any other address that there is no page, and others by JSON', async () => {
    for (const path of ['/Memories', '/memories/42/x', '/elsewhere', '/no/such/page']) {
      const { text, headers } = await open(path).expect(404);
      expect(text).toContain('<p>dashboard</p>');
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      const { body } = await open(path, 'application/json').expect(404);
      expect(body).toMatchObject({ success: false, error: { code: 'NOT_FOUND' } });
      await supertest(test.app).post(path).set('Accept', BROWSER).expect(404).expect('Content-Type', /json/);
    }
  });

  it('breaks off where a file is gone since the start, and goes on', async () => {
    await open('/assets/former.js').expect(200);
    await rm(join(place.folder, 'assets/former.js'));
    await expect(open('/assets/former.js')).rejects.toThrow(/aborted|hang up/);
    await open('/').expect(200);
  });

  it('leaves JSON to those who ask for it, or for nothing', async () => {
    for (const accept of ['application/json', '*/*']) {
      const { body } = await open('/', accept).expect(200);
      expect(body).toMatchObject({ success: true, docs: '/api/v1/docs' });
    }
    await open('/memories', 'application/json').expect(404);
  });

  it('lets nothing run but its own files, with a nonce of its own for each answer', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const { headers, text } = await open('/').expect(200);
        const policy = String(headers['content-security-policy']);
        const nonce = /'nonce-([\w+/=]+)'/.exec(policy)?.[1] ?? '';
        expect(text).toContain(`nonce="${nonce}"`);
        expect(policy).not.toMatch(/unsafe|\*|https?:/);
        expect(policy).toContain("default-src 'none'; script-src 'self';");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(headers).toMatchObject({
          'cache-control': 'no-store',
          'x-content-type-options': 'nosniff',
          'x-frame-options': 'DENY',
          'referrer-policy': 'no-referrer',
        });
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
    expect(nonces[0]).toMatch(/^[\w+/=]{20,}$/);
  });

  it('hands its files over compressed, to be kept for good', async () => {
    const { headers, text } = await open('/assets/index-abc.js').set('Accept-Encoding', 'br').expect(200);
    expect(headers).toMatchObject({
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy':
        "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
    });
    expect(text).not.toBe('');
    const plain = await open('/assets/index-abc.js').set('Accept-Encoding', 'identity').expect(200);
    expect(plain.headers['content-encoding']).toBeUndefined();
    await open('/assets/index-old.js').expect(404);
    await open('/assets/../../package.json').expect(404);
    await open('/assets/%2e%2e/%2e%2e/package.json').expect(404);
  });
});
