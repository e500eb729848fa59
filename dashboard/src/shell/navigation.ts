import {
  IconArrowsExchange,
  IconBook2,
  IconEye,
  IconHome,
  IconLifebuoy,
  IconPower,
  IconSettings,
  IconShieldHalf,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ComponentType, lazy } from 'react';
import { Overview } from '../overview/overview.tsx';
import { PAGES } from '../pages.ts';

/** A page of a human who is signed in. */
export interface PageEntry {
  readonly path: string;
  readonly component: ComponentType;
  /** Its line in the navigation; a page without one is reached from others. */
  readonly link?: {
    readonly label: string;
    readonly icon: TablerIcon;
    readonly count?: 'guardian' | 'distress';
  };
}

/** Every page, in the order of the navigation. All but the first are loaded when they are opened. */
export const ENTRIES: readonly PageEntry[] = [
  { path: PAGES.overview, component: Overview, link: { label: 'Overview', icon: IconHome } },
  {
    path: PAGES.memories,
    component: lazy(() => import('../memories/memories.tsx')),
    link: { label: 'Memories', icon: IconBook2 },
  },
  { path: PAGES.memory, component: lazy(() => import('../memories/memory.tsx')) },
  {
    path: PAGES.guardian,
    component: lazy(() => import('../guardian/guardian.tsx')),
    link: { label: 'Guardian', icon: IconShieldHalf, count: 'guardian' },
  },
  {
    path: PAGES.boot,
    component: lazy(() => import('../boot/boot.tsx')),
    link: { label: 'Boot', icon: IconPower },
  },
  {
    path: PAGES.visibility,
    component: lazy(() => import('../visibility/visibility.tsx')),
    link: { label: 'Visibility', icon: IconEye },
  },
  {
    path: PAGES.distress,
    component: lazy(() => import('../distress/distress.tsx')),
    link: { label: 'Distress', icon: IconLifebuoy, count: 'distress' },
  },
  {
    path: PAGES.transfer,
    component: lazy(() => import('../transfer/transfer.tsx')),
    link: { label: 'Import & export', icon: IconArrowsExchange },
  },
  {
    path: PAGES.settings,
    component: lazy(() => import('../settings/settings.tsx')),
    link: { label: 'Settings', icon: IconSettings },
  },
];
