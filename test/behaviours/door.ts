import { connect } from '@svc-memory/core/client';
import { type AgentMemory, type ErrorCode, SvcError } from '@svc-memory/core/contract';
import type { MovableClock } from '@svc-memory/core/testing';
import { expect } from 'vitest';
import { useTestEngine } from '../../core/src/testing/engine.fixture.ts';
import { checkAnswer } from '../kit/contract-check.ts';
import { digestOf, useService } from '../kit/service.ts';

/** An agent's memory as the agent reaches it. */
export interface Lone {
  readonly agent: AgentMemory;
  /** The credential that `source` names; null where there is none. */
  readonly agentId: string | null;
  /** A digest of everything stored for this agent: equal digests, nothing was written. */
  digest(): Promise<string>;
}

/** The same, and as its human reaches it. */
interface Pair extends Lone {
  readonly human: AgentMemory;
  readonly humanId: string | null;
}

/** A way to reach the service. */
export interface Door {
  readonly clock: MovableClock;
  /** A new agent, which sees nothing of the others. */
  newAgent(): Promise<AgentMemory>;
  newLone(): Promise<Lone>;
  /** Takes longer over REST: the human signs up. */
  newPair(): Promise<Pair>;
  /** Runs a background task now, such as `jobs.work`. */
  runTask(name: string): Promise<unknown>;
}

const AGENT_ID = '01a1fd19-0000-7000-8000-00000000000a';
const HUMAN_ID = '01a1fd19-0000-7000-8000-00000000000b';

/** The engine in this process. */
export function useEngineDoor(): Door {
  const kit = useTestEngine();
  const newPair = async (): Promise<Pair> => {
    const { tenantId, agent } = await kit.tenant();
    return {
      agent: agent({ source: 'agent', credentialId: AGENT_ID }),
      human: agent({ source: 'human', credentialId: HUMAN_ID }),
      agentId: AGENT_ID,
      humanId: HUMAN_ID,
      digest: () => digestOf(kit, tenantId),
    };
  };
  return {
    get clock() {
      return kit.clock;
    },
    newPair,
    newLone: newPair,
    newAgent: async () => (await newPair()).agent,
    runTask: (name) => kit.engine.background.run(name),
  };
}

interface SignedUp {
  readonly user: { readonly id: string };
  readonly tenant: { readonly id: string };
  readonly api_key: string;
}

/** The service over HTTP, by its client. Every answer is checked against the contract. */
export function useRestDoor(): Door {
  const service = useService({ settings: { allowSignup: true, signInsPerMinute: 0 } });
  const newLone = async (): Promise<Lone> => {
    const { key, keyId, digest } = await service.signUp();
    const agent = connect({ url: service.url, apiKey: key, retries: 0, fetch: checkedFetch });
    return { agent, agentId: keyId, digest };
  };
  let people = 0;
  const newPair = async (): Promise<Pair> => {
    people += 1;
    const response = await fetch(`${service.url}/api/v1/auth/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: service.url },
      body: JSON.stringify({
        email: `human-${people}@example.com`,
        password: 'correct horse battery',
        display_name: 'Ada',
      }),
    });
    const { user, tenant, api_key: apiKey } = (await response.json()) as SignedUp;
    const cookie = response.headers.getSetCookie().map((one) => one.split(';')[0]);
    const url = service.url;
    const human = connect({ url, apiKey, retries: 0, fetch: asBrowser(url, cookie.join('; ')) });
    const [key] = (await human.apiKeys()).api_keys;
    return {
      agent: connect({ url, apiKey, retries: 0, fetch: checkedFetch }),
      human,
      agentId: key?.id ?? null,
      humanId: user.id,
      digest: () => digestOf(service.kit, tenant.id),
    };
  };
  return {
    get clock() {
      return service.kit.clock;
    },
    newPair,
    newLone,
    newAgent: async () => (await newLone()).agent,
    runTask: (name) => service.kit.engine.background.run(name),
  };
}

const checkedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { pathname, search } = new URL(String(input));
  checkAnswer({
    method: init?.method ?? 'GET',
    path: `${pathname.replace('/api/v1', '')}${search}`,
    status: response.status,
    requestId: response.headers.get('x-request-id'),
    body: await response.clone().json(),
  });
  return response;
};

/** Sends a session in place of the key, as a browser does. */
function asBrowser(origin: string, cookie: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.delete('Authorization');
    headers.set('Cookie', cookie);
    headers.set('Origin', origin);
    return checkedFetch(input, { ...init, headers });
  };
}

/** Checks that a call is refused with this code and leaves no trace; answers the error. */
export async function expectRefused(
  { digest }: Pick<Lone, 'digest'>,
  call: () => Promise<unknown>,
  code: ErrorCode,
  path?: string,
): Promise<SvcError> {
  const before = await digest();
  const error = await call().then(
    (answer) => expect.unreachable(`answered ${JSON.stringify(answer)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof SvcError)) throw error;
  expect(error.code, error.message).toBe(code);
  if (path !== undefined) expect(error.details).toContainEqual(expect.objectContaining({ path }));
  expect(await digest(), 'a refused call must store nothing').toBe(before);
  return error;
}
