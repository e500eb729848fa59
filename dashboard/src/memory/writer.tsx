import { AgentName } from '../design/agent-name.tsx';
import { type Version, WRITERS } from './version.ts';

/** Says who wrote a version. In a space, which several agents share, it names the agent. */
export function VersionWriter({ of: { source } }: { of: Pick<Version, 'source'> }) {
  const { kind, agent_id } = source;
  return kind === 'agent' && agent_id !== undefined ? <AgentName id={agent_id} /> : WRITERS[kind];
}
