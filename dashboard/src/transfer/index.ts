import { t } from '@lingui/core/macro';
import { IconArrowsExchange } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';

export const transferPage: PageEntry = {
  path: '/import-export',
  component: lazy(() => import('./transfer-page.tsx')),
  link: { label: t`Import & export`, icon: IconArrowsExchange },
};
