import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Badge, Button, Group, Skeleton, Text } from '@mantine/core';
import { IconShieldX } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { Copy } from '../design/copy.tsx';
import { formatNumber } from '../design/format.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import classes from './audit-log.module.css';

type Verdict = AnswerOf<'GET /audit-log/verify'>;

/** Shows whether the log is as it was written, and the checkpoint to keep elsewhere. */
export function VerdictPanel() {
  const verdict = useAnswer('audit', 'GET /audit-log/verify', {}, { staleTime: 60_000 });
  return (
    <Panel
      title={t`Is it as it was written?`}
      action={
        <Button
          size="xs"
          variant="default"
          loading={verdict.isFetching}
          onClick={() => void verdict.refetch()}
        >
          <Trans>Check again</Trans>
        </Button>
      }
    >
      <QueryResult of={verdict} loading={<Skeleton height={44} />}>
        {(found) => <Found verdict={found} />}
      </QueryResult>
    </Panel>
  );
}

function Found({ verdict: { intact, entries, checkpoint, broken } }: { verdict: Verdict }) {
  const point = `${checkpoint.sequence}:${checkpoint.hash}`;
  if (!intact) {
    return (
      <div role="alert">
        <Badge color="red" size="lg" tt="none" leftSection={<IconShieldX size={15} />}>
          <Trans>Broken</Trans>
        </Badge>
        <Text size="sm" mt="xs">
          {breakOf(broken)}{' '}
          <Trans>
            Up to entry {formatNumber(entries)} the log is as it was written. Compare it with a backup or an
            export, and change your keys and passwords.
          </Trans>
        </Text>
      </div>
    );
  }
  return (
    <div>
      <Badge color="teal" variant="dot" size="lg" tt="none">
        <Trans>Verified</Trans>
      </Badge>
      <Text size="sm" mt="xs">
        {plural(entries, { one: 'The one entry is as written.', other: 'All # entries are as written.' })}{' '}
        <Trans>Keep this checkpoint elsewhere: it shows later that nothing before it was rewritten.</Trans>
      </Text>
      <Group gap="xs" wrap="nowrap" mt="xs">
        <code className={classes.checkpoint}>{point}</code>
        <Copy text={point} label={t`Copy the checkpoint`} />
      </Group>
    </div>
  );
}

function breakOf(broken: Verdict['broken']): string {
  const number = formatNumber(broken?.sequence ?? 0);
  switch (broken?.reason) {
    case 'missing':
      return t`Entry ${number} is missing.`;
    case 'truncated':
      return t`The entries from ${number} on are missing.`;
    case 'headless':
      return t`The log does not end with the entry that was written last.`;
    default:
      return t`Entry ${number}, or the one before it, was changed.`;
  }
}
