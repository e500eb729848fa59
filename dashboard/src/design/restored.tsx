import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Alert, Button, Group, Text } from '@mantine/core';

/** Says that a form holds what was typed and not sent, and offers to discard it. */
export function Restored({ discard }: { discard: () => void }) {
  return (
    <Alert variant="light" role="status" title={t`What you had typed is still here`}>
      <Group justify="space-between">
        <Text size="sm">
          <Trans>It is not saved yet.</Trans>
        </Text>
        <Button size="xs" variant="default" onClick={discard}>
          <Trans>Discard</Trans>
        </Button>
      </Group>
    </Alert>
  );
}
