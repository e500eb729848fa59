import type { Plan } from '../contract/fields.ts';

/** Operations per month of each plan. `local` has the largest 32-bit integer, which nobody reaches. */
export const OPERATIONS_LIMIT: Readonly<Record<Plan, number>> = {
  trial: 10_000,
  standard: 1_000_000,
  local: 2_147_483_647,
};

/** Shares of the limit at which `billing.threshold` is emitted, once each a month. */
export const THRESHOLDS = [0.8, 1] as const;

/** The calendar month of a date, in UTC: `2026-02`. */
export function usageMonthOf(moment: Date): string {
  return moment.toISOString().slice(0, 7);
}

/** The start of that month, and of the next one. */
export function billingPeriodOf(moment: Date): { readonly start: Date; readonly end: Date } {
  const [year, month] = [moment.getUTCFullYear(), moment.getUTCMonth()];
  return { start: new Date(Date.UTC(year, month)), end: new Date(Date.UTC(year, month + 1)) };
}
