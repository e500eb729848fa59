import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { useAction } from '../api/hooks.ts';
import { SESSION_KEY } from '../api/session.ts';
import { Face } from '../design/face.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { PATHS } from '../navigation/paths.ts';
import { NewAgentDialog } from '../shell/new-agent-dialog.tsx';
import classes from './settings.module.css';

/** Renames the agent, lists the human's agents, and creates one more. */
export function Agents() {
  const { agent, session, choose } = useAgent();
  const [making, { open, close }] = useDisclosure();
  return (
    <Stack gap="lg">
      <Panel title="This agent" hint="What you call it. What it calls itself is its identity, and its own.">
        <Rename key={agent.id} />
        <p className={classes.note}>
          How much it reads when it wakes up is set on the page{' '}
          <Anchor component={Link} href={PATHS.boot} size="sm" underline="always">
            Boot
          </Anchor>
          .
        </p>
      </Panel>
      <Reflection />
      <Panel
        title="Your agents"
        hint="Each has a memory, keys and settings of its own"
        action={
          <Button size="xs" leftSection={<IconPlus size={15} />} onClick={open}>
            New agent
          </Button>
        }
        flush
      >
        <ul className={classes.rows}>
          {session.agents.map(({ id, display_name, plan }) => (
            <li key={id} className={classes.row}>
              <Group gap="sm" wrap="nowrap" className={classes.main}>
                <Face id={id} size={30} />
                <span className={classes.name}>
                  <PlainText text={display_name} />
                </span>
                <span className={classes.quiet}>{plan}</span>
              </Group>
              {id === agent.id ? (
                <span className={classes.quiet}>chosen</span>
              ) : (
                <Button variant="default" size="xs" onClick={() => choose(id)}>
                  Switch to it
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Panel>
      <NewAgentDialog opened={making} close={close} />
    </Stack>
  );
}

function Rename() {
  const { agent } = useAgent();
  const client = useQueryClient();
  const form = useForm({ initialValues: { display_name: agent.display_name } });
  const rename = useAction('PATCH /tenant', { touches: ['overview'], done: 'Renamed.' });
  const submit = form.onSubmit((values) =>
    rename.mutate(values, { onSuccess: () => void client.invalidateQueries({ queryKey: SESSION_KEY }) }),
  );
  return (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label="Name"
          maxLength={100}
          required
          className={classes.field ?? ''}
          {...form.getInputProps('display_name')}
        />
        <Button type="submit" loading={rename.isPending}>
          Rename
        </Button>
      </Group>
    </form>
  );
}

function Reflection() {
  const reflect = useAction('POST /reflect', {
    touches: ['jobs', 'memories', 'overview'],
    done: 'It reflects now. What comes of it shows up among the memories.',
  });
  return (
    <Panel
      title="Reflection"
      hint="Old episodes are summed up as what it knows, and copies are merged. It also happens by itself."
    >
      <Button variant="default" loading={reflect.isPending} onClick={() => reflect.mutate({})}>
        Reflect now
      </Button>
    </Panel>
  );
}
