import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'wouter';
import { callApi } from '../api/call.ts';
import { PATHS } from '../navigation/paths.ts';
import { Gate } from './gate.tsx';
import { NewKey } from './new-key.tsx';
import { Providers } from './providers.tsx';
import { useEnter, useSignInOptions } from './use-entrance.ts';
import { EmailInput, NewPasswordInput, useVisitorForm } from './visitor-form.tsx';

export default function SignUpPage() {
  const enter = useEnter();
  const options = useSignInOptions();
  const form = useVisitorForm({ display_name: '', email: '', password: '' }, (values) =>
    callApi('POST /auth/signup', values),
  );
  if (form.answer?.api_key !== undefined) {
    return (
      <Gate title={t`Your agent has a home`} lead={t`This key lets the agent in. It is shown this once.`}>
        <NewKey secret={form.answer.api_key} />
        <Button onClick={() => void enter()}>
          <Trans>I have kept it. Meet my agent</Trans>
        </Button>
      </Gate>
    );
  }
  if (form.answer?.outcome === 'queued') {
    return (
      <Gate
        title={t`Look into your inbox`}
        lead={t`We sent you a link. Open it within an hour, and you are in.`}
      >
        <Anchor component={Link} href={PATHS.signIn} size="sm" underline="always">
          <Trans>Back to the sign-in</Trans>
        </Anchor>
      </Gate>
    );
  }
  return (
    <Gate
      title={t`Create an account`}
      lead={t`One for you, and a memory for your agent.`}
      problem={form.problem}
    >
      <Providers names={options.data?.providers ?? []} hasForm />
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <TextInput label={t`Your name`} autoComplete="name" required {...form.field('display_name')} />
          <EmailInput {...form.field('email')} />
          <NewPasswordInput label={t`Password`} {...form.field('password')} />
          <Button type="submit" loading={form.isPending} mt="xs">
            <Trans>Create account</Trans>
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        <Trans>
          Have an account?{' '}
          <Anchor component={Link} href={PATHS.signIn} size="sm" underline="always">
            Sign in
          </Anchor>
        </Trans>
      </Text>
    </Gate>
  );
}
