import type { Entry } from './guardian.tsx';

const WHO: Readonly<Record<Entry['requested_by']['kind'], string>> = {
  agent: 'your agent',
  human: 'you',
  sync: 'a synced file',
  import: 'an import',
  webhook: 'a webhook',
  reflection: 'reflection',
};

/** Who asked or decided, as a human would say it. */
export function whoOf({ kind }: Entry['requested_by']): string {
  return WHO[kind];
}
