import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Skeleton, Stack } from '@mantine/core';
import { escapeUnseen } from '@svc-memory/core/text';
import { IconUsersGroup } from '@tabler/icons-react';
import type { MouseEvent } from 'react';
import { BlockLink } from '../design/block-link.tsx';
import { MarkedText } from '../design/marked-text.tsx';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { SpaceName } from '../design/space-name.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { memoryPath } from '../navigation/paths.ts';
import { useBrowsing } from './browse.tsx';
import classes from './memory-list-item.module.css';
import type { Listed } from './memory-preview.tsx';
import { Writer } from './writer.tsx';

interface Props {
  readonly memory: Listed;
  /** Given for search results, 0 to 1. */
  readonly similarity?: number;
  /** What was searched for. Its words are marked. */
  readonly query?: string;
  /** The part of the text that matched. Default: the text from its beginning. */
  readonly passage?: string | undefined;
  /** Whether to say which space it is from. Default: true. */
  readonly saysSpace?: boolean;
}

/** Of a memory that a control names. */
const LABEL_CHARACTERS = 60;
const MOST_TAGS = 3;
const IMPORTANT = 0.8;

/** Shows one memory of a list. Beside a preview a click shows it there; otherwise, and in a new tab, it opens. */
export function MemoryListItem({ memory, similarity, query, passage, saysSpace = true }: Props) {
  const browsing = useBrowsing();
  const { id, content, space_id } = memory;
  const show = (event: MouseEvent) => {
    // Enter on the link, which is no click of a pointer, opens.
    const isPlainClick = event.detail > 0 && event.button === 0;
    if (!browsing?.hasPreview || !isPlainClick || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    browsing.show(id);
  };
  return (
    <div className={classes.item} data-current={browsing?.current === id}>
      {browsing && (
        <Checkbox
          size="sm"
          className={classes.choose}
          checked={browsing.chosen.has(id)}
          onChange={() => browsing.toggle(id)}
          aria-label={t`Select: ${escapeUnseen(content.slice(0, LABEL_CHARACTERS))}`}
        />
      )}
      <BlockLink
        href={memoryPath(id, space_id)}
        className={classes.row}
        onClick={show}
        aria-current={browsing?.current === id ? 'true' : undefined}
      >
        <Facts memory={memory} saysSpace={saysSpace} {...(similarity !== undefined && { similarity })} />
        {query === undefined ? (
          <MemoryText text={content} lines={2} size="small" />
        ) : (
          <MarkedText text={passage ?? content} query={query} lines={3} />
        )}
      </BlockLink>
    </div>
  );
}

function Facts({ memory, similarity, saysSpace }: Pick<Props, 'memory' | 'similarity' | 'saysSpace'>) {
  const { type, category, tags, key, occurred_at, importance, source, space_id } = memory;
  const saysWriter = source && (source.kind !== 'agent' || source.agent_id !== undefined);
  return (
    <span className={classes.facts}>
      <TypeMark type={type} category={category} />
      {space_id !== undefined && saysSpace && (
        <span className={classes.space}>
          <IconUsersGroup size={13} stroke={1.8} role="img" aria-label={t`Space`} />
          <SpaceName id={space_id} />
        </span>
      )}
      {key !== null && (
        <span className={classes.key}>
          <PlainText text={key} />
        </span>
      )}
      {tags.slice(0, MOST_TAGS).map((tag) => (
        <span key={tag} className={classes.tag}>
          <PlainText text={tag} />
        </span>
      ))}
      {tags.length > MOST_TAGS && <span className={classes.more}>+{tags.length - MOST_TAGS}</span>}
      {saysWriter && (
        <span className={classes.more}>
          <Writer source={source} />
        </span>
      )}
      {importance >= IMPORTANT && (
        <span className={classes.important}>
          <Trans>important</Trans>
        </span>
      )}
      <span className={classes.when}>
        <When at={occurred_at} />
      </span>
      {similarity !== undefined && <Similarity value={similarity} />}
    </span>
  );
}

function Similarity({ value }: { value: number }) {
  const percent = Math.round(value * 100);
  return (
    <span className={classes.similarity} title={t`How probably it is what you look for`}>
      <span className={classes.bar}>
        <span className={classes.filled} style={{ width: `${percent}%` }} />
      </span>
      {percent} %
    </span>
  );
}

/** Takes the place of a list of memories while it loads. */
export function MemoryListSkeleton() {
  return (
    <Stack gap="lg" px="lg" py="md" aria-busy="true">
      {[70, 90, 55, 80, 65].map((width) => (
        <div key={width}>
          <Skeleton height={12} width={140} mb={8} />
          <Skeleton height={16} width={`${width}%`} />
        </div>
      ))}
    </Stack>
  );
}
