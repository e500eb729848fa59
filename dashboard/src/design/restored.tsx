import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';
import { useRef } from 'react';

/** Says that a form holds what was typed and not sent, and offers to discard it. */
export function Restored({ discard }: { discard: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  const start = () => {
    // The button goes with what is discarded, and the focus would go with it.
    button.current?.closest('form')?.querySelector<HTMLElement>('input, textarea')?.focus();
    discard();
  };
  return (
    <Alert variant="light" role="status" title={t`What you had typed is still here`}>
      <Group justify="space-between">
        <Text size="sm">
          <Trans>It is not saved yet.</Trans>
        </Text>
        <Button ref={button} size="xs" variant="default" onClick={start}>
          <Trans>Discard</Trans>
        </Button>
      </Group>
    </Alert>
  );
}
