import { t } from '@lingui/core/macro';
import { IconCalendarEvent } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const agendaPage: PageEntry = {
  path: PATHS.agenda,
  component: lazy(() => import('./agenda-page.tsx')),
  link: { label: t`Agenda`, icon: IconCalendarEvent },
  commands: [
    { label: t`Schedule something`, path: `${PATHS.agenda}?add=date` },
    { label: t`Add a work in progress`, path: `${PATHS.agenda}?add=work` },
  ],
};
