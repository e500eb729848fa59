import { Anchor } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { PAGES } from '../pages.ts';
import { MemoryLines } from './memory-lines.tsx';
import type { Dashboard } from './overview.tsx';

export function RecentPanel({ memories }: { memories: Dashboard['recent_episodic'] }) {
  return (
    <Panel
      title="Recently"
      hint="What happened last"
      flush
      action={
        <Anchor component={Link} href={`${PAGES.memories}?type=episodic`} size="sm">
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
