import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import type { AnswerOf } from '../api/call.ts';
import { formatDay } from '../design/format.ts';
import classes from './similarity-line.module.css';

type Day = AnswerOf<'GET /stability/history'>['days'][number];

const WIDTH = 600;
const HEIGHT = 90;
const TICK = 8;
const PAD = 4;

/** Draws how like itself the agent was, as a line from 0 to 100 %, with a tick for each day with compactions. */
export function SimilarityLine({ days }: { days: readonly Day[] }) {
  const step = WIDTH / Math.max(1, days.length - 1);
  const top = (similarity: number) => PAD + (1 - similarity) * (HEIGHT - TICK - 2 * PAD);
  const points = days.flatMap(({ similarity }, day) =>
    similarity === null ? [] : [`${(day * step).toFixed(1)},${top(similarity).toFixed(1)}`],
  );
  const compactions = days.reduce((sum, day) => sum + day.compactions, 0);
  const known = days.flatMap(({ similarity }) => (similarity === null ? [] : [similarity]));
  const least = Math.min(...known);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <figure className={classes.figure}>
      <div className={classes.plot}>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          width="100%"
          height={HEIGHT}
          role="img"
          aria-label={t`Similarity over ${days.length} days, at least ${percent(least)}, with ${compactions} compactions.`}
        >
          <line x1="0" x2={WIDTH} y1={top(1)} y2={top(1)} className={classes.bound} />
          <line x1="0" x2={WIDTH} y1={top(0)} y2={top(0)} className={classes.bound} />
          {days.map(
            (day, index) =>
              day.compactions > 0 && (
                <line
                  key={day.date}
                  x1={index * step}
                  x2={index * step}
                  y1={HEIGHT - TICK}
                  y2={HEIGHT}
                  className={classes.tick}
                />
              ),
          )}
          <polyline points={points.join(' ')} className={classes.line} />
        </svg>
        <span className={classes.scale} aria-hidden="true">
          <span>100 %</span>
          <span>0 %</span>
        </span>
      </div>
      <figcaption className={classes.caption}>
        <span>{first && formatDay(first.date)}</span>
        <span>
          <Trans>
            <span className={classes.keyLine} /> like itself <span className={classes.keyTick} />{' '}
            {plural(compactions, { one: '# compaction', other: '# compactions' })}
          </Trans>
        </span>
        <span>{last && formatDay(last.date)}</span>
      </figcaption>
    </figure>
  );
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
