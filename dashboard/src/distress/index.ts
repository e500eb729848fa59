import { IconLifebuoy } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';

export const distressPage: PageEntry = {
  path: '/distress',
  component: lazy(() => import('./distress-page.tsx')),
  link: { label: 'Distress', icon: IconLifebuoy, waiting: ({ distress }) => (distress ? 1 : 0) },
};
