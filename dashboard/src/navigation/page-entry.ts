import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { AnswerOf } from '../api/call.ts';

/** A page of the dashboard. The page's folder exports it, and `app/pages.ts` lists it. */
export interface PageEntry {
  /** The path of the page. `:id` matches one segment. The service opens the dashboard at these paths only. */
  readonly path: string;
  /** The component of the page. `lazy` keeps its code out of the first load. */
  readonly component: ComponentType;
  /** The page's line in the navigation. A page without one is reached from other pages. */
  readonly link?: {
    readonly label: string;
    readonly icon: TablerIcon;
    /** Counts what waits for the human on the page. Default: 0. */
    readonly waiting?: (overview: AnswerOf<'GET /dashboard'>) => number;
    /** Whether what waits is an alarm. Default: false. */
    readonly isAlarm?: boolean;
  };
  /** What can be done on the page, for the command palette. */
  readonly commands?: readonly { readonly label: string; readonly path: string }[];
}
