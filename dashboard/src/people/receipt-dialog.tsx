import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Code, Text } from '@mantine/core';
import type { AnswerOf } from '../api/call.ts';
import { PlainText } from '../design/memory-text.tsx';
import { OnceDialog } from '../design/once-dialog.tsx';
import classes from './people.module.css';

export type ErasureReceipt = AnswerOf<'DELETE /users/{user_id}'>['receipt'];

/** Shows that users were forgotten, and gives the receipts to keep: the service itself does not know the users any more. */
export function ReceiptDialog({
  receipts,
  close,
}: {
  receipts: readonly ErasureReceipt[];
  close: () => void;
}) {
  return (
    <OnceDialog shown={receipts} close={close} title={t`Forgotten`}>
      {(receipt) => (
        <>
          <Text size="sm">
            <Trans>
              Nothing is stored about <PlainText text={receipt.user_id} /> any more. Keep the receipt if you
              may have to prove it: here only its hash is kept, and how much was erased.
            </Trans>
          </Text>
          <Code className={classes.hash}>{receipt.hash}</Code>
          <Button
            component="a"
            variant="default"
            href={`data:application/json,${encodeURIComponent(JSON.stringify(receipt, null, 2))}`}
            download={`receipt-${receipt.id}.json`}
          >
            <Trans>Download the receipt</Trans>
          </Button>
        </>
      )}
    </OnceDialog>
  );
}
