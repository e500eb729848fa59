import { t } from '@lingui/core/macro';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { BlockLink } from '../design/block-link.tsx';
import { formatNumber } from '../design/format.ts';
import { TYPE_MEANS } from '../design/names.ts';
import { TYPES, TypeMark } from '../design/type-mark.tsx';
import { PATHS } from '../navigation/paths.ts';
import classes from './counts.module.css';
import type { OverviewData } from './overview-data.ts';
import { Sparkline } from './sparkline.tsx';

type Days = AnswerOf<'GET /memories/growth'>['days'];

/**
 * Shows how many memories each type has, and what each of the last 30 days brought. Each count links to the memories of its type.
 */
export function Counts({ counts }: { counts: OverviewData['counts'] }) {
  const growth = useAnswer('memories', 'GET /memories/growth', {});
  const days: Days = growth.data?.days ?? [];
  return (
    <ul className={classes.counts} aria-label={t`Memories by type`}>
      {TYPES.map((type) => {
        const values = days.map((day) => day[type]);
        const today = values.at(-1) ?? 0;
        return (
          <li key={type}>
            <BlockLink href={`${PATHS.memories}?type=${type}`} className={classes.count}>
              <span className={classes.head}>
                <span className={classes.number}>{formatNumber(counts[type])}</span>
                <span className={classes.today}>{today > 0 && t`+${formatNumber(today)} today`}</span>
              </span>
              <TypeMark type={type} />
              <span className={classes.means}>{TYPE_MEANS[type]}</span>
              <span className={classes.trend} data-type={type}>
                <Sparkline
                  values={values}
                  label={t`${TYPE_MEANS[type]}: what each of the last 30 days brought`}
                />
              </span>
            </BlockLink>
          </li>
        );
      })}
    </ul>
  );
}
