import { t } from '@lingui/core/macro';
import { Title } from '@mantine/core';
import { useAnswer } from '../api/hooks.ts';
import { Face } from '../design/face.tsx';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { memoriesOf } from '../design/names.ts';
import { usePageTitle } from '../design/page-title.ts';
import { When } from '../design/when.tsx';
import classes from './greeting.module.css';
import { hidesSome, type OverviewData } from './overview-data.ts';

/** Shows the agent's face, its name, and what it says of itself. */
export function Greeting({ data, total }: { data: OverviewData; total: number }) {
  const { tenant, recent_episodic: recent, working } = data;
  usePageTitle(tenant.display_name);
  const last = [...recent, ...working]
    .map(({ updated_at }) => updated_at)
    .sort()
    .at(-1);
  return (
    <header className={classes.greeting}>
      <Face id={tenant.id} size={84} />
      <div className={classes.words}>
        <Title order={1}>
          <PlainText text={tenant.display_name} />
        </Title>
        {total > 0 && <Identity />}
        <p className={classes.facts}>
          {total === 0
            ? hidesSome(data.visibility)
              ? t`It shows you none of its memories`
              : t`No memories yet`
            : memoriesOf(total)}
          {last !== undefined && (
            <>
              {t` · last one `}
              <When at={last} />
            </>
          )}
        </p>
      </div>
    </header>
  );
}

/** Reads the agent's identity, or else its soul. */
export function useIdentity() {
  const identity = useAnswer('memories', 'POST /memories/query', {
    type: 'core',
    category: 'identity',
    limit: 1,
  });
  const soul = useAnswer('memories', 'POST /memories/query', { type: 'core', category: 'soul', limit: 1 });
  return {
    // One that has failed is asked again where it is shown: the page would begin anew each time, as after a trial, which refuses
    // it.
    isPending: [identity, soul].some((query) => query.isPending && query.errorUpdateCount === 0),
    text: (identity.data?.memories[0] ?? soul.data?.memories[0])?.content,
  };
}

/** Shows the agent's identity or soul, unless the agent hides both. */
function Identity() {
  const { text } = useIdentity();
  if (text === undefined || text === '[redacted]') return null;
  return (
    <div className={classes.identity}>
      <MemoryText text={text} lines={3} size="large" />
    </div>
  );
}
