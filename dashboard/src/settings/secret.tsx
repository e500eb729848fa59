import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './settings.module.css';

interface Props {
  readonly secret: string;
  /** Of the button that copies it. */
  readonly label: string;
  readonly children: ReactNode;
}

/** A secret to copy, and what it is for. */
export function Secret({ secret, label, children }: Props) {
  return (
    <div>
      <Group className={classes.secret} wrap="nowrap" gap="xs">
        <code className={classes.code}>{secret}</code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon variant="subtle" onClick={copy} aria-label={label}>
                {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        {children}
      </Text>
    </div>
  );
}
