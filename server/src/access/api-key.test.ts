import type { Access } from '@svc-memory/core/contract';
import { expect, it } from 'vitest';
import { requireAccess } from './api-key.ts';

const may = (access: Access, scope: 'full' | 'read') => {
  try {
    requireAccess(access, { tenantId: 't', keyId: 'k', scope });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'FORBIDDEN' });
    return false;
  }
};

it.each<[Access, boolean, boolean]>([
  ['public', true, true],
  ['read', true, true],
  ['write', false, true],
  ['agent', false, true],
  ['session', false, true],
  ['human', false, false],
])('a route for %s: read key %s, full key %s', (access, read, full) => {
  expect(may(access, 'read')).toBe(read);
  expect(may(access, 'full')).toBe(full);
});
