import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';

/** Tells a human whose agent has no memories yet how to connect it. */
export function FirstSteps() {
  return (
    <Panel>
      <Empty icon={IconPlugConnected} title={t`Connect your agent`}>
        <Text size="sm" mb="sm">
          <Trans>
            As soon as it writes its first memory, you see it here. For Claude Code, Codex, Gemini CLI or
            Cursor, on the agent’s machine:
          </Trans>
        </Text>
        <Code block>npx svc-memory hooks install claude-code</Code>
        <Text size="sm" mt="sm">
          <Trans>
            Any MCP client takes <Code>{`${window.location.origin}/mcp`}</Code> with the agent’s API key.
          </Trans>
        </Text>
      </Empty>
    </Panel>
  );
}
