import type { Engine, Plugin } from '@svc-memory/core';
import type { Logger } from 'pino';
import type { Letters } from './letters.ts';

/** Writes to an agent's humans when it opens a distress signal; not again for what it adds to an open one. */
export function distressMail(engine: Engine, letters: Letters, logger: Logger): Plugin {
  const write = async (tenantId: string) => {
    for (const address of await engine.accounts.addressesOf(tenantId)) letters.distress(address);
  };
  return {
    name: 'distress mail',
    hooks: {
      event: ({ type, tenantId, data }) => {
        if (type !== 'distress.raised' || data.opened !== true) return;
        // In the background: the agent's call must not wait for a mail server.
        write(tenantId).catch((error: unknown) =>
          logger.error({ err: error, tenantId }, 'nobody could be written to about a distress signal'),
        );
      },
    },
  };
}
