import { ScrollArea } from '@mantine/core';
import type { TablerIcon } from '@tabler/icons-react';
import { Link, useRoute } from 'wouter';
import { useAnswer } from '../api/hooks.ts';
import type { PageEntry } from '../navigation/page-entry.ts';
import { AgentSwitcher } from './agent-switcher.tsx';
import classes from './navbar.module.css';
import { UserMenu } from './user-menu.tsx';

/** Shows the chosen agent, the links to the pages, and who is signed in. */
export function Navbar({ pages }: { pages: readonly PageEntry[] }) {
  // The overview reads the same answer, so the counts of what waits cost no call of their own.
  const { data: overview } = useAnswer('overview', 'GET /dashboard', {});
  return (
    <div className={classes.navbar}>
      <AgentSwitcher />
      <ScrollArea className={classes.scroll} type="never">
        <nav aria-label="Pages" className={classes.links}>
          {pages.map(
            ({ path, link }) =>
              link && (
                <NavigationLink
                  key={path}
                  path={path}
                  label={link.label}
                  icon={link.icon}
                  count={overview && link.waiting ? link.waiting(overview) : 0}
                />
              ),
          )}
        </nav>
      </ScrollArea>
      <UserMenu />
    </div>
  );
}

interface Props {
  readonly path: string;
  readonly label: string;
  readonly icon: TablerIcon;
  readonly count: number;
}

function NavigationLink({ path, label, icon: Icon, count }: Props) {
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
