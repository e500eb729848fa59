import { t } from '@lingui/core/macro';
import { IconPower } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const bootPage: PageEntry = {
  path: PATHS.boot,
  component: lazy(() => import('./boot-page.tsx')),
  link: { label: t`Boot`, icon: IconPower },
};
