import { t } from '@lingui/core/macro';
import { IconUsers } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const peoplePage: PageEntry = {
  path: PATHS.people,
  component: lazy(() => import('./people-page.tsx')),
  link: { label: t`People`, icon: IconUsers },
};
