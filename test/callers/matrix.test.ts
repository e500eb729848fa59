import { connect } from '@svc-memory/core/client';
import { type AgentMemory, type OperationName, type Route, routes } from '@svc-memory/core/contract';
import { isLong } from '@svc-memory/core/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Code, STATUS_OF } from '../kit/contract-check.ts';
import { useService } from '../kit/service.ts';
import { inputFor } from './calls.ts';
import { EXPECTED, NEEDS_ITS_OWN } from './expected.ts';
import { CALLERS, type Caller, makeWorld, signsIn, type World } from './world.ts';

const service = useService();
const NAMES = Object.keys(routes) as OperationName[];

/** A way to call the service. */
type Door = (caller: Caller) => (name: OperationName, input: object) => Promise<object>;

const DOORS: Readonly<Record<string, Door>> = {
  'in process': ({ tenantId, keyId, boundTo }) => {
    const binding = boundTo === undefined ? {} : { boundTo };
    const actor = { source: 'agent', credentialId: keyId, ...binding } as const;
    return (name, input) => service.kit.engine.call(name, { tenantId, actor }, input);
  },
  'over REST': ({ secret }) => {
    const memory: AgentMemory = connect({ url: service.url, apiKey: secret });
    return (name, input) => (memory[name] as (input: object) => Promise<object>)(input);
  },
};

it('expects something of every route, and of nothing else', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual([...NAMES].sort());
});

/** What a refusal tells: its status, and whatever canary it should not have told. */
function refusalOf(error: { code?: Code; message?: string; details?: unknown }): string {
  const signs = signsIn(JSON.stringify([error.message, error.details]));
  const status = error.code === undefined ? String(error) : String(STATUS_OF[error.code]);
  return signs === '-' ? status : `${status}!${signs}`;
}

// The long form also asks over REST, where a call goes to the same place once its key is read.
describe.each(Object.keys(DOORS).slice(0, isLong() ? undefined : 1))('%s', (door) => {
  let shared: World;
  beforeAll(async () => {
    shared = await makeWorld(service.kit);
  });

  it.each(NAMES)('%s tells each caller what is theirs', async (name) => {
    const world = NEEDS_ITS_OWN.includes(name) ? await makeWorld(service.kit) : shared;
    const { request }: Route = routes[name];
    const told: string[] = [];
    for (const who of CALLERS) {
      const caller = world.callers[who];
      const input = await inputFor(name, Object.keys(request.shape), { world, caller });
      const call = DOORS[door]?.(caller) ?? (() => Promise.reject(new TypeError(door)));
      told.push(await call(name, input).then((answer) => signsIn(JSON.stringify(answer)), refusalOf));
    }
    const cells = (all: readonly string[]) => CALLERS.map((who, place) => `${who}: ${all[place]}`);
    expect(cells(told)).toEqual(cells(EXPECTED[name].split(/\s+/)));
  });
});
