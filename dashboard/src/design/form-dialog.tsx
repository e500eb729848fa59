import { Modal } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Props {
  readonly title: string;
  readonly opened: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

/** A dialog with fields. Once something is typed, only its buttons close it: a click beside it, or Escape, would lose that. */
export function FormDialog({ title, opened, close, children }: Props) {
  const [isTyped, setTyped] = useState(false);
  if (!opened && isTyped) setTyped(false);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeOnClickOutside={!isTyped}
      closeOnEscape={!isTyped}
    >
      <div onInput={() => setTyped(true)}>{children}</div>
    </Modal>
  );
}
