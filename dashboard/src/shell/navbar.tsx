import { ScrollArea } from '@mantine/core';
import { AgentSwitcher } from './agent-switcher.tsx';
import classes from './navbar.module.css';
import { ENTRIES } from './navigation.ts';
import { NavigationLink } from './navigation-link.tsx';
import { useWaiting } from './use-waiting.ts';
import { UserMenu } from './user-menu.tsx';

/** Which agent, where to go, and who is signed in. */
export function Navbar() {
  const waiting = useWaiting();
  return (
    <div className={classes.navbar}>
      <AgentSwitcher />
      <ScrollArea className={classes.scroll} type="never">
        <nav aria-label="Pages" className={classes.links}>
          {ENTRIES.map(
            ({ path, link }) =>
              link && (
                <NavigationLink
                  key={path}
                  path={path}
                  label={link.label}
                  icon={link.icon}
                  count={link.count === undefined ? 0 : waiting[link.count]}
                />
              ),
          )}
        </nav>
      </ScrollArea>
      <UserMenu />
    </div>
  );
}
