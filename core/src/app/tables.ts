import type { PgTable } from 'drizzle-orm/pg-core';
import { auditEntries, auditHeads } from '../kernel/audit/schema.ts';
import { eventDeliveries, eventEndpoints, events } from '../kernel/commit/outbox-schema.ts';
import { idempotencyKeys } from '../kernel/commit/schema.ts';
import { backgroundJobs } from '../kernel/queue/schema.ts';
import {
  agentUsers,
  apiKeys,
  erasures,
  sessionKeys,
  spaceMembers,
  spaces,
  tenants,
  usageCounts,
} from '../kernel/tenancy/schema.ts';
import { featureParts } from './features.ts';

/** Every table of the database. */
export const tables: readonly PgTable[] = [
  ...[spaces, spaceMembers],
  ...[tenants, agentUsers, apiKeys, sessionKeys, usageCounts, idempotencyKeys, backgroundJobs, erasures],
  ...[auditEntries, auditHeads],
  ...[events, eventEndpoints, eventDeliveries],
  ...featureParts.flatMap(({ tables = [] }) => tables),
];
