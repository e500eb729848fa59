import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import type { AnswerOf } from '../api/call.ts';
import { serviceNow } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import { Detail } from '../design/detail.tsx';
import { formatNumber } from '../design/format.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import { serverText } from '../language/server-text.ts';
import { PATHS } from '../navigation/paths.ts';
import classes from './facts.module.css';
import type { Memory } from './version.ts';

type Sections = AnswerOf<'GET /boot-config/preview'>['sections'];
type Recall = AnswerOf<'GET /recalls'>['recalls'][number];

const RECALLS_READ = 100;
const RECALLS_SHOWN = 3;

/** Shows whether the agent reads a memory at boot and why, and for what it was recalled. */
export function Usage({ memory }: { memory: Memory }) {
  const overview = useAnswer('overview', 'GET /dashboard', {});
  const isRead =
    memory.space_id === undefined || overview.data?.spaces.some(({ id }) => id === memory.space_id) !== false;
  const recalls = useAnswer('recalls', 'GET /recalls', {
    memory_id: memory.id,
    limit: RECALLS_READ,
    ...(memory.user_id !== undefined && { user_id: memory.user_id }),
  });
  const { agent } = useAgent();
  return (
    <Panel
      title={t`How it is used`}
      hint={
        memory.space_id !== undefined && (
          <Trans>
            By <PlainText text={agent.display_name} />; the others that read the space have logs of their own
          </Trans>
        )
      }
    >
      <dl className={classes.facts}>
        {memory.user_id === undefined && <AtBoot memory={memory} isRead={isRead} />}
        <Detail name={t`Recalled lately`}>
          <QueryResult of={recalls} loading={<Skeleton height={16} width={100} />}>
            {({ recalls, next_cursor }) => <Recalls recalls={recalls} hasMore={next_cursor !== null} />}
          </QueryResult>
        </Detail>
      </dl>
    </Panel>
  );
}

/** What the agent reads for itself: what a boot for one of its users gives is not known here. */
function AtBoot({ memory, isRead }: Omit<InBootProps, 'sections'>) {
  const boot = useAnswer('boot', 'GET /boot-config/preview', {}, { staleTime: 60_000 });
  return (
    <Detail name={t`At boot`}>
      <QueryResult of={boot} loading={<Skeleton height={16} width={140} />}>
        {({ sections }) => <InBoot memory={memory} sections={sections} isRead={isRead} />}
      </QueryResult>
    </Detail>
  );
}

interface InBootProps {
  readonly memory: Memory;
  readonly sections: Sections;
  /** Whether the agent reads the place that the memory is in. */
  readonly isRead: boolean;
}

function InBoot({ memory, sections, isRead }: InBootProps) {
  const found = sections.flatMap(({ title, entries }) =>
    entries.filter(({ id }) => id === memory.id).map(({ shown }) => ({ title, shown })),
  );
  const place = found.find(({ shown }) => shown) ?? found[0];
  return (
    <>
      {place?.shown ? (
        <Trans>Read at every boot, under “{serverText(place.title)}”.</Trans>
      ) : (
        <>
          <Trans>Not read at boot now:</Trans>{' '}
          {place ? t`“${serverText(place.title)}” had no room left for it.` : reasonOf(memory, isRead)}
        </>
      )}{' '}
      <Anchor component={Link} href={PATHS.boot} size="sm">
        <Trans>Boot</Trans>
      </Anchor>
    </>
  );
}

/** Says why a memory is not even a candidate for boot. */
function reasonOf(
  { archived_at, superseded_by, valid_to, valid_from, type }: Memory,
  isRead: boolean,
): string {
  const now = serviceNow();
  if (archived_at !== undefined) return t`it is archived.`;
  if (!isRead) return t`this agent is not in the space.`;
  if (superseded_by !== undefined) return t`a newer memory has taken its place.`;
  if (valid_to !== undefined && Date.parse(valid_to) <= now) return t`it has ended.`;
  if (valid_from !== undefined && Date.parse(valid_from) > now) return t`it does not hold yet.`;
  if (type === 'episodic') return t`newer or more important episodes come first.`;
  return t`others are newer, more important, or say the same.`;
}

function Recalls({ recalls, hasMore }: { recalls: readonly Recall[]; hasMore: boolean }) {
  if (recalls.length === 0) return <Trans>Not within the days that the log is kept.</Trans>;
  const number = formatNumber(recalls.length);
  const count = hasMore
    ? t`${number} times or more, last for`
    : plural(recalls.length, { one: `${number} time, last for`, other: `${number} times, last for` });
  return (
    <>
      {count}
      <ul className={classes.queries}>
        {recalls.slice(0, RECALLS_SHOWN).map(({ id, at, query }) => (
          <li key={id}>
            <PlainText text={query.slice(0, 160)} /> <When at={at} />
          </li>
        ))}
      </ul>
    </>
  );
}
