import { t } from '@lingui/core/macro';
import { IconBook2 } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const memoriesPage: PageEntry = {
  path: PATHS.memories,
  component: lazy(() => import('./memories-page.tsx')),
  link: { label: t`Memories`, icon: IconBook2 },
};
