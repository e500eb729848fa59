import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Table, Text } from '@mantine/core';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { PlainText } from '../design/memory-text.tsx';
import { categoryName, TYPE_MEANS } from '../design/names.ts';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { TYPES, TypeMark } from '../design/type-mark.tsx';
import { Level } from './level.tsx';

type Settings = AnswerOf<'GET /visibility'>['visibility'];

/** Shows what the agent lets its human see. The human cannot change it. */
export default function VisibilityPage() {
  const visibility = useAnswer('visibility', 'GET /visibility', {});
  return (
    <PageLayout
      title={t`Visibility`}
      lead={t`Your agent decides how much of its memory you see. Nobody else can change that, you included: it takes the key of the agent’s own session.`}
    >
      <QueryResult of={visibility} loading={<Skeleton height={320} radius="lg" />}>
        {({ visibility: settings }) => <Rules settings={settings} />}
      </QueryResult>
    </PageLayout>
  );
}

function Rules({ settings }: { settings: Settings }) {
  const { types, categories, tags } = settings;
  const named = [
    ...Object.entries(categories).map(([name, level]) => ({
      kind: t`Category`,
      name: categoryName(name),
      level,
    })),
    ...Object.entries(tags).map(([name, level]) => ({ kind: t`Tag`, name, level })),
  ];
  return (
    <>
      <Panel title={t`Default by type`} hint={t`What holds where no exception below does`}>
        <Table aria-label={t`Visibility by type`} verticalSpacing="sm">
          <Table.Tbody>
            {TYPES.map((type) => (
              <Table.Tr key={type}>
                <Table.Td w="40%">
                  <TypeMark type={type} />
                  <Text size="sm" c="dimmed">
                    {TYPE_MEANS[type]}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <Level level={types[type] ?? settings.default} inherited={types[type] === undefined} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Panel>
      <Panel title={t`Exceptions`} hint={t`Where several rules match a memory, the strictest one wins`}>
        {named.length === 0 ? (
          <Text size="sm" c="dimmed">
            <Trans>The agent has made none by category or tag.</Trans>
          </Text>
        ) : (
          <Table aria-label={t`Exceptions`} verticalSpacing="sm">
            <Table.Tbody>
              {named.map(({ kind, name, level }) => (
                <Table.Tr key={`${kind} ${name}`}>
                  <Table.Td w="40%">
                    <Text size="sm" c="dimmed">
                      {kind}
                    </Text>
                    <PlainText text={name} />
                  </Table.Td>
                  <Table.Td>
                    <Level level={level} inherited={false} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
      </Panel>
    </>
  );
}
