import { basename, dirname } from 'node:path';
import {
  type BackupRoutes,
  backupRoutes,
  LOCAL_OWNER_EMAIL,
  parseInput,
  SvcError,
} from '@svc-memory/core/contract';
import { type Response, Router } from 'express';
import type { z } from 'zod';
import { type CredentialOptions, humanOf, requireHumanSession } from '../access/credential.ts';
import { limitHuman } from '../access/limit-calls.ts';
import { sendSuccess } from '../answers/success.ts';
import type { BucketLimiter } from '../limits/bucket.ts';
import { readJsonBody } from '../request/body.ts';
import { refuseQuery } from '../request/query.ts';
import { expressPath } from '../routing/endpoints.ts';
import { routeAt } from '../routing/fallbacks.ts';
import type { OwnerBackups } from './owner-backups.ts';

interface RouterOptions {
  /** Undefined where a database server holds the memories. */
  readonly backups: OwnerBackups | undefined;
  readonly credentials: CredentialOptions;
  /** Calls by human. */
  readonly calls: BucketLimiter;
  readonly bodyLimit: number;
}

type Listed = z.output<BackupRoutes['backups']['response']>;

/** The backups of an embedded service, for its owner, below `prefix`. */
export function createBackupRouter(
  { backups, credentials, calls, bodyLimit }: RouterOptions,
  prefix: string,
) {
  const router = Router({ caseSensitive: true });
  const forHuman = requireHumanSession(credentials);
  const limit = limitHuman(calls);
  const at = (path: string, methods: ('GET' | 'POST')[]) =>
    routeAt(router, expressPath(path), methods, `${prefix}${path}`).all(
      forHuman,
      limit,
      (request, response, next) => {
        refuseQuery(request.originalUrl);
        if (backups) requireOwner(response);
        next();
      },
    );
  at(backupRoutes.backups.path, ['GET', 'POST'])
    .get(async (_request, response) => sendSuccess(response, await listed(backups)))
    .post(async (request, response) => {
      parseInput(backupRoutes.makeBackup.request, await readJsonBody(request, bodyLimit));
      if (!backups)
        throw new SvcError('CONFLICT', 'A database server holds the memories. Use its own tools.');
      backups.make();
      sendSuccess(response, { outcome: 'queued' });
    });
  at(backupRoutes.downloadBackup.path, ['GET']).get(async (request, response) => {
    const backup = await backups?.find(String(request.params.name));
    if (!backup) throw new SvcError('NOT_FOUND', 'There is no such backup. GET /backups lists all.');
    // A backup holds the memories of all agents. HEAD takes nothing of it.
    if (request.method !== 'HEAD') {
      const by = { kind: 'human', credentialId: humanOf(response).user.id };
      const touched = { backup: backup.name };
      await credentials.engine.auditLog.addToAll({ act: 'backup.downloaded', by, touched });
    }
    await sendFile(response, backup.file);
  });
  return router;
}

/** Others who signed up at an embedded service see their own agents only. */
function requireOwner(response: Response): void {
  if (humanOf(response).user.email === LOCAL_OWNER_EMAIL) return;
  throw new SvcError(
    'FORBIDDEN',
    'Backups hold the memories of everybody here: they are for the owner of this service.',
  );
}

async function listed(backups: OwnerBackups | undefined): Promise<Listed> {
  if (!backups) return { available: false, backups: [], making: null, failure: null };
  const all = await backups.list();
  const { progress, failure } = backups;
  return {
    available: true,
    backups: all.map(({ name, kind, made, bytes, check }) => ({
      name,
      kind,
      made_at: made.toISOString(),
      bytes,
      check,
    })),
    making: progress ? { step: progress.step, since: progress.since.toISOString() } : null,
    failure: failure ?? null,
  };
}

/** Sends a file of the folder of backups; a client whose download was cut off may go on where it was. */
async function sendFile(response: Response, file: string): Promise<void> {
  response.attachment(basename(file));
  await new Promise<void>((resolve, reject) => {
    response.sendFile(
      basename(file),
      { root: dirname(file), cacheControl: false, dotfiles: 'deny' },
      (error?: Error) => (error && !response.headersSent ? reject(error) : resolve()),
    );
  });
}
