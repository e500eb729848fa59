import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Timeline } from '@mantine/core';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import { When } from '../design/when.tsx';
import { useCorrect } from './use-correct.ts';
import { changesTo, factsChanged, isReadable, type Memory, placeOf, type Version } from './version.ts';
import classes from './version-history.module.css';
import { VersionWriter } from './writer.tsx';

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
        {CHANGES[version.change]} by <VersionWriter of={version} />{' '}
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
      onClick={() => back.mutate({ id: memory.id, ...placeOf(memory), ...changes })}
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
          <PlainText text={fact} />
        </p>
      ))}
    </>
  );
}
