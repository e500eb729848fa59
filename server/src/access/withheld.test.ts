import { createSecretBox } from '@svc-memory/core';
import { type OperationName, type Route, routes } from '@svc-memory/core/contract';
import { cases, isLong } from '@svc-memory/core/testing';
import { describe, expect, it } from 'vitest';
import { type Browser, useAccounts } from '../accounts/accounts.fixture.ts';
import { PROBED, type Probe, probesOf } from './withheld-probes.fixture.ts';
import {
  buildWorld,
  type Hidden,
  RULE_KINDS,
  type RuleKind,
  START,
  type World,
} from './withheld-world.fixture.ts';

const service = useAccounts(() => ({}), {
  webhooks: { secrets: createSecretBox('secret of the test'), allowPrivate: true },
});

/** What a caller can tell of an answer, with ids by the order in which they first came. */
type Seen = readonly [request: string, status: number, type: string | null, body: unknown];

interface Tenant {
  readonly world: World;
  ask(probe: Probe): Promise<Seen>;
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
const SECRET = /\b(?:svc_|svs_|whsec_)[\w+/=-]+/g;
/** The audit log of each agent has hashes of its own. */
const HASH = /\b[0-9a-f]{64}\b/g;
const CURSOR = /^[\w-]{40,}$/;
/** The plan counts what the agent does, whatever it is about; and each key has letters of its own. */
const OWN = ['operations_this_month', 'request_id', 'hint', 'prefix', 'last_four'];

function createNamer(known: readonly string[]) {
  const names = new Map<string, string>();
  const nameOf = (id: string) => {
    const name = names.get(id) ?? `<${names.size}>`;
    names.set(id, name);
    return name;
  };
  for (const id of known) nameOf(id);
  const rename = (value: unknown, field = ''): unknown => {
    if (OWN.includes(field)) return '<own>';
    if (Array.isArray(value)) return value.map((item) => rename(item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rename(part, name)]));
    }
    if (typeof value !== 'string') return value;
    if (field === 'next_cursor' && CURSOR.test(value)) {
      return Buffer.from(value, 'base64url').toString('utf8').replace(UUID, nameOf);
    }
    return value.replace(HASH, '<hash>').replace(SECRET, '<secret>').replace(UUID, nameOf);
  };
  return rename;
}

async function open(kind: RuleKind, hidden?: Hidden): Promise<Tenant> {
  service.kit.clock.set(new Date(START));
  const { browser, tenantId } = await service.signUp();
  const made = await browser.post('/event-endpoints', { url: 'http://127.0.0.1:45999/hook' });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  const world = await buildWorld(service, { tenantId, endpointId: made.body.endpoint.id }, kind, hidden);
  const rename = createNamer([
    ...world.hidden.memories.map(({ id }) => id),
    ...[tenantId, world.endpointId, world.archivedId, world.rivalId],
    ...world.visible,
  ]);
  return {
    world,
    ask: async (probe) => {
      const { status, headers, body } = await send(browser, probe);
      if (status < 300 && typeof body === 'object') checkShape(probe, body);
      const request = `${probe.method} ${probe.path} ${JSON.stringify(probe.body ?? {})}`;
      return [String(rename(request)), status, headers.get('content-type'), rename(body)];
    },
  };
}

function send(browser: Browser, { method, path, body, headers }: Probe) {
  if (method === 'GET') return browser.get(path, headers);
  if (method === 'POST') return browser.post(path, body, headers);
  return method === 'PATCH' ? browser.patch(path, body, headers) : browser.delete(path, headers);
}

/** What is redacted must still be an answer of its route. */
function checkShape({ name }: Probe, { success, ...answer }: Record<string, unknown>) {
  const parsed = routes[name].response.safeParse(answer);
  expect([success, parsed.error?.issues], name).toEqual([true, undefined]);
}

