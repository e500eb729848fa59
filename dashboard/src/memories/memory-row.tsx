import { Link } from 'wouter';
import { MemoryText, PlainText } from '../design/memory-text.tsx';
import { type MemoryType, TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { memoryPage } from '../pages.ts';
import classes from './memory-row.module.css';

interface Shown {
  readonly id: string;
  readonly type: MemoryType;
  readonly category: string | null;
  readonly content: string;
  readonly tags: readonly string[];
  readonly occurred_at: string;
}

const MOST_TAGS = 4;

/** One memory in a list; `similarity` where it was searched for. */
export function MemoryRow({ memory, similarity }: { memory: Shown; similarity?: number }) {
  const { id, type, category, content, tags, occurred_at } = memory;
  return (
    <Link href={memoryPage(id)} className={classes.row}>
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
