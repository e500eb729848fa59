import { t } from '@lingui/core/macro';
import { IconUsersGroup } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const spacesPage: PageEntry = {
  path: PATHS.spaces,
  component: lazy(() => import('./spaces-page.tsx')),
  link: { label: t`Spaces`, icon: IconUsersGroup },
};

export const spacePage: PageEntry = {
  path: PATHS.space,
  component: lazy(() => import('./space-page.tsx')),
};
