import { Alert, Anchor, Button, Code, Stack, Text } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { callApi } from '../api/call.ts';
import { SecretInput } from '../design/secret-input.tsx';
import { PATHS } from '../navigation/paths.ts';
import { Gate } from './gate.tsx';
import { Providers } from './providers.tsx';
import { useEnter, useSignInOptions } from './use-entrance.ts';
import { EmailInput, useVisitorForm } from './visitor-form.tsx';

/** What to tell a human about the error code of a failed link, `?error=`. */
const LINK_ERRORS: Readonly<Record<string, string>> = {
  invalid_link: 'This link has expired or was used before. Sign in, or ask for a new one.',
  used_link: 'This sign-in link was used before or has expired. Run `svc link` for a new one.',
  foreign_machine: 'This link works on the machine of the service only.',
  signup_disabled: 'There is no account for you here, and this service takes no new ones.',
};
const LINK_FAILED = 'The sign-in did not work. Please try again.';

export function SignInPage() {
  const enter = useEnter();
  const options = useSignInOptions();
  const form = useVisitorForm(
    { email: '', password: '' },
    (values) => callApi('POST /auth/login', values),
    enter,
  );
  const linkError = new URLSearchParams(window.location.search).get('error');
  const { signup = false, local_link: local = false, password_reset: mail = false } = options.data ?? {};
  return (
    <Gate
      title="Welcome back"
      lead="Sign in to meet your agent."
      problem={form.problem ?? (linkError && (LINK_ERRORS[linkError] ?? LINK_FAILED))}
    >
      {local && <LocalLink />}
      <Providers names={options.data?.providers ?? []} />
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <EmailInput {...form.field('email')} />
          <SecretInput
            label="Password"
            autoComplete="current-password"
            required
            {...form.field('password')}
          />
          {mail && (
            <Anchor component={Link} href={PATHS.forgotPassword} size="sm">
              Forgot your password?
            </Anchor>
          )}
          <Button type="submit" loading={form.isPending} mt="xs">
            Sign in
          </Button>
        </Stack>
      </form>
      {signup && (
        <Text size="sm" c="dimmed">
          New here?{' '}
          <Anchor component={Link} href={PATHS.signUp} size="sm" underline="always">
            Create an account
          </Anchor>
        </Text>
      )}
    </Gate>
  );
}

/** Tells the owner of a service on their own machine how to sign in. */
function LocalLink() {
  return (
    <Alert icon={<IconTerminal2 size={18} />} title="This service runs on this machine" variant="light">
      <Text size="sm">
        Open the sign-in link that its start printed in the terminal. It works once, for 15 minutes;{' '}
        <Code>svc link</Code> prints a new one.
      </Text>
    </Alert>
  );
}
