import type { TablerIcon } from '@tabler/icons-react';
import { Link, useRoute } from 'wouter';
import classes from './navbar.module.css';

interface Props {
  readonly path: string;
  readonly label: string;
  readonly icon: TablerIcon;
  readonly count: number;
}

export function NavigationLink({ path, label, icon: Icon, count }: Props) {
  const [here] = useRoute(path);
  const [below] = useRoute(`${path}/*?`);
  const current = here || (path !== '/' && below);
  return (
    <Link href={path} className={classes.link} aria-current={current ? 'page' : undefined}>
      <Icon size={19} stroke={1.6} aria-hidden="true" />
      <span className={classes.label}>{label}</span>
      {count > 0 && (
        <span className={classes.count}>
          {count}
          <span className={classes.hidden}> waiting</span>
        </span>
      )}
    </Link>
  );
}
