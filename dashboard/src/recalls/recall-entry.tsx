import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight } from '@tabler/icons-react';
import { useId } from 'react';
import { formatNumber } from '../design/format.ts';
import { PlainText } from '../design/memory-text.tsx';
import { memoriesOf } from '../design/names.ts';
import { When } from '../design/when.tsx';
import { type LoggedRecall, RecallResults } from './recall-results.tsx';
import classes from './recalls.module.css';

const WHO: Readonly<Record<LoggedRecall['source']['kind'], string>> = {
  agent: t`your agent`,
  human: t`you`,
  sync: t`a sync`,
  import: t`an import`,
  webhook: t`a compaction`,
  reflection: t`a reflection`,
};

interface Props {
  readonly recall: LoggedRecall;
  /** For whom it was asked. Undefined: for the agent itself. */
  readonly user: string | undefined;
  /** The name of the API key that asked. */
  readonly keyName: string | undefined;
}

/** Shows one recall. Opened, it shows the memories that came back, and why. */
export function RecallEntry({ recall, user, keyName }: Props) {
  const [opened, { toggle }] = useDisclosure();
  const id = useId();
  const { query, results, source, took_ms: took, degraded } = recall;
  return (
    <section className={classes.entry}>
      <UnstyledButton className={classes.head} onClick={toggle} aria-expanded={opened} aria-controls={id}>
        <IconChevronRight size={16} className={classes.chevron} data-opened={opened} aria-hidden="true" />
        <span className={classes.query}>
          {query === '' ? (
            <Trans>A question over all users, in words that are not kept</Trans>
          ) : (
            <PlainText text={query} />
          )}
        </span>
        <span className={classes.facts}>
          <span>
            {results.length === 0 ? t`nothing` : memoriesOf(results.length)}
            {results[0] && t`, best ${Math.round(results[0].similarity * 100)} %`}
          </span>
          <span>
            {WHO[source.kind]}
            {keyName !== undefined && (
              <Trans>
                {' '}
                with <PlainText text={keyName} />
              </Trans>
            )}
          </span>
          {took !== null && (
            <span>
              <Trans>{formatNumber(Math.max(1, Math.round(took)))} ms</Trans>
            </span>
          )}
          {degraded && (
            <span>
              <Trans>words only</Trans>
            </span>
          )}
          <When at={recall.at} />
        </span>
      </UnstyledButton>
      <div id={id}>{opened && <RecallResults recall={recall} user={user} />}</div>
    </section>
  );
}
