import { expect, test } from 'vitest';
import { expectRefused } from '../kit/api.ts';
import { useService } from '../kit/service.ts';

/** What stands behind svc_schedule, svc_wip and svc_sync_core, for agents without MCP. */
const service = useService();
const UNKNOWN = '01900000-0000-7000-8000-000000000000';

test('/schedule: created 201, listed, changed, removed; another tenant finds nothing', async () => {
  const [api, stranger] = [await service.signUp(), await service.signUp()];
  const created = await api.post<'createScheduleItem'>('/schedule', { title: 'Audit', due_at: '2026-04-01' });
  expect(created.status).toBe(201);
  const path = `/schedule/${created.body.item.id}`;
  const listed = await api.get<'scheduleItems'>('/schedule?status=scheduled&until=2026-04-01');
  expect(listed.body.items).toEqual([created.body.item]);
  const changed = await api.patch(path, { status: 'done' });
  expect(changed).toMatchObject({ status: 200, body: { item: { status: 'done', title: 'Audit' } } });
  await expectRefused(stranger, () => stranger.get(path), 'NOT_FOUND');
  await expectRefused(stranger, () => stranger.patch(path, { title: 'Mine' }), 'NOT_FOUND');
  await expectRefused(stranger, () => stranger.delete(path), 'NOT_FOUND');
  await expectRefused(api, () => api.patch(path, {}), 'VALIDATION_ERROR');
  await expectRefused(api, () => api.post('/schedule', { title: 'x' }), 'VALIDATION_ERROR', 'due_at');
  expect((await api.delete(path)).status).toBe(200);
  await expectRefused(api, () => api.get(path), 'NOT_FOUND');
});

test('/wip: created 201, listed, changed, removed; another tenant finds nothing', async () => {
  const [api, stranger] = [await service.signUp(), await service.signUp()];
  const created = await api.post<'createWipItem'>('/wip', { title: 'Docs', note: 'half done' });
  expect(created.status).toBe(201);
  const path = `/wip/${created.body.item.id}`;
  expect((await api.get<'wipItems'>('/wip?status=open')).body.items).toEqual([created.body.item]);
  const cleared = await api.patch(path, { note: null, status: 'done' });
  expect(cleared).toMatchObject({ status: 200, body: { item: { note: null, status: 'done' } } });
  await expectRefused(stranger, () => stranger.get(path), 'NOT_FOUND');
  await expectRefused(stranger, () => stranger.delete(path), 'NOT_FOUND');
  await expectRefused(api, () => api.get(`/wip/${UNKNOWN}`), 'NOT_FOUND');
  await expectRefused(api, () => api.post('/wip', { title: 'x'.repeat(201) }), 'VALIDATION_ERROR', 'title');
  expect((await api.delete(path)).status).toBe(200);
});

test('/webhooks/core-sync: 201 with something new, 202 with something queued, 200 without a change', async () => {
  const api = await service.signUp();
  const sync = (content: string) =>
    api.post<'syncCore'>('/webhooks/core-sync', { files: [{ path: 'SOUL.md', content }] });
  const tools = { files: [{ path: 'TOOLS.md', content: 'Git.' }] };
  expect((await api.post<'syncCore'>('/webhooks/core-sync', tools)).status).toBe(201);
  expect((await api.post<'syncCore'>('/webhooks/core-sync', tools)).status).toBe(200);
  expect(await sync('Cruel.')).toMatchObject({ status: 202, body: { changes: { queued: 1 } } });
  expect(await sync('Cruel.')).toMatchObject({ status: 202, body: { changes: { queued: 1, created: 0 } } });
});

test('a repeat with the same Idempotency-Key adds nothing', async () => {
  const api = await service.signUp();
  const headers = { 'Idempotency-Key': 'once' };
  const [first, second] = [
    await api.post<'createWipItem'>('/wip', { title: 'Docs' }, { headers }),
    await api.post<'createWipItem'>('/wip', { title: 'Docs' }, { headers }),
  ];
  expect(second.body.item.id).toBe(first.body.item.id);
  expect((await api.get<'wipItems'>('/wip')).body.items).toHaveLength(1);
});

test('a key of scope read looks and does not write; over the plan the lists still work', async () => {
  const reader = await service.signUp({ scope: 'read' });
  await expectRefused(reader, () => reader.post('/wip', { title: 'x' }), 'FORBIDDEN');
  await expectRefused(
    reader,
    () => reader.post('/webhooks/core-sync', { files: [{ path: 'SOUL.md', content: 'x' }] }),
    'FORBIDDEN',
  );
  expect((await reader.get('/schedule')).status).toBe(200);
  const trial = await service.signUp({ plan: 'trial' });
  await service.spend(trial.tenantId, 10_000);
  await expectRefused(trial, () => trial.post('/wip', { title: 'x' }), 'QUOTA_EXCEEDED');
  expect((await trial.get('/wip')).status).toBe(200);
  expect(
    (await trial.post('/webhooks/core-sync', { files: [{ path: 'TOOLS.md', content: 'x' }] })).status,
  ).toBe(201);
});
