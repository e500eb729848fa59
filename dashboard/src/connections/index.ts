import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

/** Apps send the human's browser here; the service's OAuth metadata names this path. */
export const connectPage: PageEntry = {
  path: PATHS.connect,
  component: lazy(() => import('./connect-page.tsx')),
};
