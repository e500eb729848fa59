import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Tooltip } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { serviceNow } from '../api/clock.ts';
import { formatMoment } from './format.ts';
import classes from './when.module.css';

const MINUTE_MS = 60_000;
const UNITS = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', MINUTE_MS],
] as const;

// In the language of the words around it.
const relative = new Intl.RelativeTimeFormat(i18n.locale, { numeric: 'auto' });

/** Shows a time relative to now, `3 hours ago`, and the exact time on hover and focus. Updates while the page is open. */
export function When({ at }: { at: string }) {
  const now = useMinute();
  return (
    <Tooltip label={formatMoment(at)}>
      <time dateTime={at} className={classes.when}>
        {ago(new Date(at).getTime(), now)}
      </time>
    </Tooltip>
  );
}

/** Formats a time relative to now: `3 hours ago`, `in 2 days`. */
function ago(at: number, now: number): string {
  const distance = at - now;
  for (const [unit, length] of UNITS) {
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit);
  }
  return distance > 0 ? t`in a moment` : t`just now`;
}

/** Returns the current time, rounded to a minute. Renders again when the minute changes. */
function useMinute(): number {
  return useSyncExternalStore(
    subscribe,
    () => Math.floor(serviceNow() / MINUTE_MS) * MINUTE_MS + MINUTE_MS - 1,
  );
}

function subscribe(changed: () => void): () => void {
  const timer = setInterval(changed, MINUTE_MS / 4);
  return () => clearInterval(timer);
}
