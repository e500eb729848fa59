import type { Engine } from '@svc-memory/core';
import type { ControlActions } from '../control-door.ts';
import type { EngineAction } from '../engine-action.ts';
import { readAuditLog, verifyAuditLogs } from './audit.ts';
import { createKey, listKeys, revokeKey, rotateKey } from './keys.ts';
import { readJob, startReembedding } from './reembed.ts';
import { scrub } from './scrub.ts';
import { changePlan, giveAgent, listTenants, takeAgent } from './tenants.ts';
import { vacuum } from './vacuum.ts';

/** What commands may have done at the engine of a running service, for the control door. */
export function engineActions(engine: Engine): ControlActions {
  return Object.fromEntries([
    served(engine, listKeys),
    served(engine, createKey),
    served(engine, rotateKey),
    served(engine, revokeKey),
    served(engine, listTenants),
    served(engine, changePlan),
    served(engine, giveAgent),
    served(engine, takeAgent),
    served(engine, startReembedding),
    served(engine, readJob),
    served(engine, scrub),
    served(engine, vacuum),
    served(engine, verifyAuditLogs),
    served(engine, readAuditLog),
  ]);
}

function served<Input, Output>(engine: Engine, { name, input, run }: EngineAction<Input, Output>) {
  return [name, async (sent: unknown): Promise<unknown> => run(engine, input.parse(sent))] as const;
}
