import { expect, it } from 'vitest';
import { createSecretBox, UnreadableSecretError } from './secret-box.ts';

const box = createSecretBox('a long secret of the service');

it('opens what it sealed, and never seals the same way twice', () => {
  const sealed = box.seal('whsec_abc', 'endpoint-1');
  expect(box.open(sealed, 'endpoint-1')).toBe('whsec_abc');
  expect(sealed).not.toContain('whsec_abc');
  expect(box.seal('whsec_abc', 'endpoint-1')).not.toBe(sealed);
});

it.each([
  ['another owner', (sealed: string) => box.open(sealed, 'endpoint-2')],
  ['another key', (sealed: string) => createSecretBox('another secret').open(sealed, 'endpoint-1')],
  [
    'a change',
    (sealed: string) =>
      box.open(
        sealed.replace(/(?<=^v1\.)./, (first) => (first === 'A' ? 'B' : 'A')),
        'endpoint-1',
      ),
  ],
  ['a cut', (sealed: string) => box.open(sealed.slice(0, 12), 'endpoint-1')],
  ['nothing', () => box.open('', 'endpoint-1')],
])('does not open for %s', (_name, open) => {
  const sealed = box.seal('whsec_abc', 'endpoint-1');
  expect(() => open(sealed)).toThrow(UnreadableSecretError);
});
