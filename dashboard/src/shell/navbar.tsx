import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Kbd, ScrollArea, UnstyledButton } from '@mantine/core';
import { IconSearch, type TablerIcon } from '@tabler/icons-react';
import { Link, useRoute } from 'wouter';
import { useAnswer } from '../api/hooks.ts';
import type { PageEntry } from '../navigation/page-entry.ts';
import { AgentSwitcher } from './agent-switcher.tsx';
import classes from './navbar.module.css';
import { UserMenu } from './user-menu.tsx';

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Shows the chosen agent, the links to the pages, and who is signed in. */
export function Navbar({ pages, find }: { pages: readonly PageEntry[]; find: () => void }) {
  // The overview reads the same answer, so the counts of what waits cost no call of their own.
  const { data: overview } = useAnswer('overview', 'GET /dashboard', {});
  return (
    <div className={classes.navbar}>
      <AgentSwitcher />
      <FindButton open={find} />
      <ScrollArea className={classes.scroll} type="never">
        <nav aria-label={t`Pages`} className={classes.links}>
          {pages.map(
            ({ path, link }) =>
              link && (
                <NavigationLink
                  key={path}
                  path={path}
                  label={link.label}
                  icon={link.icon}
                  count={overview && link.waiting ? link.waiting(overview) : 0}
                  isAlarm={link.isAlarm === true}
                />
              ),
          )}
        </nav>
      </ScrollArea>
      <UserMenu />
    </div>
  );
}

/** Opens the command palette. */
function FindButton({ open }: { open: () => void }) {
  return (
    <UnstyledButton className={classes.find} onClick={open}>
      <IconSearch size={17} stroke={1.7} aria-hidden="true" />
      <span className={classes.label}>
        <Trans>Find anything</Trans>
      </span>
      <Kbd size="xs">{`${IS_MAC ? '⌘' : 'Ctrl'} K`}</Kbd>
    </UnstyledButton>
  );
}

interface Props {
  readonly path: string;
  readonly label: string;
  readonly icon: TablerIcon;
  readonly count: number;
  readonly isAlarm: boolean;
}

function NavigationLink({ path, label, icon: Icon, count, isAlarm }: Props) {
  const [here] = useRoute(path);
  const [below] = useRoute(`${path}/*?`);
  const current = here || (path !== '/' && below);
  return (
    <Link href={path} className={classes.link} aria-current={current ? 'page' : undefined}>
      <Icon size={19} stroke={1.6} aria-hidden="true" />
      <span className={classes.label}>{label}</span>
      {count > 0 && (
        <span className={classes.count} data-alarm={isAlarm}>
          {count}
          <span className={classes.hidden}>
            <Trans> waiting</Trans>
          </span>
        </span>
      )}
    </Link>
  );
}
