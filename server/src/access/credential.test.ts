import type { Access } from '@svc-memory/core/contract';
import { expect, it } from 'vitest';
import { type Caller, requireAccess } from './credential.ts';

const callers = {
  'a read key': { kind: 'key', tenantId: 't', credentialId: 'k', scope: 'read' },
  'a full key': { kind: 'key', tenantId: 't', credentialId: 'k', scope: 'full' },
  'a human': { kind: 'human', tenantId: 't', credentialId: 'u' },
} as const satisfies Record<string, Caller>;

const may = (access: Access, caller: Caller) => {
  try {
    requireAccess(access, caller);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'FORBIDDEN' });
    return false;
  }
};

it.each<[Access, boolean, boolean, boolean]>([
  ['public', true, true, true],
  ['read', true, true, true],
  ['write', false, true, true],
  ['agent', false, true, false],
  ['session', false, true, false],
  ['human', false, false, true],
])('a route for %s: read key %s, full key %s, human %s', (access, ...expected) => {
  expect(Object.values(callers).map((caller) => may(access, caller))).toEqual(expected);
});
