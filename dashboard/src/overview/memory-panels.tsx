import { Anchor } from '@mantine/core';
import { IconBrain, IconHistory } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { Empty } from '../design/empty.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { When } from '../design/when.tsx';
import { memoryPath, PATHS } from '../navigation/paths.ts';
import classes from './memory-panels.module.css';
import type { OverviewData } from './overview-data.ts';

export function RecentPanel({ memories }: { memories: OverviewData['recent_episodic'] }) {
  return (
    <Panel
      title="Recently"
      hint="What happened last"
      flush
      action={
        <Anchor component={Link} href={`${PATHS.memories}?type=episodic`} size="sm">
          All episodes
        </Anchor>
      }
    >
      {memories.length === 0 ? (
        <Empty icon={IconHistory} title="Nothing happened yet">
          Episodes come from conversations: hooks and adapters keep them, and the agent notes what matters.
        </Empty>
      ) : (
        <MemoryLines memories={memories.slice(0, 5)} time="occurred_at" />
      )}
    </Panel>
  );
}

export function WorkingPanel({ memories }: { memories: OverviewData['working'] }) {
  return (
    <Panel title="On its mind" hint="Working memory, changed last" flush>
      {memories.length === 0 ? (
        <Empty icon={IconBrain} title="A clear mind">
          Here is what the agent keeps at hand for the work it is in.
        </Empty>
      ) : (
        <MemoryLines memories={memories.slice(0, 5)} time="updated_at" />
      )}
    </Panel>
  );
}

type Memory = AnswerOf<'GET /memories/{id}'>['memory'];

/** Lists a few memories. Each line links to the memory's page. */
function MemoryLines({
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
          <Link href={memoryPath(memory.id)} className={classes.line} data-type={memory.type}>
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
