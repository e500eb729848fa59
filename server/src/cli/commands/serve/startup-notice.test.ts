import { expect, test } from 'vitest';
import { startupNotice } from './startup-notice.ts';

const base = {
  role: 'all' as const,
  url: 'http://127.0.0.1:3000',
  data: 'Postgres, postgres://ada:***@db/memories',
  noTenant: false,
};

test('a start that made no key shows address, data and documentation only', () => {
  expect(startupNotice({ ...base, access: { outcome: 'kept' } }).trim()).toBe(
    [
      'The Agent Memory Service is running.',
      '',
      '  Address   http://127.0.0.1:3000',
      '  Data      Postgres, postgres://ada:***@db/memories',
      '  API docs  http://127.0.0.1:3000/api/v1/docs',
      '',
      'Stop it with Ctrl-C.',
    ].join('\n'),
  );
});

test('on a database server without a tenant it says how to make one', () => {
  const notice = startupNotice({ ...base, access: { outcome: 'kept' }, noTenant: true });
  expect(notice).toContain('npx svc-memory keys create --new-tenant "My agent"');
});

test('behind a proxy that gives it a path it says what does not work below one', () => {
  const at = (publicUrl: string) => startupNotice({ ...base, access: { outcome: 'kept' }, publicUrl });
  expect(at('https://example.com/memory')).toContain('SVC_PUBLIC_URL has a path.');
  expect(at('https://memory.example.com')).not.toContain('SVC_PUBLIC_URL');
});

test('a worker says what it answers, and names no documentation', () => {
  const notice = startupNotice({ ...base, role: 'worker', access: { outcome: 'kept' } });
  expect(notice).toContain('answers /health, /ready and /metrics');
  expect(notice).not.toContain('docs');
});
