import { t } from '@lingui/core/macro';
import { Select } from '@mantine/core';
import { escapeUnseen } from '@svc-memory/core/text';
import { useAgent } from '../api/agent.tsx';
import { useAnswer } from '../api/hooks.ts';

interface Props {
  readonly space: string;
  /** The value that stands for any agent. */
  readonly every: string;
  readonly value?: string;
}

/** Chooses the agent whose writings in a space are taken back. One that is no member any more can be chosen, too. */
export function AgentChoice({ space, every, ...field }: Props) {
  const { session } = useAgent();
  const { data } = useAnswer('spaces', 'GET /spaces/{space_id}', { space_id: space });
  const names = new Map(session.agents.map(({ id, display_name }) => [id, display_name]));
  for (const { tenant_id, display_name } of data?.members ?? []) names.set(tenant_id, display_name);
  const { value = every } = field;
  if (value !== every && !names.has(value)) names.set(value, t`another agent`);
  return (
    <Select
      label={t`Which agent`}
      data={[
        { value: every, label: t`Any agent` },
        ...[...names].map(([id, name]) => ({ value: id, label: escapeUnseen(name) })),
      ]}
      allowDeselect={false}
      {...field}
    />
  );
}
