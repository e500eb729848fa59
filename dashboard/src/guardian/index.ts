import { t } from '@lingui/core/macro';
import { IconShieldHalf } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';
import { waitingIn } from './entry.ts';

export const guardianPage: PageEntry = {
  path: PATHS.guardian,
  component: lazy(() => import('./guardian-page.tsx')),
  link: {
    label: t`Guardian`,
    icon: IconShieldHalf,
    waiting: (overview) => {
      const { pending, unconfirmed } = waitingIn(overview);
      return pending.length + unconfirmed.length;
    },
  },
};
