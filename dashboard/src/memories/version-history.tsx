import { Timeline } from '@mantine/core';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import { When } from '../design/when.tsx';
import { type Version, WRITERS } from './version.ts';
import classes from './version-history.module.css';

const CHANGES: Readonly<Record<Version['change'], string>> = {
  created: 'Written',
  updated: 'Changed',
  archived: 'Archived',
  restored: 'Restored',
  undone: 'Taken back',
};

/** Lists the versions of a memory, and what each changed. */
export function VersionHistory({ versions }: { versions: readonly Version[] }) {
  return (
    <Panel
      title="History"
      hint={versions.length === 1 ? 'It says what it said at first' : `${versions.length} versions`}
    >
      <Timeline bulletSize={14} lineWidth={2} active={versions.length}>
        {versions.map((version, index) => (
          <Timeline.Item key={version.version} title={<Heading version={version} />}>
            <Changed version={version} before={versions[index + 1]} />
          </Timeline.Item>
        ))}
      </Timeline>
    </Panel>
  );
}

function Heading({ version }: { version: Version }) {
  return (
    <span className={classes.heading}>
      {CHANGES[version.change]} by {WRITERS[version.source.kind]}{' '}
      <span className={classes.when}>
        <When at={version.at} />
      </span>
    </span>
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

function factsChanged(version: Version, before: Version): string[] {
  const said = (value: Version[keyof Version]) =>
    value === null || (Array.isArray(value) && value.length === 0) ? 'none' : String(value);
  const names = ['type', 'category', 'key', 'tags', 'importance', 'occurred_at'] as const;
  return names
    .filter((name) => String(version[name]) !== String(before[name]))
    .map((name) => `${name.replace('_', ' ')}: ${said(before[name])} → ${said(version[name])}`);
}
