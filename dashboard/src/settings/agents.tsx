import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { useDraftForm } from '../api/draft-form.ts';
import { useAction } from '../api/hooks.ts';
import { SESSION_KEY } from '../api/session.ts';
import { DraftFields } from '../design/draft-fields.tsx';
import { Face } from '../design/face.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { Quiet, Row } from '../design/row.tsx';
import { PATHS } from '../navigation/paths.ts';
import NewAgentDialog from '../shell/new-agent-dialog.tsx';
import { Reflection } from './reflection.tsx';
import classes from './settings.module.css';

/** Renames the agent, lists the human's agents, and creates one more. */
export function Agents() {
  const { agent, session, choose } = useAgent();
  const [making, { open, close }] = useDisclosure();
  return (
    <Stack gap="lg">
      <Panel
        title={t`This agent`}
        hint={t`What you call it. What it calls itself is its identity, and its own.`}
      >
        <Rename key={agent.id} />
        <p className={classes.note}>
          <Trans>
            How much it reads when it wakes up is set on the page{' '}
            <Anchor component={Link} href={PATHS.boot} size="sm" underline="always">
              Boot
            </Anchor>
            .
          </Trans>
        </p>
      </Panel>
      <Reflection />
      <Panel
        title={t`Your agents`}
        hint={t`Each has a memory, keys and settings of its own`}
        action={
          <Button size="xs" leftSection={<IconPlus size={15} />} onClick={open}>
            <Trans>New agent</Trans>
          </Button>
        }
        flush
      >
        <ul>
          {session.agents.map(({ id, display_name, plan }) => (
            <Row
              key={id}
              name={
                <Group gap="sm" wrap="nowrap">
                  <Face id={id} size={30} />
                  <PlainText text={display_name} />
                  <Quiet>{plan}</Quiet>
                </Group>
              }
            >
              {id === agent.id ? (
                <Quiet>
                  <Trans>current</Trans>
                </Quiet>
              ) : (
                <Button variant="default" size="xs" onClick={() => choose(id)}>
                  <Trans>Switch to it</Trans>
                </Button>
              )}
            </Row>
          ))}
        </ul>
      </Panel>
      {making && <NewAgentDialog close={close} />}
    </Stack>
  );
}

function Rename() {
  const { agent } = useAgent();
  const client = useQueryClient();
  const form = useDraftForm('name of the agent', { initialValues: { display_name: agent.display_name } });
  const rename = useAction('PATCH /tenant', { form, touches: ['overview'], done: t`Renamed.` });
  const submit = form.onSubmit((values) =>
    rename.mutate(values, { onSuccess: () => void client.invalidateQueries({ queryKey: SESSION_KEY }) }),
  );
  return (
    <DraftFields form={form} submit={submit}>
      <Group align="flex-end" gap="sm">
        <TextInput
          label={t`Name`}
          maxLength={100}
          required
          className={classes.field ?? ''}
          {...form.getInputProps('display_name')}
        />
        <Button type="submit" loading={rename.isPending}>
          <Trans>Rename</Trans>
        </Button>
      </Group>
    </DraftFields>
  );
}
