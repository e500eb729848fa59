import { t } from '@lingui/core/macro';
import { skipToken, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useAgent } from '../api/agent.tsx';
import { notifyDone } from '../api/notify.tsx';
import type { ErasureReceipt } from './receipt-dialog.tsx';

const NONE: readonly ErasureReceipt[] = [];

/**
 * The receipts that the human has not kept yet. They are never shown again, and an answer may come when the human has left the
 * page: they wait in the cache until the page shows them.
 */
export function useReceipts() {
  const { agent } = useAgent();
  const client = useQueryClient();
  const isShown = useShown();
  const queryKey = [agent.id, 'receipts'];
  const { data } = useQuery<readonly ErasureReceipt[]>({
    queryKey,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return {
    receipts: data ?? NONE,
    keep: (receipt: ErasureReceipt) => {
      client.setQueryData<readonly ErasureReceipt[]>(queryKey, (before = NONE) => [...before, receipt]);
      if (!isShown.current) {
        notifyDone({ message: t`The user is forgotten. The receipt waits for you on the page People.` });
      }
    },
    drop: () => client.setQueryData(queryKey, NONE),
  };
}

/** Tells callbacks that outlive the page whether it is still shown. */
function useShown() {
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return isShown;
}
