import { t } from '@lingui/core/macro';
import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './copy.module.css';

interface CopyProps {
  readonly text: string;
  /** The accessible name of the button. */
  readonly label: string;
}

/** A button that copies a text. */
export function Copy({ text, label }: CopyProps) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? t`Copied` : t`Copy`}>
          <ActionIcon variant="subtle" onClick={copy} aria-label={label}>
            {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

/** Shows a text that is entered elsewhere, with a button that copies it. */
export function CopyField({ text, label }: CopyProps) {
  return (
    <Group className={classes.frame} wrap="nowrap" gap="xs">
      <code className={classes.secret}>{text}</code>
      <Copy text={text} label={label} />
    </Group>
  );
}

/** Shows a secret with a button that copies it. The children say what it is for. */
export function Secret({ text, label, children }: CopyProps & { children: ReactNode }) {
  return (
    <div>
      <CopyField text={text} label={label} />
      <Text size="sm" c="dimmed" mt="xs">
        {children}
      </Text>
    </div>
  );
}
