import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { AnswerOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import classes from './boot.module.css';
import { BudgetPanel } from './budget-panel.tsx';
import { InjectionPanel } from './injection-panel.tsx';
import { SizeSlider } from './size-slider.tsx';

/** Shows the text that the agent reads at boot, and the settings of its size. */
export default function BootPage() {
  const settings = useAnswer('boot', 'GET /boot-config', {});
  return (
    <PageLayout
      title="Boot"
      lead="The text your agent reads at the start of every session, before anything else: this is how it knows who it is."
    >
      <QueryResult of={settings} loading={<Skeleton height={420} radius="lg" />}>
        {({ boot_config }) => <Trial key={JSON.stringify(boot_config)} saved={boot_config} />}
      </QueryResult>
    </PageLayout>
  );
}

type BootConfig = AnswerOf<'GET /boot-config'>['boot_config'];

const PAUSE_MS = 200;
const SIZES = [
  {
    name: 'token_budget',
    label: 'Token budget',
    description: 'What the whole text may take of the model’s context',
    unit: 'tokens',
    steps: [256, 512, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 200_000],
  },
  {
    name: 'episodic_limit',
    label: 'Recent episodes',
    description: 'At most so many of the latest',
    unit: 'episodes',
    steps: [0, 5, 10, 20, 30, 50, 75, 100, 150, 200],
  },
  {
    name: 'truncate_at',
    label: 'Length of an entry',
    description: 'What is longer is cut; soul and identity never are',
    unit: 'characters',
    steps: [80, 150, 300, 600, 1_000, 2_000, 4_000, 8_000, 16_000, 32_768],
  },
] as const;

/** Shows the three settings, and a preview of the boot text with them. */
function Trial({ saved }: { saved: BootConfig }) {
  const [tried, setTried] = useState(saved);
  const [settled] = useDebouncedValue(tried, PAUSE_MS);
  const preview = useAnswer('boot', 'GET /boot-config/preview', settled, { keepPrevious: true });
  const save = useAction('POST /boot-config', {
    touches: ['boot'],
    done: 'Saved. It holds from the next boot on.',
  });
  const changed = SIZES.some(({ name }) => tried[name] !== saved[name]);
  const stale = preview.isPlaceholderData || tried !== settled;
  return (
    <>
      <Panel title="Room" hint="Try it: the text below follows. Nothing changes before you save.">
        <div className={classes.sliders}>
          {SIZES.map(({ name, ...slider }) => (
            <SizeSlider
              key={name}
              {...slider}
              value={tried[name]}
              saved={saved[name]}
              onChange={(value) => setTried({ ...tried, [name]: value })}
            />
          ))}
        </div>
        <Group mt="lg" gap="sm">
          <Button disabled={!changed} loading={save.isPending} onClick={() => save.mutate(tried)}>
            Save
          </Button>
          <Button variant="default" disabled={!changed} onClick={() => setTried(saved)}>
            Put back
          </Button>
          <Text size="sm" c="dimmed" role="status">
            {changed ? 'Not saved yet' : ''}
          </Text>
        </Group>
      </Panel>
      <QueryResult of={preview} loading={<Skeleton height={360} radius="lg" />}>
        {(data) => (
          <div className={classes.preview} data-stale={stale} aria-busy={stale}>
            <BudgetPanel preview={data} />
            <InjectionPanel preview={data} />
          </div>
        )}
      </QueryResult>
    </>
  );
}
