import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const memoryPage: PageEntry = {
  path: PATHS.memory,
  component: lazy(() => import('./memory-page.tsx')),
};
