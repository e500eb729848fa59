import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { Copy } from '../design/copy.tsx';
import { Detail } from '../design/detail.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { SpaceName } from '../design/space-name.tsx';
import { When } from '../design/when.tsx';
import { PATHS, spacePath, undoPath } from '../navigation/paths.ts';
import classes from './facts.module.css';
import { isReadable, type Memory, type Version } from './version.ts';
import { VersionWriter } from './writer.tsx';

/** Lists what is known about a memory beside its content. */
export function Facts({ memory, versions }: { memory: Memory; versions: readonly Version[] }) {
  const first = versions.at(-1);
  const [current] = versions;
  if (!current || !first) return null;
  return (
    <Panel title={t`About it`}>
      <dl className={classes.facts}>
        <Whose memory={memory} />
        <Times memory={memory} />
        <Detail name={t`First written`}>
          <Trans>
            <When at={first.at} /> by <VersionWriter of={first} />
          </Trans>
        </Detail>
        {versions.length > 1 && (
          <Detail name={t`Last change`}>
            <Trans>
              <When at={current.at} /> by <VersionWriter of={current} />
            </Trans>
          </Detail>
        )}
        {isReadable(memory) && <Detail name={t`Importance`}>{importanceOf(memory.importance)}</Detail>}
        {memory.confirmations !== undefined && memory.last_confirmed_at !== undefined && (
          <Detail name={t`Said again`}>
            {plural(memory.confirmations, { one: 'once', other: '# times' })}
            <Trans>
              , last <When at={memory.last_confirmed_at} />
            </Trans>
          </Detail>
        )}
        {memory.key !== null && (
          <Detail name={t`Key`}>
            <PlainText text={memory.key} />
          </Detail>
        )}
        {memory.session_id !== undefined && (
          <Detail name={t`Session`}>
            <PlainText text={memory.session_id} />
          </Detail>
        )}
        {memory.tags.length > 0 && (
          <Detail name={t`Tags`}>
            <Tags tags={memory.tags} />
          </Detail>
        )}
        <Detail name={t`Id`}>
          <span className={classes.id}>
            <code>{memory.id}</code> <Copy text={memory.id} label={t`Copy the id`} />
          </span>
        </Detail>
      </dl>
      {/* What a source wrote for all is taken back on another page than what it wrote for one user. */}
      {isReadable(memory) && memory.user_id === undefined && (
        <TakeBack since={current} spaceId={memory.space_id} />
      )}
    </Panel>
  );
}

/** The space or the user that it belongs to, where it is not the agent's own. */
function Whose({ memory }: { memory: Memory }) {
  return (
    <>
      {memory.space_id !== undefined && (
        <Detail name={t`Space`}>
          <Link href={spacePath(memory.space_id)} className={classes.tag}>
            <SpaceName id={memory.space_id} />
          </Link>
        </Detail>
      )}
      {memory.user_id !== undefined && (
        <Detail name={t`User`}>
          <Link href={PATHS.people} className={classes.tag}>
            <PlainText text={memory.user_id} />
          </Link>
        </Detail>
      )}
    </>
  );
}

/** Leads to where all is taken back that the writer of a version wrote since. */
function TakeBack({ since, spaceId }: { since: Version; spaceId: string | undefined }) {
  return (
    <Anchor
      component={Link}
      href={undoPath({ ...since.source, since: since.at }, spaceId)}
      size="sm"
      className={classes.back}
    >
      <Trans>
        Take back all that <VersionWriter of={since} /> wrote since then…
      </Trans>
    </Anchor>
  );
}

/** When it happened, and from when to when it holds. Of who the agent is, the former means nothing. */
function Times({ memory }: { memory: Memory }) {
  const { type, occurred_at, valid_from, valid_to, expires_at } = memory;
  return (
    <>
      {type !== 'core' && (
        <Detail name={t`Happened`}>
          <When at={occurred_at} />
        </Detail>
      )}
      {valid_from !== undefined && valid_from !== occurred_at && (
        <Detail name={t`Holds from`}>
          <When at={valid_from} />
        </Detail>
      )}
      {valid_to !== undefined && (
        <Detail name={t`Holds until`}>
          <When at={valid_to} />
        </Detail>
      )}
      {expires_at !== undefined && (
        <Detail name={t`Forgotten by itself`}>
          <When at={expires_at} />
        </Detail>
      )}
    </>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span className={classes.tags}>
      {tags.map((tag) => (
        <Link key={tag} href={`${PATHS.memories}?tag=${encodeURIComponent(tag)}`} className={classes.tag}>
          <PlainText text={tag} />
        </Link>
      ))}
    </span>
  );
}

/** Says how important a memory is: `high, 80 %`. */
function importanceOf(importance: number): string {
  const word = importance >= 0.8 ? t`high` : importance >= 0.4 ? t`normal` : t`low`;
  return `${word}, ${Math.round(importance * 100)} %`;
}
