import { Menu, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useAgent } from '../api/agent.tsx';
import { type LiveStatus, useLiveStatus } from '../api/live.tsx';
import { Face } from '../design/face.tsx';
import { PlainText } from '../design/memory-text.tsx';
import classes from './navbar.module.css';
import { NewAgentDialog } from './new-agent-dialog.tsx';

const STATUS: Readonly<Record<LiveStatus, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  offline: 'Not connected',
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
          <Menu.Label>Your agents</Menu.Label>
          {session.agents.map(({ id, display_name }) => (
            <Menu.Item
              key={id}
              leftSection={<Face id={id} size={22} />}
              rightSection={id === agent.id && <IconCheck size={16} aria-label="chosen" />}
              onClick={() => choose(id)}
            >
              <PlainText text={display_name} />
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<IconPlus size={16} />} onClick={open}>
            New agent
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NewAgentDialog opened={making} close={close} />
    </>
  );
}
