import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { callApi } from '../api/call.ts';
import { PATHS } from '../navigation/paths.ts';
import { Gate } from './gate.tsx';
import { NewPasswordInput, useVisitorForm } from './visitor-form.tsx';

/** The link of a mail leads here. Its token comes in the fragment, which browsers do not send to a server. */
export default function ResetPasswordPage() {
  const [token] = useState(takeToken);
  const form = useVisitorForm({ password: '' }, ({ password }) =>
    callApi('POST /auth/reset/confirm', { token, password }),
  );
  if (form.answer) {
    return (
      <Gate
        title={t`Your password is changed`}
        lead={t`All your sessions were ended. Sign in with the new one.`}
      >
        <Anchor component={Link} href={PATHS.signIn} size="sm">
          <Trans>Go to the sign-in</Trans>
        </Anchor>
      </Gate>
    );
  }
  if (token === '') {
    return (
      <Gate
        title={t`This link is not complete`}
        lead={t`Open the link of the mail as it is, or ask for a new one.`}
      >
        <Anchor component={Link} href={PATHS.forgotPassword} size="sm">
          <Trans>Ask for a new link</Trans>
        </Anchor>
      </Gate>
    );
  }
  return (
    <Gate
      title={t`Choose a new password`}
      lead={t`It takes the place of the old one everywhere.`}
      problem={form.problem}
    >
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <NewPasswordInput {...form.field('password')} />
          <Button type="submit" loading={form.isPending}>
            <Trans>Change my password</Trans>
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
