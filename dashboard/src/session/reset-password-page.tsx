import { Anchor, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { callApi } from '../api/call.ts';
import { PATHS } from '../navigation/paths.ts';
import { Gate } from './gate.tsx';
import { NewPasswordInput, useVisitorForm } from './visitor-form.tsx';

/** The link of a mail leads here. Its token comes in the fragment, which browsers do not send to a server. */
export function ResetPasswordPage() {
  const [token] = useState(takeToken);
  const form = useVisitorForm({ password: '' }, ({ password }) =>
    callApi('POST /auth/reset/confirm', { token, password }),
  );
  if (form.answer) {
    return (
      <Gate title="Your password is changed" lead="All your sessions were ended. Sign in with the new one.">
        <Anchor component={Link} href={PATHS.signIn} size="sm">
          Go to the sign-in
        </Anchor>
      </Gate>
    );
  }
  if (token === '') {
    return (
      <Gate
        title="This link is not complete"
        lead="Open the link of the mail as it is, or ask for a new one."
      >
        <Anchor component={Link} href={PATHS.forgotPassword} size="sm">
          Ask for a new link
        </Anchor>
      </Gate>
    );
  }
  return (
    <Gate
      title="Choose a new password"
      lead="It takes the place of the old one everywhere."
      problem={form.problem}
    >
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <NewPasswordInput {...form.field('password')} />
          <Button type="submit" loading={form.isPending}>
            Change my password
          </Button>
        </Stack>
      </form>
    </Gate>
  );
}

/** Reads the token and removes it from the address, so that the browser's history does not keep it. */
function takeToken(): string {
  const token = new URLSearchParams(window.location.hash.slice(1)).get('token') ?? '';
  if (token !== '') window.history.replaceState(null, '', window.location.pathname);
  return token;
}
