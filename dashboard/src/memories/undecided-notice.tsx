import { Alert, Anchor, Group, Text } from '@mantine/core';
import { IconShieldHalf } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useAnswer } from '../api/hooks.ts';
import { PATHS } from '../navigation/paths.ts';

/** Links from a memory's page to the Guardian if something about the memory waits for a decision. */
export function UndecidedNotice({ id }: { id: string }) {
  const { data } = useAnswer('overview', 'GET /dashboard', {});
  const isAbout = (entry: { memory_id: string }) => entry.memory_id === id;
  const pending = data?.guardian.some(isAbout);
  if (!pending && !data?.unconfirmed.some(isAbout)) return null;
  return (
    <Alert icon={<IconShieldHalf size={18} />} variant="light">
      <Group justify="space-between">
        <Text size="sm">
          {pending ? 'A change to this memory waits for you.' : 'You have not confirmed this memory yet.'}
        </Text>
        <Anchor component={Link} href={PATHS.guardian} size="sm" underline="always">
          Decide
        </Anchor>
      </Group>
    </Alert>
  );
}
