import { Trans } from '@lingui/react/macro';
import { Button, Modal, Stack } from '@mantine/core';
import type { ReactNode } from 'react';

interface Props<Shown> {
  readonly title: string;
  /** One below the other: a second may come while the first is still shown. */
  readonly shown: readonly Shown[];
  readonly close: () => void;
  readonly children: (one: Shown) => ReactNode;
}

/**
 * Shows once what is never shown again: a secret, a receipt. Only its button closes it, so that a click beside it does not lose
 * that.
 */
export function OnceDialog<Shown>({ title, shown, close, children }: Props<Shown>) {
  return (
    <Modal
      opened={shown.length > 0}
      onClose={close}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        {shown.map((one, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what is shown stays where it is
          <Stack key={place}>{children(one)}</Stack>
        ))}
        <Button onClick={close}>
          <Trans>I have kept it</Trans>
        </Button>
      </Stack>
    </Modal>
  );
}
