import { t } from '@lingui/core/macro';
import { IconLifebuoy } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const distressPage: PageEntry = {
  path: PATHS.distress,
  component: lazy(() => import('./distress-page.tsx')),
  link: {
    label: t`Distress`,
    icon: IconLifebuoy,
    waiting: ({ distress }) => (distress ? 1 : 0),
    isAlarm: true,
  },
};
