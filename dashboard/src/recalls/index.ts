import { t } from '@lingui/core/macro';
import { IconListSearch } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const recallsPage: PageEntry = {
  path: PATHS.recalls,
  component: lazy(() => import('./recalls-page.tsx')),
  link: { label: t`Recalls`, icon: IconListSearch },
};
