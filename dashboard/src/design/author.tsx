import { t } from '@lingui/core/macro';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { AgentName } from './agent-name.tsx';
import { PlainText } from './memory-text.tsx';

type Provenance = AnswerOf<'GET /guardian/{id}'>['entry']['requested_by'];

const WHO: Readonly<Record<Provenance['kind'], string>> = {
  agent: t`your agent`,
  human: t`you`,
  sync: t`a synced file`,
  import: t`an import`,
  webhook: t`a webhook`,
  reflection: t`reflection`,
};

/** Says who did something, and with which API key. In a space it names the agent. */
export function Author({ by: { kind, credential_id, agent_id } }: { by: Provenance }) {
  return (
    <>
      {kind === 'agent' && agent_id !== undefined ? <AgentName id={agent_id} /> : WHO[kind]}
      {kind !== 'human' && credential_id !== null && <WithKey id={credential_id} />}
    </>
  );
}

function WithKey({ id }: { id: string }) {
  const { data } = useAnswer('keys', 'GET /api-keys', {}, { staleTime: 60_000 });
  const key = data?.api_keys.find((one) => one.id === id);
  if (!key) return null;
  return (
    <>
      {t` with the key `}
      <PlainText text={key.name} />
      {key.last_four !== null && ` (svc_…${key.last_four})`}
    </>
  );
}
