import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Secret } from '../design/copy.tsx';

/** A new API key, which is shown once. */
export function NewKey({ secret }: { secret: string }) {
  return (
    <Secret text={secret} label={t`Copy the API key`}>
      <Trans>
        Give it to the agent as <code>SVC_API_KEY</code>. Keep it like a password: whoever has it can read and
        write everything the agent remembers.
      </Trans>
    </Secret>
  );
}
