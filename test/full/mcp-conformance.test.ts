import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';

const service = useService();
let door: Server;
let url: string;
let folder: string;

/**
 * Scenarios that ask for what this server does not have, with the reason. They call tools, prompts and resources of
 * the suite's own example server by name, which a memory service has no use for; what they would check of the protocol
 * is checked by test/mcp with the tools that there are.
 */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  'completion-complete': 'needs the example prompt test_prompt_with_arguments',
  'tools-call-image': 'needs the example tool test_image_content',
  'tools-call-audio': 'needs the example tool test_audio_content',
  'tools-call-embedded-resource': 'needs the example tool test_embedded_resource',
  'tools-call-mixed-content': 'needs the example tool test_multiple_content_types',
  'tools-call-with-logging': 'needs the example tool test_tool_with_logging',
  'tools-call-with-progress': 'needs the example tool test_tool_with_progress',
  'tools-call-sampling': 'needs the example tool test_sampling',
  'tools-call-elicitation': 'needs the example tool test_elicitation',
  'json-schema-2020-12': 'needs the example tool json_schema_2020_12_tool',
  'server-sse-polling': 'needs the example tool test_reconnection',
  'elicitation-sep1034-defaults': 'needs an example tool that asks its user',
  'elicitation-sep1330-enums': 'needs an example tool that asks its user',
  'resources-read-text': 'needs the example resource test://static-text',
  'resources-read-binary': 'needs the example resource test://static-binary',
  'resources-templates-read': 'needs the example template test://template/{id}/data',
  'resources-subscribe':
    'over HTTP without sessions only by subscriptions/listen of 2026-07-28; not declared',
  'resources-unsubscribe':
    'over HTTP without sessions only by subscriptions/listen of 2026-07-28; not declared',
  'prompts-get-simple': 'needs the example prompt test_simple_prompt',
  'prompts-get-with-args': 'needs the example prompt test_prompt_with_arguments',
  'prompts-get-embedded-resource': 'needs the example prompt test_prompt_with_embedded_resource',
  'prompts-get-with-image': 'needs the example prompt test_prompt_with_image',
};

/** Scenarios that pass although they ask for what is not offered: the suite is content with any well-formed answer. */
const WITHOUT_MEANING = ['tools-call-simple-text', 'server-sse-multiple-streams'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-conformance-'));
  const { key } = await service.signUp();
  // The suite cannot send a key: this door adds it, and passes everything else on as it is.
  door = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { method, url: path } = incoming;
    const onward = request(`${service.url}${path}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  url = `http://localhost:${(door.address() as AddressInfo).port}/mcp`;
});
afterAll(async () => {
  door?.closeAllConnections();
  door?.close();
  await rm(folder, { recursive: true, force: true });
});

/** The suite needs Node 22, which the npm package `node` brings along. */
async function conformance(...args: string[]): Promise<string> {
  const packages = ['-p', 'node@24', '-p', '@modelcontextprotocol/conformance@0.1.16'];
  const command = ['-y', ...packages, '--', 'conformance', ...args];
  try {
    return (await promisify(execFile)('npx', command, { cwd: folder, maxBuffer: 64 << 20 })).stdout;
  } catch (error) {
    // It exits with 1 when any scenario fails.
    if (error instanceof Error && 'stdout' in error && error.stdout !== '') return String(error.stdout);
    throw error;
  }
}

test('the official MCP conformance suite passes, but for what is not offered', {
  timeout: 600_000,
}, async () => {
  const output = await conformance('server', '--url', url, '--suite', 'all');
  const results = [...output.matchAll(/^\s*([✓✗])\s+([\w-]+): (\d+) passed, (\d+) failed/gm)].map(
    ([, mark, name = '', passed, failed]) => ({ ok: mark === '✓', name, passed, failed }),
  );
  expect(results.length, output.slice(-3_000)).toBeGreaterThan(25);
  const passed = results.filter(({ ok }) => ok).map(({ name }) => name);
  const failed = results.filter(({ ok }) => !ok).map(({ name }) => name);
  const lines = failed.map((name) => `  ${name}: ${NOT_OFFERED[name] ?? 'UNEXPECTED'}`);
  process.stdout.write(
    [
      `MCP conformance: ${passed.length} of ${results.length} scenarios passed: ${passed.join(', ')}`,
      `of these without meaning: ${passed.filter((name) => WITHOUT_MEANING.includes(name)).join(', ')}`,
      'not offered:',
      ...lines,
      '',
    ].join('\n'),
  );
  expect(
    failed.filter((name) => !Object.hasOwn(NOT_OFFERED, name)),
    output.slice(-6_000),
  ).toEqual([]);
  for (const name of [
    'server-initialize',
    'ping',
    'logging-set-level',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ]) {
    expect(passed).toContain(name);
  }
});
