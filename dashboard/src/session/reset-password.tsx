import { Alert, Anchor, Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call } from '../api/call.ts';
import { ApiError, explain } from '../api/error.ts';
import { PAGES } from '../pages.ts';
import { Gate } from './gate.tsx';

/** Where the link of a mail leads. Its token comes behind `#`, which no server and no log ever sees. */
export function ResetPassword() {
  const [token] = useState(takeToken);
  const form = useForm({ mode: 'uncontrolled', initialValues: { password: '' } });
  const reset = useMutation({
    mutationFn: ({ password }: { password: string }) => call('POST /auth/reset/confirm', { token, password }),
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
  });
  const signIn = (
    <Anchor component={Link} href={PAGES.signIn} size="sm">
      Go to the sign-in
    </Anchor>
  );
  if (reset.isSuccess) {
    return (
      <Gate title="Your password is changed" lead="All your sessions were ended. Sign in with the new one.">
        {signIn}
      </Gate>
    );
  }
  if (token === '') {
    return (
      <Gate
        title="This link is not complete"
        lead="Open the link of the mail as it is, or ask for a new one."
      >
        <Anchor component={Link} href={PAGES.forgotPassword} size="sm">
          Ask for a new link
        </Anchor>
      </Gate>
    );
  }
  return (
    <Gate title="Choose a new password" lead="It takes the place of the old one everywhere.">
      {reset.error && Object.keys(form.errors).length === 0 && (
        <Alert color="red" variant="light" role="alert">
          {explain(reset.error)}
        </Alert>
      )}
      <form onSubmit={form.onSubmit((values) => reset.mutate(values))}>
        <Stack gap="sm">
          <PasswordInput
            label="New password"
            description="At least 10 characters"
            autoComplete="new-password"
            minLength={10}
            required
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" loading={reset.isPending}>
            Change my password
          </Button>
        </Stack>
      </form>
    </Gate>
  );
}

/** Reads the token and takes it out of the address, so that it stays in no history. */
function takeToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
  if (token !== '') window.history.replaceState(null, '', window.location.pathname);
  return token;
}
