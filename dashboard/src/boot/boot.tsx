import { Skeleton } from '@mantine/core';
import { useAnswer } from '../api/hooks.ts';
import { Answered } from '../design/answered.tsx';
import { Page } from '../design/page.tsx';
import { Trial } from './trial.tsx';

/** What the agent reads when it wakes up, and how much room it has. */
export default function Boot() {
  const settings = useAnswer('boot', 'GET /boot-config', {});
  return (
    <Page
      title="Boot"
      lead="The text your agent reads at the start of every session, before anything else: this is how it knows who it is."
    >
      <Answered of={settings} loading={<Skeleton height={420} radius="lg" />}>
        {({ boot_config }) => <Trial key={JSON.stringify(boot_config)} saved={boot_config} />}
      </Answered>
    </Page>
  );
}
