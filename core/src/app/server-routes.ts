import { z } from 'zod';
import * as field from '../kernel/contract/fields.ts';
import { route } from '../kernel/contract/route.ts';

const backup = z.object({
  /** Name of its file. */
  name: z.string(),
  /** `manual`: asked for; `daily`; `migration`: before a newer release changed the database. */
  kind: z.enum(['manual', 'daily', 'migration']),
  made_at: field.instant,
  bytes: z.int(),
  /**
   * Each file in it is compared with what was written: `good`, or `damaged`. `pending` until that is done; each process
   * does it once, when the list is first asked for.
   */
  check: z.enum(['pending', 'good', 'damaged']),
});

/**
 * Backups of the embedded database, for its owner alone: they hold the memories of all agents, also what those keep to
 * themselves, and the keys. The server answers these routes.
 */
export const backupRoutes = {
  backups: route({
    method: 'GET',
    path: '/backups',
    access: 'human',
    metering: 'free',
    summary: 'Backups of the embedded database',
    request: z.strictObject({}),
    response: z.object({
      /** False where a database server holds the memories; its own tools back them up. */
      available: z.boolean(),
      /** The newest first. */
      backups: z.array(backup),
      /** How far the backup is that is being made, if one is. */
      making: z.object({ step: z.enum(['copying', 'packing', 'checking']), since: field.instant }).nullable(),
      /** Why the last one that was asked for was not made. */
      failure: z.string().nullable(),
    }),
    errors: ['FORBIDDEN'],
  }),
  /** Starts a backup; `GET /backups` tells how far it is. One is made at a time. */
  makeBackup: route({
    method: 'POST',
    path: '/backups',
    access: 'human',
    metering: 'free',
    summary: 'Make a backup of the embedded database',
    request: z.strictObject({}),
    response: z.object({ outcome: z.literal('queued') }),
    errors: ['FORBIDDEN', 'CONFLICT'],
    idempotent: false,
  }),
  downloadBackup: route({
    method: 'GET',
    path: '/backups/{name}',
    access: 'human',
    metering: 'free',
    summary: 'Download a backup, which `npx svc-memory restore` reads',
    request: z.strictObject({ name: z.string() }),
    response: z.object({}),
    streams: { zip: 'application/zip' },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
};
/** The routes of backups by name. */
export type BackupRoutes = typeof backupRoutes;

/** Routes about the process rather than an agent's memory: the server answers them, not the engine. */
export const systemRoutes = {
  health: route({
    method: 'GET',
    path: '/health',
    access: 'public',
    metering: 'free',
    summary: 'Is the process up',
    request: z.strictObject({}),
    response: z.object({
      status: z.literal('ok'),
      timestamp: field.instant,
      version: z.string(),
      database: z.enum(['pglite', 'postgres']),
    }),
  }),
  ready: route({
    method: 'GET',
    path: '/ready',
    access: 'public',
    metering: 'free',
    summary: 'Can the process answer calls (is its database there)',
    request: z.strictObject({}),
    response: z.object({ status: z.literal('ready'), timestamp: field.instant }),
    errors: ['UNAVAILABLE'],
  }),
};
