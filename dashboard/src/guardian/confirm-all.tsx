import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { IconChecks } from '@tabler/icons-react';
import { useState } from 'react';
import { useAgent } from '../api/agent.tsx';
import { callApi } from '../api/call.ts';
import { eachOf } from '../api/each-of.ts';
import { ApiError } from '../api/error.ts';
import { useRefresh } from '../api/hooks.ts';
import { notifyChangeFailure, notifyDone, notifyFailure } from '../api/notify.tsx';
import { Confirm } from '../design/confirm.tsx';
import { formatNumber } from '../design/format.ts';
import type { GuardedSpace, ReviewEntry } from './entry.ts';
import { DECISION_TOUCHES } from './use-entries.ts';

interface Props {
  readonly entries: readonly ReviewEntry[];
  readonly space?: GuardedSpace | undefined;
}

/** Confirms all memories of a list that are stored already. It asks first, as a confirmation cannot be taken back. */
export function ConfirmAll({ entries, space }: Props) {
  // Those that were listed when the button was pressed: the human has read no others.
  const [asked, setAsked] = useState(entries);
  const { confirm, isWorking } = useConfirmAll(space);
  return (
    <Confirm
      action={t`Confirm all`}
      icon={<IconChecks size={15} />}
      removes={false}
      title={t`Confirm these ${formatNumber(asked.length)} memories`}
      pending={isWorking}
      confirm={() => void confirm(asked)}
      onAsk={() => setAsked(entries)}
    >
      <Trans>
        They are stored already. Now they also count as confirmed by you, as if you had confirmed each by
        itself. This cannot be taken back: have you read all of them?
      </Trans>
    </Confirm>
  );
}

/** Returns what confirms many entries. Those that were decided meanwhile are left out. */
function useConfirmAll(space: GuardedSpace | undefined) {
  const { agent } = useAgent();
  const refresh = useRefresh(DECISION_TOUCHES);
  const [isWorking, setWorking] = useState(false);
  const approve = (id: string) =>
    space === undefined
      ? callApi('POST /guardian/{id}/approve', { id }, { agent: agent.id })
      : callApi(
          'POST /spaces/{space_id}/guardian/{id}/approve',
          { id, space_id: space.id },
          { agent: agent.id },
        );
  const confirm = async (entries: readonly ReviewEntry[]) => {
    setWorking(true);
    let confirmed = 0;
    const count = () =>
      plural(confirmed, { one: 'One memory is confirmed.', other: '# memories are confirmed.' });
    await eachOf(entries, ({ id }) =>
      approve(id).then(
        () => {
          confirmed += 1;
        },
        (error: unknown) => {
          if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error;
        },
      ),
    ).then(
      () => notifyDone({ message: count() }),
      (error: unknown) => (confirmed > 0 ? notifyFailure(error, count()) : notifyChangeFailure(error)),
    );
    setWorking(false);
    await refresh();
  };
  return { confirm, isWorking };
}
