import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import type { AnswerOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import classes from './boot.module.css';
import { BudgetPanel } from './budget-panel.tsx';
import { EntriesPanel } from './entries-panel.tsx';
import { InjectionPanel } from './injection-panel.tsx';
import { LastBoots } from './last-boots.tsx';
import { SizeSlider } from './size-slider.tsx';

/** Shows the text that the agent reads at boot, and the settings of its size. */
export default function BootPage() {
  const settings = useAnswer('boot', 'GET /boot-config', {});
  return (
    <PageLayout
      title={t`Boot`}
      lead={t`The text your agent reads at the start of every session, before anything else: this is how it knows who it is.`}
    >
      <QueryResult of={settings} loading={<Loading />}>
        {({ boot_config }) => <Trial saved={boot_config} />}
      </QueryResult>
      <LastBoots />
    </PageLayout>
  );
}

type BootConfig = AnswerOf<'GET /boot-config'>['boot_config'];

const PAUSE_MS = 200;
const SIZES = [
  {
    name: 'token_budget',
    label: t`Token budget`,
    description: t`What the whole text may take of the model’s context`,
    unit: 'tokens',
    steps: [256, 512, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 200_000],
  },
  {
    name: 'episodic_limit',
    label: t`Recent episodes`,
    description: t`At most so many of the latest`,
    unit: 'episodes',
    steps: [0, 5, 10, 20, 30, 50, 75, 100, 150, 200],
  },
  {
    name: 'truncate_at',
    label: t`Length of an entry`,
    description: t`What is longer is cut; soul and identity never are`,
    unit: 'characters',
    steps: [80, 150, 300, 600, 1_000, 2_000, 4_000, 8_000, 16_000, 32_768],
  },
] as const;

/** Shows the three settings, and a preview of the boot text with them. */
function Trial({ saved }: { saved: BootConfig }) {
  // What is not touched here follows what is saved elsewhere.
  const [touched, setTouched] = useState<Partial<BootConfig>>({});
  const tried = useMemo(() => ({ ...saved, ...touched }), [saved, touched]);
  const [settled] = useDebouncedValue(tried, PAUSE_MS);
  const preview = useAnswer('boot', 'GET /boot-config/preview', settled, { keepPrevious: true });
  const save = useAction('POST /boot-config', {
    touches: ['boot'],
    done: t`Saved. It holds from the next boot on.`,
  });
  const changed = SIZES.some(({ name }) => tried[name] !== saved[name]);
  const stale = preview.isPlaceholderData || tried !== settled;
  return (
    <>
      <Panel title={t`Size`} hint={t`Try it: the text below follows. Nothing changes before you save.`}>
        <div className={classes.sliders}>
          {SIZES.map(({ name, ...slider }) => (
            <SizeSlider
              key={name}
              {...slider}
              value={tried[name]}
              saved={saved[name]}
              onChange={(value) => setTouched({ ...touched, [name]: value })}
            />
          ))}
        </div>
        <Group mt="lg" gap="sm">
          <Button
            disabled={!changed}
            loading={save.isPending}
            onClick={() => save.mutate(touched, { onSuccess: () => setTouched({}) })}
          >
            <Trans>Save</Trans>
          </Button>
          <Button variant="default" disabled={!changed} onClick={() => setTouched({})}>
            <Trans>Reset</Trans>
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {changed ? t`Not saved yet` : ''}
          </Text>
        </Group>
      </Panel>
      <QueryResult of={preview} loading={<TextLoading />}>
        {(data) => (
          <div className={classes.preview} data-stale={stale} aria-busy={stale}>
            <BudgetPanel preview={data} />
            <EntriesPanel sections={data.sections} />
            <InjectionPanel preview={data} />
          </div>
        )}
      </QueryResult>
    </>
  );
}

/** In the shape of the settings. */
function Loading() {
  return (
    <>
      <Panel title={t`Size`}>
        <div className={classes.sliders}>
          {SIZES.map(({ name }) => (
            <div key={name}>
              <Skeleton height={14} width={140} mb="sm" />
              <Skeleton height={8} />
            </div>
          ))}
        </div>
      </Panel>
      <TextLoading />
    </>
  );
}

/** In the shape of the text. */
function TextLoading() {
  return (
    <Panel title={t`What it reads`}>
      {[40, 90, 75, 85, 60, 30].map((width) => (
        <Skeleton key={width} height={12} width={`${width}%`} mb="sm" />
      ))}
    </Panel>
  );
}
