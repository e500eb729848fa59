import { t } from '@lingui/core/macro';
import { IconHome } from '@tabler/icons-react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';
import { OverviewPage } from './overview-page.tsx';

/** The first page: most visits begin here, so its code is part of the first load. */
export const overviewPage: PageEntry = {
  path: PATHS.overview,
  component: OverviewPage,
  link: { label: t`Overview`, icon: IconHome },
};