/** Asks both tenants the same and expects the same. */
async function compare(hiding: Tenant, plain: Tenant, choose: Choice) {
  const [first, second] = [choose(hiding.world), choose(plain.world)];
  expect(first).toHaveLength(second.length);
  const differences: string[] = [];
  for (const [index, probe] of first.entries()) {
    const other = second[index];
    if (!other) throw new TypeError('both lists are as long');
    // What the calls themselves leave behind has an order, too.
    service.kit.clock.advance(1_000);
    const seen = [await hiding.ask(probe), await plain.ask(other)];
    const [text = '', otherText = ''] = seen.map((one) => JSON.stringify(one));
    if (text !== otherText) differences.push(differenceOf(text, otherText));
  }
  // As one text, which the report of a failure does not shorten.
  expect(differences.join('\n')).toBe('');
}

/** Where two answers part, after some of what they have in common. */
function differenceOf(text: string, other: string): string {
  const at = [...text].findIndex((character, index) => character !== other[index]);
  const [request] = JSON.parse(text) as Seen;
  const part = (whole: string) => whole.slice(Math.max(0, at - 60), at + 60);
  return `${request}: …${part(text)}… is …${part(other)}… where nothing is hidden`;
}

type Choice = (world: World) => readonly Probe[];

/** The first probe of each operation. */
const firstOfEach = (probes: readonly Probe[]) => {
  const seen = new Set<string>();
  return probes.filter(({ name }) => !seen.has(name) && seen.add(name));
};
const reads: Choice = (world) => probesOf(world, 'reads');
const each: Choice = (world) => firstOfEach(reads(world));
const writes =
  (undoes: boolean): Choice =>
  (world) =>
    probesOf(world, 'writes').filter(({ name }) => (name === 'undo') === undoes);

// The short form asks after the kind of rule that goes the longest way.
const KINDS = Object.entries(RULE_KINDS).slice(isLong() ? 0 : -1);

/** Of how many kinds of rule each probe is asked: in the long form of all, or of fewer with SVC_TEST_TIMES below 1. */
const KINDS_A_PROBE = isLong() ? cases(1, KINDS.length) : 0;

/**
 * Of the probes of one kind of rule those that are asked: its share, and of writes also each operation once. Of reads the short
 * form asks each once, too; the long form does so behind the writes.
 */
const shareOf =
  (kind: number, choose: Choice): Choice =>
  (world) => {
    const probes = choose(world);
    const first = new Set(isLong() && choose === reads ? [] : firstOfEach(probes));
    return probes.filter((probe, index) => first.has(probe) || (index + kind) % KINDS.length < KINDS_A_PROBE);
  };

describe('memories hidden from the human', () => {
  it('are looked for by every operation that a human may call', () => {
    const names = Object.keys(routes) as OperationName[];
    const open = names.filter((name) => !['agent', 'session'].includes((routes[name] as Route).access));
    expect([...PROBED].sort()).toEqual(open.sort());
  });

  it.each(KINDS.map(([name, kind], index) => ({ name, kind, index })))(
    'by $name change nothing that any operation answers to a human',
    async ({ kind, index }) => {
      const hiding = await open(kind);
      const { hidden } = hiding.world;
      expect(hidden.memories.length).toBeGreaterThan(2);
      expect(hidden.deliveryIds.length).toBeGreaterThan(2);
      const plain = await open(kind, hidden);
      await compare(hiding, plain, shareOf(index, reads));
      await compare(hiding, plain, shareOf(index, writes(false)));
      await service.kit.engine.background.run('jobs.work');
      if (isLong()) await compare(hiding, plain, each);
      await compare(hiding, plain, writes(true));
      await compare(hiding, plain, each);
      // Nor has any of it been changed.
      const { export: after } = await hiding.world.agent.export();
      const now = new Map(
        [...Object.values(after.memories).flat(), ...after.archived].map((memory) => [memory.id, memory]),
      );
      for (const memory of hidden.memories) expect(now.get(memory.id)).toEqual(memory);
    },
    600_000,
  );
});
