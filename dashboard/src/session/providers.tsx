import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Divider, Stack } from '@mantine/core';
import { IconBrandGithub, IconBrandGoogle, IconKey } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type AnswerOf, callApi } from '../api/call.ts';
import { notifyFailure } from '../api/notify.tsx';

type Provider = AnswerOf<'GET /auth/options'>['providers'][number];

const LOOKS = {
  google: { label: 'Google', icon: IconBrandGoogle },
  github: { label: 'GitHub', icon: IconBrandGithub },
  oidc: { label: t`single sign-on`, icon: IconKey },
} as const satisfies Record<Provider, unknown>;

/** Shows a button for each OAuth provider that the operator has set up. */
export function Providers({ names, hasForm }: { names: readonly Provider[]; hasForm: boolean }) {
  const start = useMutation({
    mutationFn: (provider: Provider) => callApi('POST /auth/signup', { provider }),
    onSuccess: ({ redirect_url: url }) => {
      if (url !== undefined) window.location.assign(url);
    },
    onError: (error) => notifyFailure(error),
  });
  if (names.length === 0) return null;
  return (
    <Stack gap="xs">
      {names.map((name) => {
        const { label, icon: Icon } = LOOKS[name];
        return (
          <Button
            key={name}
            variant="default"
            leftSection={<Icon size={18} />}
            loading={start.isPending && start.variables === name}
            onClick={() => start.mutate(name)}
          >
            <Trans>Continue with {label}</Trans>
          </Button>
        );
      })}
      {hasForm && <Divider label={t`or by e-mail`} my={4} />}
    </Stack>
  );
}
