import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Empty } from '../design/empty.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { PATHS } from '../navigation/paths.ts';

export function NotFound() {
  return (
    <PageLayout title={t`Nothing here`}>
      <Empty
        icon={IconMap2}
        title={t`There is no such page`}
        action={
          <Button component={Link} href={PATHS.overview} variant="default">
            <Trans>To the overview</Trans>
          </Button>
        }
      />
    </PageLayout>
  );
}
