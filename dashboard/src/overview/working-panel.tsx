import { IconBrain } from '@tabler/icons-react';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { MemoryLines } from './memory-lines.tsx';
import type { Dashboard } from './overview.tsx';

export function WorkingPanel({ memories }: { memories: Dashboard['working'] }) {
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
