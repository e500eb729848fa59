import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Checkbox, Skeleton, Stack } from '@mantine/core';
import type { MouseEvent } from 'react';
import { Link } from 'wouter';
import { MarkedText } from '../design/marked-text.tsx';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { memoryPath } from '../navigation/paths.ts';
import { useBrowsing } from './browse.tsx';
import classes from './memory-list-item.module.css';
import type { Listed } from './memory-preview.tsx';
import { SOURCES } from './use-view.ts';

interface Props {
  readonly memory: Listed;
  /** Given for search results, 0 to 1. */
  readonly similarity?: number;
  /** What was searched for. Its words are marked. */
  readonly query?: string;
  /** The part of the text that matched. Default: the text from its beginning. */
  readonly passage?: string | undefined;
}

const MOST_TAGS = 3;
const IMPORTANT = 0.8;

/** Shows one memory of a list. Beside a preview a click shows it there; otherwise, and in a new tab, it opens. */
export function MemoryListItem({ memory, similarity, query, passage }: Props) {
  const browsing = useBrowsing();
  const { id, content } = memory;
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
          size="xs"
          className={classes.choose}
          checked={browsing.chosen.has(id)}
          onChange={() => browsing.toggle(id)}
          aria-label={t`Select: ${content.slice(0, 60)}`}
        />
      )}
      <Link
        href={memoryPath(id)}
        className={classes.row}
        onClick={show}
        aria-current={browsing?.current === id ? 'true' : undefined}
      >
        <Facts memory={memory} {...(similarity !== undefined && { similarity })} />
        {query === undefined ? (
          <MemoryText text={content} lines={2} size="small" />
        ) : (
          <MarkedText text={passage ?? content} query={query} lines={3} />
        )}
      </Link>
    </div>
  );
}

function Facts({ memory, similarity }: Pick<Props, 'memory' | 'similarity'>) {
  const { type, category, tags, key, occurred_at, importance, source } = memory;
  return (
    <span className={classes.facts}>
      <TypeMark type={type} category={category} />
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
      {source && source.kind !== 'agent' && (
        <span className={classes.more}>{SOURCES.find(({ value }) => value === source.kind)?.label}</span>
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
