import { Link } from 'wouter';
import { TYPE_MEANS, TYPES, TypeMark } from '../design/type-mark.tsx';
import { PATHS } from '../navigation/paths.ts';
import classes from './counts.module.css';
import type { OverviewData } from './overview-data.ts';

/** Shows how many memories each type has. Each count links to the memories of its type. */
export function Counts({ counts }: { counts: OverviewData['counts'] }) {
  return (
    <ul className={classes.counts} aria-label="Memories by type">
      {TYPES.map((type) => (
        <li key={type}>
          <Link href={`${PATHS.memories}?type=${type}`} className={classes.count}>
            <span className={classes.number}>{counts[type].toLocaleString('en')}</span>
            <TypeMark type={type} />
            <span className={classes.means}>{TYPE_MEANS[type]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
