import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../api/call.ts';
import { ApiError, explain } from '../api/error.ts';
import { PAGES } from '../pages.ts';
import { Gate } from './gate.tsx';
import { LocalLink } from './local-link.tsx';
import { Providers } from './providers.tsx';
import { useEnter, useSignInOptions } from './use-entrance.ts';

/** What a link that failed says in `?error=`, for people. */
const LINK_ERRORS: Readonly<Record<string, string>> = {
  invalid_link: 'This link has expired or was used before. Sign in, or ask for a new one.',
  used_link: 'This sign-in link was used before or has expired. Start the service again for a new one.',
  foreign_machine: 'This link works on the machine of the service only.',
  signup_disabled: 'There is no account for you here, and this service takes no new ones.',
};
const LINK_FAILED = 'The sign-in did not work. Please try again.';

export function SignIn() {
  const enter = useEnter();
  const options = useSignInOptions();
  const login = useMutation({
    mutationFn: (input: { email: string; password: string }) => call('POST /auth/login', input),
    onSuccess: enter,
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
  });
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } });
  const linkError = new URLSearchParams(window.location.search).get('error');
  const { signup = false, local_link: local = false, password_reset: mail = false } = options.data ?? {};
  const failed = login.error && Object.keys(form.errors).length === 0 ? explain(login.error) : undefined;
  const message = failed ?? (linkError && (LINK_ERRORS[linkError] ?? LINK_FAILED));

  return (
    <Gate title="Welcome back" lead="Sign in to meet your agent.">
      {message && (
        <Alert color="red" variant="light" role="alert">
          {message}
        </Alert>
      )}
      {local && <LocalLink />}
      <Providers names={options.data?.providers ?? []} />
      <form onSubmit={form.onSubmit((values) => login.mutate(values))}>
        <Stack gap="sm">
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            required
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          {mail && (
            <Anchor component={Link} href={PAGES.forgotPassword} size="sm">
              Forgot your password?
            </Anchor>
          )}
          <Button type="submit" loading={login.isPending} mt="xs">
            Sign in
          </Button>
        </Stack>
      </form>
      {signup && (
        <Text size="sm" c="dimmed">
          New here?{' '}
          <Anchor component={Link} href={PAGES.signUp} size="sm" underline="always">
            Create an account
          </Anchor>
        </Text>
      )}
    </Gate>
  );
}
