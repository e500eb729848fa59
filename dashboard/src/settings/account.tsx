import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { call } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useAction } from '../api/hooks.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { When } from '../design/when.tsx';
import { PAGES } from '../pages.ts';
import classes from './settings.module.css';

/** Who is signed in, the password, and the way out. */
export function Account() {
  const { session } = useAgent();
  const client = useQueryClient();
  const [, go] = useLocation();
  const logout = useMutation({
    mutationFn: () => call('POST /auth/logout', {}),
    onSuccess: () => {
      go(PAGES.signIn);
      client.clear();
    },
  });
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
        <PasswordForm />
      </Panel>
    </Stack>
  );
}

function PasswordForm() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { current_password: '', password: '' } });
  const change = useAction('POST /auth/password', {
    touches: [],
    done: 'Your password is changed, and all other sessions have ended.',
  });
  const submit = form.onSubmit((values) =>
    change.mutate(values, {
      onSuccess: () => form.reset(),
      onError: (error) => {
        if (error instanceof ApiError) form.setErrors(error.fields);
      },
    }),
  );
  return (
    <form onSubmit={submit}>
      <Stack className={classes.form ?? ''}>
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          key={form.key('current_password')}
          {...form.getInputProps('current_password')}
        />
        <PasswordInput
          label="New password"
          description="At least 10 characters"
          autoComplete="new-password"
          minLength={10}
          required
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change it
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
