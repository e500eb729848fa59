import { Link } from 'wouter';
import type { Answer } from '../api/call.ts';
import { MemoryText } from '../design/memory-text.tsx';
import { When } from '../design/when.tsx';
import { memoryPage } from '../pages.ts';
import classes from './memory-lines.module.css';

type Memory = Answer<'GET /memories/{id}'>['memory'];

/** A few memories below each other, each leading to its page. */
export function MemoryLines({
  memories,
  time,
}: {
  memories: readonly Memory[];
  time: 'occurred_at' | 'updated_at';
}) {
  return (
    <ol className={classes.lines}>
      {memories.map((memory) => (
        <li key={memory.id}>
          <Link href={memoryPage(memory.id)} className={classes.line} data-type={memory.type}>
            <MemoryText text={memory.content} lines={2} size="small" />
            <span className={classes.when}>
              <When at={memory[time]} />
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
