import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import type { Answer } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { Answered } from '../design/answered.tsx';
import { Panel } from '../design/panel.tsx';
import classes from './boot.module.css';
import { Budget } from './budget.tsx';
import { Injection } from './injection.tsx';
import { SizeSlider } from './size-slider.tsx';

export type BootConfig = Answer<'GET /boot-config'>['boot_config'];
export type Preview = Answer<'GET /boot-config/preview'>;

const PAUSE_MS = 200;
const BUDGETS = [256, 512, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 200_000];
const EPISODES = [0, 5, 10, 20, 30, 50, 75, 100, 150, 200];
const CUTS = [80, 150, 300, 600, 1_000, 2_000, 4_000, 8_000, 16_000, 32_768];

/** The three settings, and the injection as it would be with them. */
export function Trial({ saved }: { saved: BootConfig }) {
  const [tried, setTried] = useState(saved);
  const [settled] = useDebouncedValue(tried, PAUSE_MS);
  const preview = useAnswer('boot', 'GET /boot-config/preview', settled, { keepPrevious: true });
  const save = useAction('POST /boot-config', {
    touches: ['boot'],
    done: 'Saved. It holds from the next boot on.',
  });
  const set = (name: keyof BootConfig) => (value: number) => setTried({ ...tried, [name]: value });
  const changed =
    tried.token_budget !== saved.token_budget ||
    tried.episodic_limit !== saved.episodic_limit ||
    tried.truncate_at !== saved.truncate_at;
  const stale = preview.isPlaceholderData || tried !== settled;
  return (
    <>
      <Panel title="Room" hint="Try it: the text below follows. Nothing changes before you save.">
        <div className={classes.sliders}>
          <SizeSlider
            label="Token budget"
            description="What the whole text may take of the model’s context"
            unit="tokens"
            steps={BUDGETS}
            value={tried.token_budget}
            saved={saved.token_budget}
            onChange={set('token_budget')}
          />
          <SizeSlider
            label="Recent episodes"
            description="At most so many of the latest"
            unit="episodes"
            steps={EPISODES}
            value={tried.episodic_limit}
            saved={saved.episodic_limit}
            onChange={set('episodic_limit')}
          />
          <SizeSlider
            label="Length of an entry"
            description="What is longer is cut; soul and identity never are"
            unit="characters"
            steps={CUTS}
            value={tried.truncate_at}
            saved={saved.truncate_at}
            onChange={set('truncate_at')}
          />
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
      <Answered of={preview} loading={<Skeleton height={360} radius="lg" />}>
        {(data) => (
          <div className={classes.preview} data-stale={stale} aria-busy={stale}>
            <Budget preview={data} />
            <Injection preview={data} />
          </div>
        )}
      </Answered>
    </>
  );
}
