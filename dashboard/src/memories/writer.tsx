import type { AnswerOf } from '../api/call.ts';
import { AgentName } from '../design/agent-name.tsx';
import { WRITER_OPTIONS } from './use-view.ts';

type Source = AnswerOf<'GET /memories/{id}'>['memory']['source'];

/** Says who wrote a memory. In a space, which several agents share, it names the agent. */
export function Writer({ source: { kind, agent_id } }: { source: Source }) {
  if (kind === 'agent' && agent_id !== undefined) return <AgentName id={agent_id} />;
  return WRITER_OPTIONS.find(({ value }) => value === kind)?.label;
}
