import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../api/call.ts';
import { explain } from '../api/error.ts';
import { PAGES } from '../pages.ts';
import { Gate } from './gate.tsx';

export function ForgotPassword() {
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  const ask = useMutation({
    mutationFn: (input: { email: string }) => call('POST /auth/reset', input),
  });
  const back = (
    <Anchor component={Link} href={PAGES.signIn} size="sm">
      Back to the sign-in
    </Anchor>
  );
  if (ask.isSuccess) {
    return (
      <Gate
        title="Look into your inbox"
        lead="If there is an account with this address, a link is on its way. It works once, for an hour."
      >
        {back}
      </Gate>
    );
  }
  return (
    <Gate title="Forgot your password?" lead="We send you a link to choose a new one.">
      {ask.error && (
        <Alert color="red" variant="light" role="alert">
          {explain(ask.error)}
        </Alert>
      )}
      <form onSubmit={form.onSubmit((values) => ask.mutate(values))}>
        <Stack gap="sm">
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            required
            key={form.key('email')}
            {...form.getInputProps('email')}
          />
          <Button type="submit" loading={ask.isPending}>
            Send the link
          </Button>
        </Stack>
      </form>
      {back}
    </Gate>
  );
}
