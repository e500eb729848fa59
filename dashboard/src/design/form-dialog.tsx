import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';

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
  useFocusReturn(opened);
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      closeOnClickOutside={!isTyped}
      closeOnEscape={!isTyped}
      returnFocus={false}
    >
      <div onInput={() => setTyped(true)}>{children}</div>
    </Modal>
  );
}

/** Gives the focus back to where it was before the dialog. Mantine does not where a dialog is there only while it is open. */
function useFocusReturn(opened: boolean): void {
  useEffect(() => {
    if (!opened) return;
    const before = document.activeElement;
    return () => {
      // The dialog has the focus until it is gone.
      setTimeout(() => before instanceof HTMLElement && before.isConnected && before.focus());
    };
  }, [opened]);
}
