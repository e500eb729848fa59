import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { type KeyboardEvent, useLayoutEffect, useMemo, useRef } from 'react';
import { formatDate, formatNumber, LOCALES } from '../design/format.ts';
import { dayAfter, weekdayOf } from '../design/local-day.ts';
import { memoriesOf } from '../design/names.ts';
import classes from './year.module.css';

type Days = readonly { readonly date: string; readonly memories: number }[];

export const WEEKS = 53;
const LEVELS = 4;
/** How far each key moves, in days. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  ArrowLeft: -7,
  ArrowRight: 7,
};
const month = new Intl.DateTimeFormat(LOCALES, { month: 'short' });
const [LANGUAGE = 'en'] = LOCALES;

interface Props {
  readonly days: Days;
  /** The last day. */
  readonly until: string;
  readonly chosen: string | undefined;
  readonly choose: (day: string) => void;
}

/** Draws a year as weeks of days. The darker a day, the more memories it has, by quarters of the days that have any. */
export function Year({ days, until, chosen, choose }: Props) {
  const counts = useMemo(() => new Map(days.map(({ date, memories }) => [date, memories])), [days]);
  const bounds = useMemo(() => boundsOf(days), [days]);
  const weeks = useMemo(() => weeksUntil(until), [until]);
  const scroll = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  // The newest weeks are seen first where not all fit.
  useLayoutEffect(() => {
    if (scroll.current) scroll.current.scrollLeft = scroll.current.scrollWidth;
  }, []);
  const move = (event: KeyboardEvent) => {
    const by = STEPS[event.key];
    const from = (event.target as HTMLElement).dataset.day;
    if (by === undefined || from === undefined) return;
    event.preventDefault();
    const to = dayAfter(from, by);
    grid.current?.querySelector<HTMLElement>(`[data-day="${to}"]`)?.focus();
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by the keyboard too (WCAG 2.1.1). */}
      <section ref={scroll} className={classes.scroll} aria-label={t`The last year, day by day`} tabIndex={0}>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: arrows move between the buttons in it. */}
        <div ref={grid} className={classes.year} onKeyDown={move}>
          {weeks.map((week, index) => (
            <div key={week[0]} className={classes.week}>
              <span className={classes.month} aria-hidden="true">
                {monthOf(week, weeks[index - 1])}
              </span>
              {week.map((day) => (
                <Day
                  key={day}
                  day={day}
                  count={counts.get(day) ?? 0}
                  bounds={bounds}
                  isChosen={day === chosen}
                  isEntry={day === (chosen ?? until)}
                  choose={choose}
                />
              ))}
            </div>
          ))}
        </div>
      </section>
      <Foot days={days} bounds={bounds} />
    </>
  );
}

/** How many memories the year has, and what the shades mean. */
function Foot({ days, bounds }: { days: Days; bounds: readonly number[] }) {
  const total = days.reduce((sum, { memories }) => sum + memories, 0);
  return (
    <div className={classes.foot}>
      <span>
        <Trans>
          {memoriesOf(total)} on {plural(days.length, { one: '# day', other: '# days' })}
        </Trans>
      </span>
      <ul className={classes.legend} aria-label={t`Memories of a day`}>
        {legendOf(bounds).map(({ level, label }) => (
          <li key={level}>
            <span className={classes.swatch} data-level={level} />
            {label}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface DayProps {
  readonly day: string;
  readonly count: number;
  readonly bounds: readonly number[];
  readonly isChosen: boolean;
  /** Whether it is the day that the keyboard comes to first. */
  readonly isEntry: boolean;
  readonly choose: (day: string) => void;
}

function Day({ day, count, bounds, isChosen, isEntry, choose }: DayProps) {
  const name = `${formatDate(`${day}T12:00:00`)}: ${memoriesOf(count)}`;
  return (
    <button
      type="button"
      className={classes.day}
      data-day={day}
      data-level={levelOf(count, bounds)}
      aria-pressed={isChosen}
      tabIndex={isEntry ? 0 : -1}
      title={name}
      aria-label={name}
      onClick={() => choose(day)}
    />
  );
}

/** The weeks up to a day, each from its first day on as far as it has come. */
function weeksUntil(until: string): string[][] {
  const first = dayAfter(until, -weekdayOf(until, LANGUAGE) - (WEEKS - 1) * 7);
  return Array.from({ length: WEEKS }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => dayAfter(first, 7 * week + day)).filter((day) => day <= until),
  );
}

/** The largest count of each level but the last: the quartiles of the days that have memories. */
function boundsOf(days: Days): number[] {
  const sorted = days.map(({ memories }) => memories).sort((one, other) => one - other);
  const bounds = Array.from(
    { length: LEVELS - 1 },
    (_, level) => sorted[Math.ceil(((level + 1) * sorted.length) / LEVELS) - 1] ?? 0,
  );
  const most = sorted.at(-1) ?? 0;
  return [...new Set(bounds)].filter((bound) => bound > 0 && bound < most);
}

function levelOf(count: number, bounds: readonly number[]): number {
  if (count === 0) return 0;
  const level = bounds.findIndex((bound) => count <= bound);
  // With fewer levels the darkest ones are used.
  return (level === -1 ? bounds.length : level) + LEVELS - bounds.length;
}

function legendOf(bounds: readonly number[]) {
  const ranges = [...bounds, Number.POSITIVE_INFINITY].map((bound, index) => {
    const from = (bounds[index - 1] ?? 0) + 1;
    if (bound === Number.POSITIVE_INFINITY) return t`${formatNumber(from)} or more`;
    return from === bound ? formatNumber(from) : `${formatNumber(from)}–${formatNumber(bound)}`;
  });
  return [
    { level: 0, label: t`none` },
    ...ranges.map((label, index) => ({ level: index + LEVELS - bounds.length, label })),
  ];
}

/** The name of the month where a week begins a new one. */
function monthOf(week: readonly string[], before: readonly string[] | undefined): string {
  const [first = '', former] = [week[0], before?.[0]];
  // The first week mostly ends a month, whose name would run into the next.
  const isSame = former === undefined || first.slice(0, 7) === former.slice(0, 7);
  return isSame ? '' : month.format(new Date(`${first}T12:00:00`));
}
