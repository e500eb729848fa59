import { t } from '@lingui/core/macro';
import { useAgent } from '../api/agent.tsx';
import { PlainText } from './memory-text.tsx';

/** Names one of the human's agents. */
export function AgentName({ id }: { id: string }) {
  const { session } = useAgent();
  const agent = session.agents.find((one) => one.id === id);
  return agent ? <PlainText text={agent.display_name} /> : t`another agent`;
}
