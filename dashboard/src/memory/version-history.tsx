import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Timeline } from '@mantine/core';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import { When } from '../design/when.tsx';
import { useCorrect } from './use-correct.ts';
import { changesTo, isReadable, type Memory, type Version, WRITERS } from './version.ts';
import classes from './version-history.module.css';

const CHANGES: Readonly<Record<Version['change'], string>> = {
  created: t`Written`,
  updated: t`Changed`,
  archived: t`Archived`,
  restored: t`Restored`,
  undone: t`Taken back`,
};

interface Props {
  readonly memory: Memory;
  readonly versions: readonly Version[];
  /** Whether the human may return to an earlier version. */
  readonly canReturn: boolean;
}

/** Lists the versions of a memory and what each changed, and returns to an earlier one. */
export function VersionHistory({ memory, versions, canReturn }: Props) {
  return (
    <Panel title={t`History`} hint={plural(versions.length, { one: '# version', other: '# versions' })}>
      <Timeline bulletSize={14} lineWidth={2} active={versions.length}>
        {versions.map((version, index) => (
          <Timeline.Item key={version.version} title={<Heading version={version} />}>
            <Changed version={version} before={versions[index + 1]} />
            {canReturn && index > 0 && isReadable(version) && <Return memory={memory} version={version} />}
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  );
}

function Heading({ version }: { version: Version }) {
  return (
    <span className={classes.heading}>
      <Trans>
        {CHANGES[version.change]} by {WRITERS[version.source.kind]}{' '}
        <span className={classes.when}>
          <When at={version.at} />
        </span>
      </Trans>
    </span>
  );
}

function Return({ memory, version }: { memory: Memory; version: Version }) {
  const back = useCorrect(memory, t`It says again what it said then.`);
  const changes = changesTo(version, memory);
  if (Object.keys(changes).length === 0) return null;
  return (
    <Button
      variant="default"
      size="compact-sm"
      mt="xs"
      loading={back.isPending}
      onClick={() => back.mutate({ id: memory.id, ...changes })}
    >
      <Trans>Return to this version</Trans>
    </Button>
  );
}

function Changed({ version, before }: { version: Version; before: Version | undefined }) {
  if (!before) return <MemoryText text={version.content} lines={6} size="small" />;
  const facts = factsChanged(version, before);
  return (
    <>
      {version.content !== before.content && <TextDiff before={before.content} after={version.content} />}
      {facts.map((fact) => (
        <p key={fact} className={classes.fact}>
          {fact}
        </p>
      ))}
    </>
  );
}

const FIELD_NAMES = {
  type: t`type`,
  category: t`category`,
  key: t`key`,
  tags: t`tags`,
  importance: t`importance`,
  occurred_at: t`occurred at`,
  valid_to: t`valid to`,
  expires_at: t`expires at`,
} as const;

function factsChanged(version: Version, before: Version): string[] {
  const said = (value: Version[keyof Version]) =>
    value === null || value === undefined || (Array.isArray(value) && value.length === 0)
      ? t`none`
      : String(value);
  const names = [
    ...(['type', 'category', 'key', 'tags', 'importance'] as const),
    ...(['occurred_at', 'valid_to', 'expires_at'] as const),
  ];
  return names
    .filter((name) => String(version[name]) !== String(before[name]))
    .map((name) => `${FIELD_NAMES[name]}: ${said(before[name])} → ${said(version[name])}`);
}
