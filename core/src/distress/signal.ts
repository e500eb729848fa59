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
  };
}
