import { plural, t } from '@lingui/core/macro';
import { useEffect, useState } from 'react';
import { serviceNow } from '../api/clock.ts';
import classes from './entry.module.css';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Shows the time left until `until`, and counts down while the page is open. */
export function Left({ until }: { until: string }) {
  const end = new Date(until).getTime();
  const now = useNow(end - serviceNow() < HOUR_MS ? SECOND_MS : MINUTE_MS / 4);
  return (
    <time dateTime={until} className={classes.left}>
      {lasting(end - now)}
    </time>
  );
}

/** Formats a duration: `2 days 4 h`, `3 h 12 min`, `4 min 07 s`. */
function lasting(ms: number): string {
  if (ms <= 0) return t`a moment`;
  const days = Math.floor(ms / DAY_MS);
  const hours = Math.floor((ms % DAY_MS) / HOUR_MS);
  const minutes = Math.floor((ms % HOUR_MS) / MINUTE_MS);
  if (days > 0) return plural(days, { one: `# day ${hours} h`, other: `# days ${hours} h` });
  if (hours > 0) return t`${hours} h ${minutes} min`;
  const seconds = Math.floor((ms % MINUTE_MS) / SECOND_MS);
  const padded = String(seconds).padStart(2, '0');
  return t`${minutes} min ${padded} s`;
}

function useNow(every: number): number {
  const [now, setNow] = useState(serviceNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serviceNow()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
