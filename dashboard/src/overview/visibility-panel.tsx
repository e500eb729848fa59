import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Panel } from '../design/panel.tsx';
import { PATHS } from '../navigation/paths.ts';
import type { OverviewData } from './overview-data.ts';

/** Says in one sentence how much the agent shows its human. */
export function VisibilityPanel({ settings }: { settings: OverviewData['visibility'] }) {
  return (
    <Panel
      title={t`What you may see`}
      action={
        <Anchor component={Link} href={PATHS.visibility} size="sm">
          <Trans>Details</Trans>
        </Anchor>
      }
    >
      {sentence(settings)}
    </Panel>
  );
}

function sentence({ default: level, types, categories, tags }: OverviewData['visibility']): string {
  const rules = [...Object.values(types), ...Object.values(categories), ...Object.values(tags)];
  const kept = rules.filter((rule) => rule !== 'full').length;
  if (level === 'hidden') return t`Your agent keeps its memories to itself, except where it says otherwise.`;
  if (level === 'redacted') return t`Your agent shows that memories exist, and when, but not what they say.`;
  if (kept === 0) return t`Your agent shows you everything it remembers.`;
  return plural(kept, {
    one: 'Your agent shows you its memories, except for one kind that it keeps to itself.',
    other: 'Your agent shows you its memories, except for # kinds that it keeps to itself.',
  });
}
