import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { call, connectClient, httpTransport, ok, stdioTransport, useBundle } from './clients.ts';

const service = useService();
const built = useBundle();

/** What a host is told in the environment of `svc-mcp`, or in the address of the endpoint. */
interface Settings {
  readonly tools?: string;
  readonly outputSchemas?: string;
}

const BY = {
  stdio: (key: string, { tools, outputSchemas }: Settings) =>
    stdioTransport(built.bin, {
      SVC_API_URL: service.url,
      SVC_API_KEY: key,
      ...(tools !== undefined && { SVC_MCP_TOOLS: tools }),
      ...(outputSchemas !== undefined && { SVC_MCP_OUTPUT_SCHEMAS: outputSchemas }),
    }),
  'Streamable HTTP': (key: string, { tools, outputSchemas }: Settings) => {
    const query = new URLSearchParams({
      ...(tools !== undefined && { tools }),
      ...(outputSchemas !== undefined && { output_schemas: outputSchemas }),
    });
    return httpTransport(service.url, key, `?${query}`);
  },
};

describe.each(['stdio', 'Streamable HTTP'] as const)('the choice of tools over %s', (kind) => {
  const connect = async (settings: Settings) =>
    connectClient(BY[kind]((await service.signUp()).key, settings));

  test('by default all are listed in at most 8,000 tokens, without the schemas of their answers', async () => {
    const client = await connect({});
    const { tools } = await client.listTools();
    await client.close();
    expect(tools).toHaveLength(19);
    expect(tools.filter(({ outputSchema }) => outputSchema)).toEqual([]);
    const tokens = countTokens(JSON.stringify(tools));
    process.stdout.write(`tools/list over ${kind}: ${tokens} tokens (o200k)\n`);
    expect(tokens).toBeLessThanOrEqual(8_000);
  });

  test('those named are listed and answer, the others are not there', async () => {
    const client = await connect({ tools: ' svc_recall ,svc_remember,', outputSchemas: 'true' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['svc_remember', 'svc_recall']);
    expect(tools.every(({ outputSchema }) => outputSchema?.type === 'object')).toBe(true);
    await ok(client, 'svc_remember', { type: 'semantic', content: 'Maya approves deploys.' });
    expect(await call(client, 'svc_status')).toMatchObject({
      isError: true,
      text: expect.stringContaining('no tool "svc_status"; there are svc_remember, svc_recall.'),
    });
    await client.close();
  });

  test.each([
    [{ tools: 'svc_recal' }, /names \["svc_recal"\].*svc_boot, svc_remember, svc_recall/],
    [{ tools: '*' }, /names \["\*"\]/],
    [{ outputSchemas: 'yes' }, /must be true or false/],
  ])('%j is refused with what it must be', async (settings, message) => {
    await expect(connect(settings)).rejects.toThrow(message);
  });
});
