import { t } from '@lingui/core/macro';
import { IconSettings } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const settingsPage: PageEntry = {
  path: PATHS.settings,
  component: lazy(() => import('./settings-page.tsx')),
  link: { label: t`Settings`, icon: IconSettings },
};
