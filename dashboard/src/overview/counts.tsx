import { Link } from 'wouter';
import { TYPE_MEANS, TYPES, TypeMark } from '../design/type-mark.tsx';
import { PAGES } from '../pages.ts';
import classes from './counts.module.css';
import type { Dashboard } from './overview.tsx';

/** How many memories there are of each type; each leads to them. */
export function Counts({ counts }: { counts: Dashboard['counts'] }) {
  return (
    <ul className={classes.counts} aria-label="Memories by type">
      {TYPES.map((type) => (
        <li key={type}>
          <Link href={`${PAGES.memories}?type=${type}`} className={classes.count}>
            <span className={classes.number}>{counts[type].toLocaleString('en')}</span>
            <TypeMark type={type} />
            <span className={classes.means}>{TYPE_MEANS[type]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
