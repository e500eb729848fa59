import { Button } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Empty } from '../design/empty.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { PATHS } from '../navigation/paths.ts';

export function NotFound() {
  return (
    <PageLayout title="Nothing here">
      <Empty
        icon={IconMap2}
        title="There is no such page"
        action={
          <Button component={Link} href={PATHS.overview} variant="default">
            To the overview
          </Button>
        }
      />
    </PageLayout>
  );
}
