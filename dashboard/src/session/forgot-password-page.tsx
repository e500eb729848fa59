import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Stack } from '@mantine/core';
import { Link } from 'wouter';
import { callApi } from '../api/call.ts';
import { PATHS } from '../navigation/paths.ts';
import { Gate } from './gate.tsx';
import { EmailInput, useVisitorForm } from './visitor-form.tsx';

export default function ForgotPasswordPage() {
  const form = useVisitorForm({ email: '' }, (values) => callApi('POST /auth/reset', values));
  const back = (
    <Anchor component={Link} href={PATHS.signIn} size="sm">
      <Trans>Back to the sign-in</Trans>
    </Anchor>
  );
  if (form.answer) {
    return (
      <Gate
        title={t`Look into your inbox`}
        lead={t`If there is an account with this address, a link is on its way. It works once, for an hour.`}
      >
        {back}
      </Gate>
    );
  }
  return (
    <Gate
      title={t`Forgot your password?`}
      lead={t`We send you a link to choose a new one.`}
      problem={form.problem}
    >
      <form onSubmit={form.submit}>
        <Stack gap="sm">
          <EmailInput {...form.field('email')} />
          <Button type="submit" loading={form.isPending}>
            <Trans>Send the link</Trans>
          </Button>
        </Stack>
      </form>
      {back}
    </Gate>
  );
}
