import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const undoPage: PageEntry = {
  path: PATHS.undo,
  component: lazy(() => import('./undo-page.tsx')),
};
