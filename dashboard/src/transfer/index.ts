import { t } from '@lingui/core/macro';
import { IconArrowsExchange } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const transferPage: PageEntry = {
  path: PATHS.transfer,
  component: lazy(() => import('./transfer-page.tsx')),
  link: { label: t`Import & export`, icon: IconArrowsExchange },
};
