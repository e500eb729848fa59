import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconBrain } from '@tabler/icons-react';
import { BlockLink } from '../design/block-link.tsx';
import { Empty } from '../design/empty.tsx';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { When } from '../design/when.tsx';
import { memoryPath } from '../navigation/paths.ts';
import type { OverviewData } from './overview-data.ts';
import classes from './working-panel.module.css';

const SHOWN = 4;

/** Lists the working memories that were changed last. Each line links to the memory's page. */
export function WorkingPanel({ memories }: { memories: OverviewData['working'] }) {
  return (
    <Panel title={t`On its mind`} hint={t`Working memory, changed last`} flush>
      {memories.length === 0 ? (
        <Empty icon={IconBrain} title={t`A clear mind`}>
          <Trans>Here is what the agent keeps at hand for the work it is in.</Trans>
        </Empty>
      ) : (
        <ol>
          {memories.slice(0, SHOWN).map((memory) => (
            <li key={memory.id}>
              <BlockLink href={memoryPath(memory.id)} className={classes.line}>
                <MemoryText text={memory.content} lines={2} size="small" />
                <span className={classes.when}>
                  <When at={memory.updated_at} />
                </span>
              </BlockLink>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  );
}
