import { Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { Link } from 'wouter';
import { callApi } from '../api/call.ts';
import { PATHS } from '../navigation/paths.ts';
import { Gate } from './gate.tsx';
import { NewKey } from './new-key.tsx';
import { Providers } from './providers.tsx';
import { useEnter, useSignInOptions } from './use-entrance.ts';
import { EmailInput, NewPasswordInput, useVisitorForm } from './visitor-form.tsx';

export function SignUpPage() {
  const enter = useEnter();
  const options = useSignInOptions();
  const form = useVisitorForm({ display_name: '', email: '', password: '' }, (values) =>
    callApi('POST /auth/signup', values),
  );
  if (form.answer?.api_key !== undefined) {
    return (
      <Gate title="Your agent has a home" lead="This key lets the agent in. It is shown this once.">
        <NewKey secret={form.answer.api_key} />
        <Button onClick={() => void enter()}>I have kept it. Meet my agent</Button>
      </Gate>
    );
  }
  if (form.answer?.outcome === 'queued') {
    return (
      <Gate title="Look into your inbox" lead="We sent you a link. Open it within an hour, and you are in.">
        <Anchor component={Link} href={PATHS.signIn} size="sm" underline="always">
          Back to the sign-in
        </Anchor>
      </Gate>
    );
  }
  return (
    <Gate title="Create an account" lead="One for you, and a memory for your agent." problem={form.problem}>
      <Providers names={options.data?.providers ?? []} />
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <TextInput label="Your name" autoComplete="name" required {...form.field('display_name')} />
          <EmailInput {...form.field('email')} />
          <NewPasswordInput label="Password" {...form.field('password')} />
          <Button type="submit" loading={form.isPending} mt="xs">
            Create account
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        Have an account?{' '}
        <Anchor component={Link} href={PATHS.signIn} size="sm" underline="always">
          Sign in
        </Anchor>
      </Text>
    </Gate>
  );
}
