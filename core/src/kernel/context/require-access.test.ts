import { expect, it } from 'vitest';
import type { Access, Route } from '../contract/route.ts';
import type { Actor } from './call.ts';
import { requireAccess } from './require-access.ts';

const callers = {
  'a read key': { source: 'agent', credentialId: 'k', readOnly: true },
  'a full key': { source: 'agent', credentialId: 'k', readOnly: false },
  'a human': { source: 'human', credentialId: 'u' },
  'a caller in the same process': { source: 'agent', credentialId: null },
} as const satisfies Record<string, Actor>;

const may = (route: Pick<Route, 'access' | 'humanDecides'>, caller: Actor) => {
  try {
    requireAccess(route, caller);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'FORBIDDEN' });
    return false;
  }
};

it.each<[Access, boolean, boolean, boolean, boolean]>([
  ['public', true, true, true, true],
  ['read', true, true, true, true],
  ['write', false, true, true, true],
  ['agent', false, true, false, true],
  ['session', false, true, false, true],
  ['human', false, false, true, true],
])('a route for %s: read key %s, full key %s, human %s, same process %s', (access, ...expected) => {
  expect(Object.values(callers).map((caller) => may({ access }, caller))).toEqual(expected);
});

it('a route on which a human decides refuses everyone else, also in the same process', () => {
  const route = { access: 'human', humanDecides: true } as const;
  expect(Object.values(callers).map((caller) => may(route, caller))).toEqual([false, false, true, false]);
  expect(may(route, { source: 'human', credentialId: null })).toBe(true);
});
