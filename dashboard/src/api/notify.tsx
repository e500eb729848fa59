import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group } from '@mantine/core';
import { type NotificationData, notifications, notificationsStore } from '@mantine/notifications';
import { explain, isUnanswered } from './error.ts';

/**
 * How long a notification stays that offers to take the action back, or that says why one has failed.
 *
 * It stays longer while it has the focus or the pointer is over it, so that who
 * uses the keyboard or a screen reader is not cut off (WCAG 2.2, 2.2.1).
 */
const STAYS_MS = 20_000;
/** How many notifications a phone shows beside the page. */
export const MOST_SHOWN = 3;

let shown = 0;

interface Done {
  readonly message: string;
  /** Takes the action back, and resolves to what to say then. Default: it cannot be taken back. */
  readonly undo?: (() => Promise<string>) | undefined;
}

/**
 * Shows a notification at once, in the place of the oldest one where there are too many.
 *
 * Mantine would let it wait until another one ends: what an action came to, or that it failed, would be said after up to
 * 20 seconds. One that has the focus stays, as somebody is about to press its button.
 */
function show(notification: NotificationData): void {
  notifications.updateState(notificationsStore, (standing) => {
    const tooMany = Math.max(0, standing.length + 1 - MOST_SHOWN);
    const leaving = standing.filter(({ autoClose }) => autoClose !== false).slice(0, tooMany);
    return standing.filter((one) => !leaving.includes(one));
  });
  notifications.show(notification);
}

/** Says that an action has succeeded, and offers to take it back. */
export function notifyDone({ message, undo }: Done): void {
  if (!undo) {
    show({ message, color: 'teal' });
    return;
  }
  shown += 1;
  const id = `done-${shown}`;
  const takeBack = () => {
    notifications.hide(id);
    undo().then(
      (undone) => notifyDone({ message: undone }),
      (error: unknown) => notifyChangeFailure(error),
    );
  };
  const offer = (
    <Group justify="space-between" gap="sm" wrap="nowrap">
      <span>{message}</span>
      <Button variant="light" size="compact-sm" onClick={takeBack}>
        <Trans>Undo</Trans>
      </Button>
    </Group>
  );
  const closeAfter = (autoClose: number | false) => notifications.update({ id, autoClose, message: offer });
  show({
    id,
    color: 'teal',
    autoClose: STAYS_MS,
    message: offer,
    // Mantine waits for the pointer by itself, but not for the focus.
    onFocusCapture: () => closeAfter(false),
    onBlurCapture: () => closeAfter(STAYS_MS),
  });
}

/** Says that an action has failed, and why. */
export function notifyFailure(error: unknown, title: string = t`That did not work`): void {
  show({ title, message: explain(error), color: 'red', autoClose: STAYS_MS });
}

/** Says that a change has failed, or that nobody can tell: where no answer came, the service may have made it. */
export function notifyChangeFailure(error: unknown): void {
  if (!isUnanswered(error)) {
    notifyFailure(error);
    return;
  }
  show({
    title: t`No answer came`,
    message: t`The service may have done it all the same. See what the page shows before you try again.`,
    color: 'red',
    autoClose: STAYS_MS,
  });
}
