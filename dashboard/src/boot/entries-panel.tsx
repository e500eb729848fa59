import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Accordion } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { formatNumber } from '../design/format.ts';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { serverText } from '../language/server-text.ts';
import { memoryPath } from '../navigation/paths.ts';
import classes from './boot.module.css';

type Section = AnswerOf<'GET /boot-config/preview'>['sections'][number];

/** Lists the memories of each section, with those that found no room, and leads to their pages. */
export function EntriesPanel({ sections }: { sections: readonly Section[] }) {
  const [opened, setOpened] = useState<string | null>(null);
  const filled = sections.filter(({ entries }) => entries.length > 0);
  if (filled.length === 0) return null;
  return (
    <Panel title={t`Its memories`} hint={t`What is read, and what found no room`} flush>
      <Accordion value={opened} onChange={setOpened}>
        {filled.map((section) => (
          <Accordion.Item key={section.name} value={section.name} className={classes.item ?? ''}>
            <Accordion.Control>
              {serverText(section.title)} <span className={classes.entries}>{countsOf(section)}</span>
            </Accordion.Control>
            <Accordion.Panel>{opened === section.name && <Entries section={section} />}</Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </Panel>
  );
}

function Entries({ section: { entries, omitted } }: { section: Section }) {
  const cut = entries.filter(({ shown }) => !shown);
  const beyond = omitted - cut.length;
  return (
    <>
      <List entries={entries.filter(({ shown }) => shown)} />
      {cut.length > 0 && (
        <h3 className={classes.cut}>
          <Trans>No room for</Trans>
        </h3>
      )}
      <List entries={cut} />
      {beyond > 0 && (
        <p className={classes.description}>
          <Trans>and {formatNumber(beyond)} further behind</Trans>
        </p>
      )}
    </>
  );
}

function List({ entries }: { entries: Section['entries'] }) {
  return (
    <ul>
      {entries.map(({ id, content }) => (
        <li key={id}>
          <Link href={memoryPath(id)} className={classes.link}>
            <MemoryText text={content} lines={1} size="small" />
          </Link>
        </li>
      ))}
    </ul>
  );
}

function countsOf({ shown, omitted }: Section): string {
  return omitted === 0 ? formatNumber(shown) : t`${formatNumber(shown)} of ${formatNumber(shown + omitted)}`;
}
