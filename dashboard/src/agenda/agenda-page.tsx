import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { FormDialog } from '../design/form-dialog.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { type DueItem, useAgenda } from './agenda-data.ts';
import { DateForm } from './date-form.tsx';
import { DatesPanel } from './dates-panel.tsx';
import { DonePanel } from './done-panel.tsx';
import { WorkForm } from './work-form.tsx';
import { WorkPanel } from './work-panel.tsx';

/** Shows what is due and what the agent works on, the overdue first, and lets the human add, move and finish it. */
export default function AgendaPage() {
  const { dates, work } = useAgenda();
  const [search, setSearch] = useSearchParams();
  const [changing, setChanging] = useState<DueItem>();
  const adding = search.get('add');
  const add = (what: 'date' | 'work' | undefined) =>
    setSearch(what === undefined ? {} : { add: what }, { replace: true });
  const close = () => {
    setChanging(undefined);
    add(undefined);
  };
  return (
    <PageLayout
      title={t`Agenda`}
      lead={t`What your agent is to keep in mind. It reads this at the start of each session.`}
      action={
        <Button leftSection={<IconPlus size={16} />} onClick={() => add('date')}>
          <Trans>Schedule something</Trans>
        </Button>
      }
    >
      <DatesPanel dates={dates} change={setChanging} />
      <WorkPanel work={work} add={() => add('work')} />
      <DonePanel />
      <FormDialog
        opened={adding === 'date' || changing !== undefined}
        close={close}
        title={changing ? t`Change the date` : t`Schedule something`}
      >
        <DateForm item={changing} done={close} />
      </FormDialog>
      <FormDialog opened={adding === 'work'} close={close} title={t`Add a work in progress`}>
        <WorkForm done={close} />
      </FormDialog>
    </PageLayout>
  );
}
