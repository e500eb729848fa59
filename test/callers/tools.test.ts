import { type AnyTool, tools } from '@svc-memory/core/tools';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Code, STATUS_OF } from '../kit/contract-check.ts';
import { useService } from '../kit/service.ts';
import { call, connectClient, httpTransport } from '../mcp/clients.ts';
import { Things } from './calls.ts';
import { CALLERS, type CallerName, makeWorld, signsIn, type World } from './world.ts';

type Client = Awaited<ReturnType<typeof connectClient>>;

const service = useService();
let world: World;
let clients: ReadonlyMap<CallerName, Client>;
beforeAll(async () => {
  world = await makeWorld(service.kit);
  const opened = CALLERS.map(async (who) => {
    const client = await connectClient(httpTransport(service.url, world.callers[who].secret));
    return [who, client] as const;
  });
  clients = new Map(await Promise.all(opened));
});
afterAll(async () => {
  for (const client of clients.values()) await client.close();
});

interface Expected {
  /** As in `expected.ts`. */
  readonly told: string;
  readonly with?: (things: Things) => object | Promise<object>;
}

const EACH_ITS_OWN = '- - - 403 - - - -';

/** What each tool answers to each caller, by one call or several. */
const EXPECTED: Readonly<Record<string, readonly Expected[]>> = {
  svc_boot: [
    { told: 'A 1+A 10+A 1+A B S S S', with: () => ({ preview: true, context_hint: 'who sleeps by day?' }) },
  ],
  svc_remember: [{ told: '- - - - - 403 - -', with: () => ({ type: 'working', content: 'It rains.' }) }],
  svc_recall: [
    {
      told: 'A 1+A 10+A 1+A B S S S',
      with: () => ({ query: 'who sleeps by day?', threshold: 0, limit: 100 }),
    },
  ],
  svc_recall_exact: [{ told: 'A 1+A 10+A 1+A B S S S', with: () => ({ limit: 100 }) }],
  svc_forget: [
    { told: '404 - 404 - 404 403 - -', with: async (things) => ({ id: await things.memory() }) },
    {
      told: '404 - 404 - 404 403 - -',
      with: async (things) => ({ id: await things.archived(), restore: true }),
    },
  ],
  svc_reflect: [{ told: EACH_ITS_OWN }],
  svc_export: [{ told: 'A 1 10 1 B S S S' }],
  svc_status: [{ told: '- - - - - - - -' }],
  svc_boot_config: [{ told: EACH_ITS_OWN }],
  svc_session_key: [{ told: EACH_ITS_OWN }],
  svc_wip: [
    { told: 'A 1+A 10+A 1+A B - - -', with: () => ({ action: 'list' }) },
    { told: '- - - - - - - -', with: () => ({ action: 'add', title: 'Rest' }) },
    {
      told: '404 1 404 1 404 404 404 404',
      with: async (things) => ({ action: 'done', id: await things.wipItem() }),
    },
  ],
  svc_schedule: [
    { told: 'A 1+A 10+A 1+A B - - -', with: () => ({ action: 'list' }) },
    { told: '- - - - - - - -', with: () => ({ action: 'add', title: 'Rest', due_at: '2026-03-09' }) },
    {
      told: '404 1 404 1 404 404 404 404',
      with: async (things) => ({ action: 'done', id: await things.scheduleItem() }),
    },
  ],
  svc_sync_working: [{ told: '- - - - - 403 - -', with: () => ({ content: '# Plan\n\nWait for the sun.' }) }],
  svc_sync_core: [
    { told: EACH_ITS_OWN, with: () => ({ files: [{ path: 'TOOLS.md', content: '# Tools\n\nA lamp.' }] }) },
  ],
  svc_distress_signal: [{ told: 'A A A 403 B - - -', with: () => ({ context: 'It is dark.' }) }],
  svc_dismiss_drift_check: [
    { told: '404 404 404 403 404 404 404 404', with: () => ({ reason: 'I am well.' }) },
  ],
  svc_visibility: [
    { told: EACH_ITS_OWN },
    {
      told: '403 403 403 403 403 403 403 403',
      with: () => ({ session_key: `svs_${'a'.repeat(36)}`, settings: { default: 'full' } }),
    },
  ],
  svc_script: [{ told: EACH_ITS_OWN }],
  svc_help: [{ told: '- - - - - - - -' }],
};

it('expects something of every tool, and of nothing else', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual(tools.map(({ name }) => name).sort());
});

/** The arguments of a caller, with the user or the space that it calls for, where the tool takes them. */
async function argumentsFor(
  tool: AnyTool,
  who: CallerName,
  expected: Expected,
): Promise<Record<string, unknown>> {
  const caller = world.callers[who];
  const given = (await expected.with?.(new Things(world, caller))) ?? {};
  const fields = Object.keys((tool.input as { shape?: object }).shape ?? {});
  const target = Object.entries(caller.target).filter(([field]) => fields.includes(field));
  return { ...given, ...Object.fromEntries(target) };
}

function statusIn(text: string): string {
  const code = Object.keys(STATUS_OF).find((one) => text.includes(one)) as Code | undefined;
  return code === undefined ? text : String(STATUS_OF[code]);
}

it.each(tools.map((tool) => [tool.name, tool] as const))(
  '%s tells each caller what is theirs',
  async (name, tool) => {
    for (const expected of EXPECTED[name] ?? []) {
      const told: string[] = [];
      for (const who of CALLERS) {
        const client = clients.get(who);
        if (!client) throw new TypeError(who);
        const { text, isError, structured } = await call(
          client,
          name,
          await argumentsFor(tool, who, expected),
        );
        const signs = signsIn(`${text} ${JSON.stringify(structured ?? {})}`);
        told.push(isError ? `${statusIn(text)}${signs === '-' ? '' : `!${signs}`}` : signs);
      }
      const cells = (all: readonly string[]) => CALLERS.map((who, place) => `${who}: ${all[place]}`);
      expect(cells(told)).toEqual(cells(expected.told.split(' ')));
    }
  },
);

it('tells a memory as a resource to those who may read it', async () => {
  const told: string[] = [];
  for (const who of CALLERS) {
    const id = await new Things(world, world.callers[who]).memory();
    const reading = clients.get(who)?.readResource({ uri: `svc://memory/${id}` });
    told.push(
      await Promise.resolve(reading).then(
        (found) => signsIn(JSON.stringify(found)),
        (error: Error) => signsIn(error.message),
      ),
    );
  }
  // A resource names no user: only the key that is bound to one reads what is the user's.
  expect(told).toEqual(['-', '-', '-', '1', '-', 'S', 'S', 'S']);
});

it('tells the boot text as a resource, of each its own', async () => {
  const told: string[] = [];
  for (const who of CALLERS) {
    told.push(signsIn(JSON.stringify(await clients.get(who)?.readResource({ uri: 'svc://boot' }))));
  }
  expect(told).toEqual(['A', 'A', 'A', '1+A', 'B', 'S', 'S', 'S']);
});
