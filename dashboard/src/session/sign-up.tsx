import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../api/call.ts';
import { ApiError, explain } from '../api/error.ts';
import { PAGES } from '../pages.ts';
import { Gate } from './gate.tsx';
import { NewKey } from './new-key.tsx';
import { Providers } from './providers.tsx';
import { useEnter, useSignInOptions } from './use-entrance.ts';

export function SignUp() {
  const enter = useEnter();
  const options = useSignInOptions();
  const [apiKey, setApiKey] = useState<string>();
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { display_name: '', email: '', password: '' },
  });
  const signup = useMutation({
    mutationFn: (input: typeof form.values) => call('POST /auth/signup', input),
    onSuccess: (answer) => (answer.api_key === undefined ? undefined : setApiKey(answer.api_key)),
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
  });

  if (apiKey !== undefined) {
    return (
      <Gate title="Your agent has a home" lead="This key lets the agent in. It is shown this once.">
        <NewKey secret={apiKey} />
        <Button onClick={() => void enter()}>I have kept it. Meet my agent</Button>
      </Gate>
    );
  }
  if (signup.data?.outcome === 'queued') {
    return (
      <Gate title="Look into your inbox" lead="We sent you a link. Open it within an hour, and you are in.">
        <Anchor component={Link} href={PAGES.signIn} size="sm" underline="always">
          Back to the sign-in
        </Anchor>
      </Gate>
    );
  }
  const failed = signup.error && Object.keys(form.errors).length === 0;
  return (
    <Gate title="Create an account" lead="One for you, and a memory for your agent.">
      {failed && (
        <Alert color="red" variant="light" role="alert">
          {explain(signup.error)}
        </Alert>
      )}
      <Providers names={options.data?.providers ?? []} />
      <form onSubmit={form.onSubmit((values) => signup.mutate(values))}>
        <Stack gap="sm">
          <TextInput
            label="Your name"
            autoComplete="name"
            required
            key={form.key('display_name')}
            {...form.getInputProps('display_name')}
          />
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
            description="At least 10 characters"
            autoComplete="new-password"
            minLength={10}
            required
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={signup.isPending} mt="xs">
            Create account
          </Button>
        </Stack>
      </form>
      <Text size="sm" c="dimmed">
        Have an account?{' '}
        <Anchor component={Link} href={PAGES.signIn} size="sm" underline="always">
          Sign in
        </Anchor>
      </Text>
    </Gate>
  );
}
