import { t } from '@lingui/core/macro';
import { IconEye } from '@tabler/icons-react';
import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const visibilityPage: PageEntry = {
  path: PATHS.visibility,
  component: lazy(() => import('./visibility-page.tsx')),
  link: { label: t`Visibility`, icon: IconEye },
};
