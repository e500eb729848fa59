import type { DistressSignal } from './contract.ts';
import type { distressSignals } from './schema.ts';

/** A stored signal as answers show it. */
export function toSignal(row: typeof distressSignals.$inferSelect): DistressSignal {
  return {
    id: row.id,
    status: row.acknowledgedAt ? 'acknowledged' : 'open',
    opened_at: row.openedAt.toISOString(),
    messages: row.messages,
    acknowledged_at: row.acknowledgedAt?.toISOString() ?? null,
    acknowledged_by: row.acknowledgedSource
      ? { kind: row.acknowledgedSource, credential_id: row.acknowledgedBy }
      : null,
    heard_at: row.heardAt?.toISOString() ?? null,
    heard_by: row.heardAt ? { kind: 'human', credential_id: row.heardBy } : null,
  };
}
