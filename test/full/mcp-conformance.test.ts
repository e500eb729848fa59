import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { useServer } from '../kit/use-server.ts';

const service = useService();
let key: string;
let folder: string;

/** The revisions of MCP that the suite knows the requirements of. */
const REVISIONS = ['2025-11-25', '2026-07-28'] as const;

const INPUT_REQUIRED = 'needs example tools that ask their client for input; no tool here does';
const TASKS = 'the extension of tasks, which is not declared: no tool here leaves its answer for later';

/**
 * Scenarios, or single checks of them, that ask for what this server does not have, with the reason. They call tools, prompts
 * and resources of the suite's own example server by name, which a memory service has no use for; what they would check of
 * the protocol is checked by test/mcp with the tools that there are.
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
  'sep-2575-server-rejects-undeclared-capability': 'needs the example tool test_missing_capability',
  'sep-2575-missing-capability-http-400': 'needs the example tool test_missing_capability',
  'http-custom-header-server-validation': 'needs an example tool with x-mcp-header annotations',
  'input-required-result-basic-elicitation': INPUT_REQUIRED,
  'input-required-result-basic-list-roots': INPUT_REQUIRED,
  'input-required-result-basic-sampling': INPUT_REQUIRED,
  'input-required-result-capability-check': INPUT_REQUIRED,
  'input-required-result-multi-round': INPUT_REQUIRED,
  'input-required-result-multiple-input-requests': INPUT_REQUIRED,
  'input-required-result-non-tool-request': INPUT_REQUIRED,
  'input-required-result-request-state': INPUT_REQUIRED,
  'input-required-result-result-type': INPUT_REQUIRED,
  'input-required-result-tampered-state': INPUT_REQUIRED,
  'tasks-capability-negotiation': TASKS,
  'tasks-dispatch-and-envelope': TASKS,
  'tasks-lifecycle': TASKS,
  'tasks-mrtr-composition': TASKS,
  'tasks-mrtr-input': TASKS,
  'tasks-request-headers': TASKS,
  'tasks-request-state-removal': TASKS,
  'tasks-required-task-error': TASKS,
  'tasks-wire-fields': TASKS,
};

/** Scenarios of each revision that need nothing of the suite's own. */
const MEANINGFUL: Readonly<Record<(typeof REVISIONS)[number], readonly string[]>> = {
  '2025-11-25': [
    ...['server-initialize', 'ping', 'logging-set-level', 'tools-list', 'tools-call-error', 'resources-list'],
    ...['prompts-list', 'dns-rebinding-protection'],
  ],
  '2026-07-28': [
    ...[
      'server-stateless',
      'tools-list',
      'tools-call-error',
      'resources-list',
      'sep-2164-resource-not-found',
    ],
    ...['prompts-list', 'dns-rebinding-protection', 'caching', 'http-header-validation'],
  ],
};

/** The suite cannot send a key: this door adds it, and passes everything else on as it is. */
const door = useServer(
  createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` };
    const { method, url: path } = incoming;
    const onward = request(`${service.url}${path}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.once('error', () => outgoing.destroy());
    incoming.pipe(onward);
  }),
);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-conformance-'));
  ({ key } = await service.signUp());
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A check of a scenario, as the suite writes it down. */
interface Check {
  readonly id: string;
  readonly status: string;
  readonly errorMessage?: string;
}

/**
 * Runs what a revision requires; by scenario, its checks. The suite needs Node 22, which the npm package `node` brings along.
 */
async function conformance(revision: string): Promise<ReadonlyMap<string, readonly Check[]>> {
  const results = join(folder, revision);
  const packages = ['-p', 'node@24', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12'];
  const url = `http://localhost:${door.port}/mcp`;
  const run = ['conformance', 'server', '--url', url, '--requirements', revision, '-o', results];
  const failure = await promisify(execFile)('npx', ['-y', ...packages, '--', ...run], {
    cwd: folder,
    maxBuffer: 64 << 20,
  }).then(
    () => undefined,
    // It exits with 1 when any scenario fails.
    (error: unknown) => error,
  );
  const names = await readdir(results).catch(() => {
    throw failure;
  });
  const checks = await Promise.all(
    names.map(async (name): Promise<[string, readonly Check[]]> => {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name;
      return [scenario, JSON.parse(await readFile(join(results, name, 'checks.json'), 'utf8'))];
    }),
  );
  return new Map(checks);
}

test.each(REVISIONS)(
  'the official MCP conformance suite of %s passes, but for what is not offered',
  {
    timeout: 600_000,
  },
  async (revision) => {
    const scenarios = [...(await conformance(revision))];
    const failures = scenarios.flatMap(([scenario, checks]) =>
      checks
        .filter(({ status }) => status === 'FAILURE')
        .map(({ id, errorMessage }) => ({
          check: `${scenario}: ${id}`,
          reason: NOT_OFFERED[scenario] ?? NOT_OFFERED[id],
          errorMessage,
        })),
    );
    const passed = scenarios.filter(([, checks]) => checks.every(({ status }) => status !== 'FAILURE'));
    process.stdout.write(
      [
        `MCP conformance, ${revision}: ${passed.length} of ${scenarios.length} scenarios passed: ${passed.map(([name]) => name).join(', ')}`,
        'not offered:',
        ...failures.map(({ check, reason }) => `  ${check}: ${reason ?? 'UNEXPECTED'}`),
        '',
      ].join('\n'),
    );
    expect(failures.filter(({ reason }) => reason === undefined)).toEqual([]);
    for (const name of MEANINGFUL[revision]) {
      const checks = scenarios.find(([scenario]) => scenario === name)?.[1] ?? [];
      expect(checks.filter(({ status }) => status === 'SUCCESS').length, name).toBeGreaterThan(0);
    }
  },
);
