import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';

/** Apps send the human's browser here; the service's OAuth metadata names this path. */
export const connectPage: PageEntry = {
  path: '/connect',
  component: lazy(() => import('./connect-page.tsx')),
};
