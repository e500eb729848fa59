import { Button } from '@mantine/core';
import { IconMap2 } from '@tabler/icons-react';
import { Link } from 'wouter';
import { Empty } from '../design/empty.tsx';
import { Page } from '../design/page.tsx';
import { PAGES } from '../pages.ts';

export function NotFound() {
  return (
    <Page title="Nothing here">
      <Empty
        icon={IconMap2}
        title="There is no such page"
        action={
          <Button component={Link} href={PAGES.overview} variant="default">
            To the overview
          </Button>
        }
      />
    </Page>
  );
}
