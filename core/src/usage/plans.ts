import type { Plan } from '../tenants/schema.ts';

/** Operations a month of each plan; `local` reports the largest 32-bit integer, which no one reaches. */
export const OPERATIONS_LIMIT: Readonly<Record<Plan, number>> = {
  trial: 10_000,
  standard: 1_000_000,
  local: 2_147_483_647,
};

/** Shares of the limit at which `billing.threshold` is emitted, once each a month. */
export const THRESHOLDS = [0.8, 1] as const;

/** The calendar month a moment counts in, UTC: `2026-02`. */
export function monthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}
