import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../mcp/${path}`, import.meta.url), 'utf8'));

/** What the MCP registry's schema of 2025-12-11 demands of the fields that we use. */
const entry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .min(3)
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.string().max(255),
  websiteUrl: z.url(),
  repository: z.strictObject({ url: z.url(), source: z.literal('github'), subfolder: z.string() }),
  packages: z
    .array(
      z.strictObject({
        registryType: z.literal('npm'),
        identifier: z.string(),
        version: z.string().regex(/^\d+\.\d+\.\d+$/),
        runtimeHint: z.literal('npx'),
        transport: z.strictObject({ type: z.literal('stdio') }),
        environmentVariables: z.array(
          z.strictObject({
            name: z.string().regex(/^SVC_[A-Z_]+$/),
            description: z.string(),
            default: z.string().optional(),
            format: z.enum(['string', 'number', 'boolean', 'filepath']),
            isSecret: z.boolean().optional(),
          }),
        ),
      }),
    )
    .length(1),
});

test('server.json is an entry for the MCP registry, and names this package as it is', () => {
  const server = entry.parse(read('server.json'));
  const { name, version, mcpName } = read('package.json');
  expect(server.name).toBe(mcpName);
  expect([server.version, server.packages[0]?.version]).toEqual([version, version]);
  expect(server.packages[0]?.identifier).toBe(name);
});
