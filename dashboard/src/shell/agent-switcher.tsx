import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Menu, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useAgent } from '../api/agent.tsx';
import type { LiveStatus } from '../api/event-stream.ts';
import { useLiveStatus } from '../api/live.tsx';
import { Face } from '../design/face.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Boundary } from './boundary.tsx';
import classes from './navbar.module.css';

// Its form is seldom needed, and large.
const NewAgentDialog = lazy(() => import('./new-agent-dialog.tsx'));

const STATUS: Readonly<Record<LiveStatus, string>> = {
  connecting: t`Connecting`,
  live: t`Live`,
  offline: t`Not connected`,
};

/** Shows the chosen agent, and switches to another one. */
export function AgentSwitcher() {
  const { agent, session, choose } = useAgent();
  const status = useLiveStatus();
  const [making, { open, close }] = useDisclosure();
  return (
    <>
      <Menu width={248} position="bottom-start">
        <Menu.Target>
          <UnstyledButton className={classes.agent}>
            <Face id={agent.id} size={38} />
            <span className={classes.who}>
              <div className={classes.name}>
                <PlainText text={agent.display_name} />
              </div>
              <div className={classes.detail}>
                <span className={classes.pulse} data-status={status} />
                {STATUS[status]}
              </div>
            </span>
            <IconSelector size={16} className={classes.chevron} aria-hidden="true" />
          </UnstyledButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>
            <Trans>Your agents</Trans>
          </Menu.Label>
          {session.agents.map(({ id, display_name }) => (
            <Menu.Item
              key={id}
              leftSection={<Face id={id} size={22} />}
              rightSection={id === agent.id && <IconCheck size={16} aria-label={t`chosen`} />}
              onClick={() => choose(id)}
            >
              <PlainText text={display_name} />
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={open}>
            <Trans>New agent</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {making && (
        <Boundary dismiss={close}>
          <Suspense>
            <NewAgentDialog close={close} />
          </Suspense>
        </Boundary>
      )}
    </>
  );
}
