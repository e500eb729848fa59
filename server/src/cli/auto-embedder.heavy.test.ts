import { join } from 'node:path';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, test, vi } from 'vitest';
import { useServedModel } from './auto-embedder.fixture.ts';
import { startService } from './cli.fixture.ts';

/** Each of several commands opens a database, which takes a slow machine seconds. */
const SLOW = 240_000;

const { folder, server, auto, doctor } = await useServedModel();

test(
  'a new store gets the model that is there, and keeps it while its server is away',
  async () => {
    await makeDataFolder(join(folder.path, 'new'));
    const first = startService({ ...auto('new'), SVC_LOG_LEVEL: 'info' });
    await first.ready();
    const line = `openai:nomic-embed-text, which the server of SVC_EMBEDDER_URL serves at ${server.url}`;
    await vi.waitFor(() => expect(first.err()).toContain(`"msg":"the embedder is ${line}"`));
    const key = /API key +(svc_\w+)/.exec(first.out())?.[1] ?? '';
    await fetch(`${first.url()}/api/v1/memories`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: '{"type": "semantic", "content": "The kettle whistles."}',
    });
    expect(await doctor('new'), 'while it runs').toContain(
      '✓ Embedder: auto is openai:nomic-embed-text, in use here already, which',
    );
    first.process.kill('SIGTERM');
    await first.ended;

    server.models = [];
    const second = startService({ ...auto('new'), SVC_LOG_LEVEL: 'info' });
    await second.ready();
    const lost = 'openai:nomic-embed-text, in use here already, which no server on this machine serves now';
    await vi.waitFor(() => expect(second.err()).toContain(`the embedder is ${lost}`));
    const out = await doctor('new');
    expect(out).toContain(`✓ Embedder: auto is ${lost}`);
    expect(out).toMatch(/✗ Embedder: The embedder openai:nomic-embed-text is served by none of these/);
    server.models = ['nomic-embed-text'];
    const well = await doctor('new');
    expect(well).toContain('✓ Embedder: auto is openai:nomic-embed-text, in use here already, which');
    expect(well).toMatch(/✓ Embedder: openai:nomic-embed-text gives vectors of 48 numbers/);
  },
  SLOW,
);
