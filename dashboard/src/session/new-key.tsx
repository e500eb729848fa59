import { ActionIcon, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './new-key.module.css';

/** A secret that is shown once, to copy. */
export function NewKey({ secret }: { secret: string }) {
  return (
    <div>
      <Group className={classes.key} wrap="nowrap" gap="xs">
        <code className={classes.secret}>{secret}</code>
        <CopyButton value={secret}>
          {({ copied, copy }) => (
            <Tooltip label={copied ? 'Copied' : 'Copy'}>
              <ActionIcon variant="subtle" onClick={copy} aria-label="Copy the API key">
                {copied ? <IconCheck size={18} /> : <IconCopy size={18} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      </Group>
      <Text size="sm" c="dimmed" mt="xs">
        Give it to the agent as <code>SVC_API_KEY</code>. Keep it like a password: whoever has it can read and
        write everything the agent remembers.
      </Text>
    </div>
  );
}
