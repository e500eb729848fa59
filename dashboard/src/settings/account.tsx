import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import { fieldErrors } from '../api/error.ts';
import { useAction } from '../api/hooks.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { SecretInput } from '../design/secret-input.tsx';
import { When } from '../design/when.tsx';
import { useSignOut } from '../session/use-entrance.ts';
import { NewPasswordInput } from '../session/visitor-form.tsx';
import classes from './settings.module.css';

/** Shows who is signed in, changes the password, and signs out. */
export function Account() {
  const { session } = useAgent();
  const logout = useSignOut();
  const [changes, setChanges] = useState(0);
  return (
    <Stack gap="lg">
      <Panel
        title="You"
        action={
          <Button variant="default" size="xs" loading={logout.isPending} onClick={() => logout.mutate()}>
            Sign out
          </Button>
        }
      >
        <div className={classes.name}>
          <PlainText text={session.user.display_name} />
        </div>
        <p className={classes.quiet}>
          <PlainText text={session.user.email} /> · this session ends <When at={session.expires_at} />, later
          if you come back before
        </p>
      </Panel>
      <Panel title="Password" hint="A new one signs you out everywhere else.">
        <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
      </Panel>
    </Stack>
  );
}

/** @param onDone Draws an empty form. */
function PasswordForm({ onDone }: { onDone: () => void }) {
  const form = useForm({ initialValues: { current_password: '', password: '' } });
  const change = useAction('POST /auth/password', {
    touches: [],
    done: 'Your password is changed, and all other sessions have ended.',
  });
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: onDone,
      onError: (error) => form.setErrors(fieldErrors(error)),
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack className={classes.form ?? ''}>
        <SecretInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.getInputProps('current_password')}
        />
        <NewPasswordInput {...form.getInputProps('password')} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
