import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Anchor, Select } from '@mantine/core';
import { escapeUnseen } from '@svc-memory/core/text';
import { IconX } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { useAction } from '../api/hooks.ts';
import { Face } from '../design/face.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { Quiet } from '../design/row.tsx';
import { When } from '../design/when.tsx';
import { undoPath } from '../navigation/paths.ts';
import { AddMember } from './add-member.tsx';
import { RIGHTS, type Right, useSetMember } from './rights.ts';
import classes from './spaces.module.css';

type Answer = AnswerOf<'GET /spaces/{space_id}'>;
type Member = Answer['members'][number];

/** Lists the agents of a space with their rights, which the human gives and takes. */
export function Members({ space, members }: Pick<Answer, 'space' | 'members'>) {
  return (
    <Panel
      title={t`Members`}
      hint={
        members.some(({ right }) => right === 'manage')
          ? plural(members.length, { one: '# agent', other: '# agents' })
          : t`No agent manages it: only you decide about it.`
      }
      flush
    >
      <ul className={classes.rows}>
        {members.map((member) => (
          <li key={member.tenant_id} className={classes.member}>
            <MemberLine space={space.id} member={member} />
          </li>
        ))}
        <li className={classes.row}>
          <AddMember space={space.id} members={members} />
        </li>
      </ul>
    </Panel>
  );
}

function MemberLine({ space, member }: { space: string; member: Member }) {
  const { tenant_id, display_name, right, since } = member;
  const set = useSetMember(space, right);
  const name = escapeUnseen(display_name);
  return (
    <>
      <Face id={tenant_id} size={32} />
      <div className={classes.main}>
        <div className={classes.name}>
          <PlainText text={display_name} />
        </div>
        <Quiet>
          <Trans>
            since <When at={since} />
          </Trans>
          {' · '}
          <Anchor
            component={Link}
            href={undoPath({ kind: 'agent', agent_id: tenant_id }, space)}
            size="sm"
            aria-label={t`Take back what ${name} wrote`}
          >
            <Trans>Take back…</Trans>
          </Anchor>
        </Quiet>
      </div>
      <RemoveButton space={space} member={member} />
      <Select
        size="xs"
        className={classes.right ?? ''}
        aria-label={t`What ${name} may do`}
        data={RIGHTS}
        allowDeselect={false}
        value={right}
        disabled={set.isPending}
        onChange={(next) => {
          if (next !== null && next !== right)
            set.mutate({ space_id: space, tenant_id, right: next as Right });
        }}
      />
    </>
  );
}

/** Takes a member out. The notification lets it in again with the right it had. */
function RemoveButton({ space, member: { tenant_id, display_name } }: { space: string; member: Member }) {
  const name = escapeUnseen(display_name);
  const remove = useAction('DELETE /spaces/{space_id}/members/{tenant_id}', {
    touches: ['spaces', 'memories', 'audit'],
    done: t`It is out of the space. What it wrote there stays.`,
    // The right that the service took: what this page shows may be older, and more.
    undo: ({ removed }, input) => ({
      run: (call) => call('POST /spaces/{space_id}/members/{tenant_id}', { ...input, right: removed.right }),
      done: t`It is a member again.`,
    }),
  });
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={t`Take ${name} out of the space`}
      loading={remove.isPending}
      onClick={() => remove.mutate({ space_id: space, tenant_id })}
    >
      <IconX size={16} />
    </ActionIcon>
  );
}
