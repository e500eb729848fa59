import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createSecretBox } from '@svc-memory/core';
import { expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../../test/kit/listen.ts';
import { useApp } from '../app/app.fixture.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const [, section = ''] = /^## Webhooks\n([\s\S]*?)^## /m.exec(readme) ?? [];
const [, snippet = ''] = /^```js\n([\s\S]*?)^```$/m.exec(section) ?? [];

/** The fields that the README names, by type of event. */
const documented = new Map(
  [...section.matchAll(/^\| (`.+?) +\| (.+?) +\|$/gm)].flatMap(([, types = '', fields = '']) => {
    const namesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    return namesIn(types).map((type) => [type, namesIn(fields)] as const);
  }),
);

const webhooks = { secrets: createSecretBox('secret of the test'), allowPrivate: true };
const test = useApp({}, { webhooks, clock: () => new Date() });
const human = { source: 'human', credentialId: null } as const;
const isEvent = (line: string) => /^[a-z]+\.[a-z_]+ \{/.test(line);

/** Runs the receiver of the README, as it stands there. */
async function startReceiver(port: number, secret: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', snippet], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { PATH: process.env.PATH, PORT: String(port), WEBHOOK_SECRET: secret },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const ended = once(child, 'exit');
  onTestFinished(async () => {
    child.kill();
    await ended;
  });
  await vi.waitFor(() => once(connect(port, '127.0.0.1').unref(), 'connect'), { timeout: 20_000 });
  return () =>
    said
      .split('\n')
      .filter(isEvent)
      .map((line) => ({ type: line.split(' ')[0] ?? '', data: JSON.parse(line.slice(line.indexOf('{'))) }));
}

async function registered() {
  const { tenantId } = await test.signIn();
  const { engine } = test.kit;
  const [agent, owner] = [engine.agent(tenantId), engine.agent(tenantId, human)];
  const url = `http://127.0.0.1:${await freePort()}/events`;
  const { endpoint, secret } = await owner.createEventEndpoint({ url });
  const told = await startReceiver(Number(new URL(url).port), secret);
  return { tenantId, engine, agent, owner, endpoint, url, told };
}
const deliver = () => test.kit.engine.background.run('events.deliver');

it('the receiver of the README hears of an event once, and believes nobody else', {
  timeout: 60_000,
}, async () => {
  const { agent, owner, endpoint, url, told } = await registered();
  const { memory } = await agent.remember({ type: 'semantic', content: 'canary-content' });
  await deliver();
  await vi.waitFor(() => expect(told()).toHaveLength(1));
  const data = { memory_id: memory.id, type: 'semantic', version: 1, outcome: 'created' };
  expect(told()).toEqual([{ type: 'memory.stored', data }]);
  const logOf = async () => (await owner.eventDeliveries({ id: endpoint.id })).deliveries;
  const delivery_id = (await logOf()).at(-1)?.id ?? '';
  await owner.replayEventDelivery({ id: endpoint.id, delivery_id });
  await owner.testEventEndpoint({ id: endpoint.id });
  await deliver();
  expect((await logOf()).map(({ status }) => status)).toEqual(['delivered', 'delivered']);
  await vi.waitFor(() => expect(told().at(-1)?.type).toBe('endpoint.test'));
  expect(told()).toHaveLength(2);
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': `${Math.floor(Date.now() / 1_000)}` };
  const forged = { ...headers, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}` };
  for (const sent of [forged, headers, {}]) {
    const { status } = await fetch(url, { method: 'POST', headers: sent, body: '{}' });
    expect(status).toBe(401);
  }
});

it('the README names each event, and what is in it', { timeout: 60_000 }, async () => {
  const { tenantId, engine, agent, owner, endpoint, told } = await registered();
  const types = [...documented.keys()].filter((type) => type !== 'endpoint.test');
  await owner.updateEventEndpoint({ id: endpoint.id, events: types });
  // An unknown filter is refused with the names of all there are.
  const refused = await owner.updateEventEndpoint({ id: endpoint.id, events: ['x'] }).catch(String);
  const known = /one of (.*)$/.exec(String(refused))?.[1]?.split(', ') ?? [];
  expect(types.toSorted()).toEqual(known.toSorted());

  const core = { type: 'core', category: 'identity' } as const;
  const { memory: who } = await owner.remember({ ...core, content: 'I am Ada, who never deletes a branch.' });
  const change = async () => {
    const asked = await agent.update({ id: who.id, content: 'I am Eve, who deletes each branch she sees.' });
    if (!asked.entry) throw new Error('the Guardian let it pass');
    return asked.entry.id;
  };
  await owner.rejectChange({ id: await change() });
  await agent.withdrawChange({ id: await change() });
  await owner.approveChange({ id: await change() });
  const { memory: first } = await agent.remember({
    type: 'semantic',
    content: 'The port is 1.',
    user_id: 'u1',
  });
  await agent.remember({
    type: 'semantic',
    content: 'The port is 2.',
    supersedes: [first.id],
    user_id: 'u1',
  });
  const { memory: gone } = await agent.remember({ type: 'working', content: 'canary-content' });
  await agent.forget({ id: gone.id });
  await agent.restore({ id: gone.id });
  await agent.recall({ query: 'the port' });
  await agent.query({ type: 'working' });
  for await (const _ of engine.streams(tenantId).export());
  for (const n of [1, 2, 3])
    await agent.remember({
      ...{ type: 'episodic', content: `Maya painted boat ${n} red.`, session_id: 's' },
      occurred_at: '2026-01-05T12:00:00Z',
    });
  await agent.reflect();
  await engine.background.run('jobs.work');
  await agent.distress({ context: 'canary-content' });
  await owner.acknowledgeDistress();
  // Before anything is hidden: numbers are left out afterwards.
  await deliver();
  const { session_key: sessionKey } = await agent.sessionKey();
  await agent.setVisibility({ tags: { x: 'hidden' } }, { sessionKey });
  const { space } = await agent.createSpace({ name: 'S' });
  await agent.deleteSpace({ space_id: space.id });
  await deliver();

  const caused = told();
  for (const { type, data } of caused) {
    const names = new Set(documented.get(type) ?? ['no such event']);
    if ('user_id' in data) names.add('user_id');
    if (data.kind === 'recall') names.delete('results');
    expect(Object.keys(data).toSorted(), type).toEqual([...names].toSorted());
  }
  expect(JSON.stringify(caused)).not.toContain('canary-content');
  expect(new Set(caused.map(({ type }) => type)).size).toBeGreaterThan(14);
});
