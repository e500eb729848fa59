import { plural, t } from '@lingui/core/macro';
import { Plural, Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight, IconPlus, IconUsersGroup } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import { BlockLink } from '../design/block-link.tsx';
import { Empty } from '../design/empty.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { memoriesOf } from '../design/names.ts';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { PanelSkeleton } from '../design/panel-skeleton.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Quiet } from '../design/row.tsx';
import { useSpaces } from '../design/space-name.tsx';
import { When } from '../design/when.tsx';
import { spacePath } from '../navigation/paths.ts';
import { NewSpaceDialog } from './new-space-dialog.tsx';
import classes from './spaces.module.css';

type Space = AnswerOf<'GET /spaces'>['spaces'][number];

/** Lists the spaces of the account, and makes new ones. */
export default function SpacesPage() {
  const spaces = useSpaces();
  const [making, { open, close }] = useDisclosure();
  const make = (
    <Button leftSection={<IconPlus size={17} />} onClick={open}>
      <Trans>New space</Trans>
    </Button>
  );
  const isEmpty = spaces.data?.spaces.length === 0;
  return (
    <PageLayout
      title={t`Spaces`}
      lead={t`What your agents know together. Each agent reads its spaces beside its own memory, and writes there only what it is told to.`}
      action={!isEmpty && spaces.data && make}
    >
      <QueryResult of={spaces} loading={<PanelSkeleton lines={4} />}>
        {({ spaces }) =>
          isEmpty ? (
            <Panel>
              <Empty icon={IconUsersGroup} title={t`No space yet`} action={make}>
                <Trans>
                  Make one where two agents should know the same: a team’s rules, a project, a customer.
                </Trans>
              </Empty>
            </Panel>
          ) : (
            <Panel flush>
              <ul className={classes.rows}>
                {spaces.map((space) => (
                  <li key={space.id}>
                    <SpaceRow space={space} />
                  </li>
                ))}
              </ul>
            </Panel>
          )
        }
      </QueryResult>
      {making && <NewSpaceDialog close={close} />}
    </PageLayout>
  );
}

function SpaceRow({ space: { id, name, memories, members, waiting, created_at } }: { space: Space }) {
  return (
    <BlockLink href={spacePath(id)} className={classes.row}>
      <div className={classes.main}>
        <h2 className={classes.name}>
          <PlainText text={name} />
        </h2>
        <Quiet>
          {memoriesOf(memories)}
          {' · '}
          {members === 0 ? t`no agent` : plural(members, { one: '# agent', other: '# agents' })}
          {' · '}
          <Trans>
            made <When at={created_at} />
          </Trans>
        </Quiet>
      </div>
      {waiting > 0 && (
        <span className={classes.waiting}>
          <Plural value={waiting} one="# decision waits" other="# decisions wait" />
        </span>
      )}
      <IconChevronRight size={18} className={classes.chevron} aria-hidden="true" />
    </BlockLink>
  );
}
