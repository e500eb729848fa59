import { Trans } from '@lingui/react/macro';
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

interface Props {
  /** The label of both buttons: the one that asks and the one that acts. */
  readonly action: string;
  /** Stands before the label of the one that asks. */
  readonly icon?: ReactNode;
  /** Whether it takes something away, as most such actions do. Default: true. */
  readonly removes?: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly pending: boolean;
  readonly confirm: () => void;
  /** Called when it begins to ask. */
  readonly onAsk?: () => void;
}

/** A button for an action that cannot be undone. It asks first. */
export function Confirm({ action, icon, removes = true, title, children, pending, confirm, onAsk }: Props) {
  const [opened, { open, close }] = useDisclosure();
  const [hasAsked, setHasAsked] = useState(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={icon}
        loading={pending}
        onClick={() => {
          onAsk?.();
          setHasAsked(true);
          open();
        }}
      >
        {action}
      </Button>
      {/* A page may have hundreds of them, of which hardly one asks. */}
      {hasAsked && (
        <Modal opened={opened} onClose={close} title={title}>
          <Stack>
            <Text size="sm" component="div">
              {children}
            </Text>
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={close} data-autofocus>
                <Trans>Not now</Trans>
              </Button>
              <Button
                {...(removes && { color: 'red' })}
                loading={pending}
                onClick={() => {
                  confirm();
                  close();
                }}
              >
                {action}
              </Button>
            </Group>
          </Stack>
        </Modal>
      )}
    </>
  );
}
