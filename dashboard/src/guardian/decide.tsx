import { Button, Group } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { Deciding } from './decision-dialog.tsx';
import { decisionWords, type GuardianDecision, isSafe } from './decision-words.ts';
import type { Danger, ReviewEntry } from './entry.ts';

interface Props {
  readonly entry: ReviewEntry;
  readonly danger: Danger;
  readonly inSpace: boolean;
  readonly ask: (deciding: Deciding) => void;
}

/** Offers the two decisions on an entry, the safe one loud. */
export function Decide({ entry, danger, inSpace, ask }: Props) {
  const button = (decision: GuardianDecision) => (
    <Button
      key={decision}
      variant={isSafe(decision, danger) ? 'filled' : 'default'}
      leftSection={decision === 'approve' ? <IconCheck size={17} /> : <IconX size={17} />}
      onClick={() => ask({ entry, danger, decision })}
    >
      {decisionWords(entry, decision, inSpace).action}
    </Button>
  );
  const order = danger === 'large' ? (['reject', 'approve'] as const) : (['approve', 'reject'] as const);
  return <Group gap="sm">{order.map(button)}</Group>;
}
