import { Skeleton, Stack } from '@mantine/core';
import type { fields } from '@svc-memory/core/contract';
import { Link } from 'wouter';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { memoryPath } from '../navigation/paths.ts';
import classes from './memory-list-item.module.css';

interface Shown {
  readonly id: string;
  readonly type: fields.MemoryType;
  readonly category: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly occurred_at: string;
}

const MOST_TAGS = 4;

/** Shows one memory of a list. `similarity` is given for search results, 0 to 1. */
export function MemoryListItem({ memory, similarity }: { memory: Shown; similarity?: number }) {
  const { id, type, category, content, tags, occurred_at } = memory;
  return (
    <Link href={memoryPath(id)} className={classes.row}>
      <span className={classes.facts}>
        <TypeMark type={type} category={category} />
        {tags.slice(0, MOST_TAGS).map((tag) => (
          <span key={tag} className={classes.tag}>
            <PlainText text={tag} />
          </span>
        ))}
        {tags.length > MOST_TAGS && <span className={classes.more}>+{tags.length - MOST_TAGS}</span>}
        <span className={classes.when}>
          <When at={occurred_at} />
        </span>
        {similarity !== undefined && <Similarity value={similarity} />}
      </span>
      <MemoryText text={content} lines={3} />
    </Link>
  );
}

function Similarity({ value }: { value: number }) {
  const percent = Math.round(value * 100);
  return (
    <span className={classes.similarity} title="How probably it is what you look for">
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
