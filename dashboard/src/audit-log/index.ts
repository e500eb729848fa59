import { t } from '@lingui/core/macro';
import { IconListCheck } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';

export const auditLogPage: PageEntry = {
  path: '/audit-log',
  component: lazy(() => import('./audit-log-page.tsx')),
  link: { label: t`Audit log`, icon: IconListCheck },
};
