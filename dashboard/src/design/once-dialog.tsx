import { Trans } from '@lingui/react/macro';
import { Button, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props {
  readonly title: string;
  readonly opened: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** Shows once what is never shown again: a secret, a receipt. Only its button closes it, so that a click beside it does not lose that. */
export function OnceDialog({ title, opened, close, children }: Props) {
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        {children}
        <Button onClick={close}>
          <Trans>I have kept it</Trans>
        </Button>
      </Stack>
    </Modal>
  );
}
