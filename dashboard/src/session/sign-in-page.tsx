import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { IconTerminal2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { callApi } from '../api/call.ts';
import { Copy } from '../design/copy.tsx';
import { SecretInput } from '../design/secret-input.tsx';
import { PATHS } from '../navigation/paths.ts';
import classes from './gate.module.css';
import { Gate } from './gate.tsx';
import { linkProblem } from './link-problem.ts';
import { Providers } from './providers.tsx';
import { useEnter, useSignedInElsewhere, useSignInOptions } from './use-entrance.ts';
import { EmailInput, useVisitorForm } from './visitor-form.tsx';

export default function SignInPage() {
  const enter = useEnter();
  useSignedInElsewhere(enter);
  const options = useSignInOptions();
  const form = useVisitorForm(
    { email: '', password: '' },
    (values) => callApi('POST /auth/login', values),
    enter,
  );
  const { signup = false, local_link: local = false, password_reset: mail = false } = options.data ?? {};
  const { password = !options.isPending } = options.data ?? {};
  return (
    <Gate
      title={t`Welcome back`}
      lead={t`Sign in to meet your agent.`}
      problem={form.problem ?? linkProblem(window.location.search)}
    >
      {local && <LocalLink />}
      <Providers names={options.data?.providers ?? []} hasForm={password} />
      {password && (
        <form onSubmit={form.submit}>
          <Stack gap="sm">
            <EmailInput {...form.field('email')} />
            <SecretInput
              label={t`Password`}
              autoComplete="current-password"
              required
              {...form.field('password')}
            />
            {mail && (
              <Anchor component={Link} href={PATHS.forgotPassword} size="sm">
                <Trans>Forgot your password?</Trans>
              </Anchor>
            )}
            <Button type="submit" loading={form.isPending} mt="xs">
              <Trans>Sign in</Trans>
            </Button>
          </Stack>
        </form>
      )}
      {signup && (
        <Text size="sm" c="dimmed">
          <Trans>
            New here?{' '}
            <Anchor component={Link} href={PATHS.signUp} size="sm" underline="always">
              Create an account
            </Anchor>
          </Trans>
        </Text>
      )}
    </Gate>
  );
}

const COMMAND = 'npx svc-memory link';

/** Tells the owner of a service on their own machine how to sign in. */
function LocalLink() {
  return (
    <Alert icon={<IconTerminal2 size={18} />} title={t`This service runs on this machine`} variant="light">
      <Text size="sm">
        <Trans>
          Open the sign-in link that its start printed in the terminal. For a new one, also while the service
          runs, enter in the folder where you started it:
        </Trans>
      </Text>
      <Group gap="xs" wrap="nowrap" mt="xs">
        <Code block className={classes.command ?? ''}>
          {COMMAND}
        </Code>
        <Copy text={COMMAND} label={t`Copy the command`} />
      </Group>
      <Text size="sm" mt="xs">
        <Trans>A link works once, for 15 minutes.</Trans>
      </Text>
    </Alert>
  );
}
