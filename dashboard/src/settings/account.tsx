import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import { useAction } from '../api/hooks.ts';
import { SESSION_KEY } from '../api/session.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { Quiet } from '../design/row.tsx';
import { SecretInput } from '../design/secret-input.tsx';
import { When } from '../design/when.tsx';
import { useSignOut } from '../session/use-entrance.ts';
import { NewPasswordInput } from '../session/visitor-form.tsx';
import { Sessions } from './sessions.tsx';
import classes from './settings.module.css';

/** The address of the owner of a service on their own machine. No mail reaches it. */
const LOCAL_OWNER = 'owner@localhost';

/** Shows who is signed in, changes the password, and signs out. */
export function Account() {
  const { session } = useAgent();
  const logout = useSignOut();
  const [changes, setChanges] = useState(0);
  return (
    <Stack gap="lg">
      <Panel
        title={t`You`}
        action={
          <Button variant="default" size="xs" loading={logout.isPending} onClick={() => logout.mutate()}>
            <Trans>Sign out</Trans>
          </Button>
        }
      >
        <div className={classes.name}>
          <PlainText text={session.user.display_name} />
        </div>
        <Quiet>
          <Trans>
            <PlainText text={session.user.email} /> · this session ends <When at={session.expires_at} />,
            later if you come back before
          </Trans>
        </Quiet>
      </Panel>
      {session.has_password ? (
        <Panel title={t`Password`} hint={t`A new one signs you out everywhere else.`}>
          <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
        </Panel>
      ) : (
        <Panel
          title={t`Password`}
          hint={
            session.user.email === LOCAL_OWNER
              ? t`So far you sign in by the link that npx svc-memory link prints. With a password you can sign in without it.`
              : t`So far you sign in another way. With a password you can sign in by e-mail, too.`
          }
        >
          <FirstPasswordForm />
        </Panel>
      )}
      <Sessions />
    </Stack>
  );
}

/** Sets the first password of who has none. */
function FirstPasswordForm() {
  const { session } = useAgent();
  const client = useQueryClient();
  const form = useForm({ initialValues: { password: '' } });
  const set = useAction('POST /auth/password', {
    form,
    touches: [],
    done: t`Your password is set. You sign in with it as ${session.user.email}.`,
  });
  const submit = form.onSubmit((values) =>
    set.mutate(values, {
      onSuccess: () => void client.invalidateQueries({ queryKey: SESSION_KEY }),
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack className={classes.form ?? ''}>
        <NewPasswordInput
          description={t`At least 10 characters. You sign in as ${session.user.email}`}
          {...form.getInputProps('password')}
        />
        <Group>
          <Button type="submit" loading={set.isPending}>
            <Trans>Set a password</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** @param onDone Draws an empty form. */
function PasswordForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ initialValues: { current_password: '', password: '' } });
  const change = useAction('POST /auth/password', {
    form,
    touches: ['sessions'],
    done: t`Your password is changed, and all other sessions have ended.`,
  });
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: onDone,
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack className={classes.form ?? ''}>
        <SecretInput
          label={t`Current password`}
          autoComplete="current-password"
          required
          {...form.getInputProps('current_password')}
        />
        <NewPasswordInput {...form.getInputProps('password')} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            <Trans>Change it</Trans>
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
