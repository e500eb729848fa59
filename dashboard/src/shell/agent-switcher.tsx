import { Button, Menu, Modal, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useAgent } from '../api/agent.tsx';
import { ApiError } from '../api/error.ts';
import { useAction } from '../api/hooks.ts';
import { type LiveStatus, useLiveStatus } from '../api/live.tsx';
import { SESSION_KEY } from '../api/session.ts';
import { Face } from '../design/face.tsx';
import { PlainText } from '../design/memory-text.tsx';
import classes from './navbar.module.css';

const STATUS: Readonly<Record<LiveStatus, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  offline: 'Not connected',
};

/** Whose memory it is, and the way to the human's other agents. */
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
      <Modal opened={making} onClose={close} title="New agent">
        <NewAgent done={close} />
      </Modal>
    </>
  );
}

/** Makes one more agent, and turns to it. */
export function NewAgent({ done }: { done: () => void }) {
  const { choose } = useAgent();
  const client = useQueryClient();
  const form = useForm({ mode: 'uncontrolled', initialValues: { display_name: '' } });
  const make = useAction('POST /agents', { touches: [], done: 'The agent has a memory of its own now.' });
  const submit = form.onSubmit((values) =>
    make.mutate(values, {
      onSuccess: async ({ agent }) => {
        await client.refetchQueries({ queryKey: SESSION_KEY });
        choose(agent.id);
        done();
      },
      onError: (error) => {
        if (error instanceof ApiError) form.setErrors(error.fields);
      },
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="What you call it. Its memory starts empty."
          maxLength={100}
          required
          data-autofocus
          key={form.key('display_name')}
          {...form.getInputProps('display_name')}
        />
        <Button type="submit" loading={make.isPending}>
          Make the agent
        </Button>
      </Stack>
    </form>
  );
}
