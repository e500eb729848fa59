import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowBackUp, IconCircleCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { type Form, useAction, useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { formatMoment, formatNumber } from '../design/format.ts';
import { MemoryText } from '../design/memory-text.tsx';
import { countsInWords } from '../design/names.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import { TypeMark } from '../design/type-mark.tsx';
import { When } from '../design/when.tsx';
import { memoryPath } from '../navigation/paths.ts';
import classes from './undo.module.css';
import type { Asked } from './undo-form.tsx';

type Undone = AnswerOf<'POST /memories/undo'>;
type Step = NonNullable<Undone['preview']>[number];

/** Shows what would be taken back, memory by memory, and takes it back. */
export function UndoPreview({ form, asked }: { form: Form; asked: Asked }) {
  const preview = useAnswer('memories', 'POST /memories/undo', { ...asked, dry_run: true });
  const undo = useAction('POST /memories/undo', {
    form,
    touches: ['memories', 'overview', 'guardian', 'boot', 'stability', 'map'],
    done: ({ changes }) => t`Taken back: ${inWords(changes) || t`nothing was left to take back`}.`,
  });
  return (
    <QueryResult of={preview} loading={<Skeleton height={180} radius="lg" />}>
      {({ changes, preview = [] }) => {
        const words = inWords(changes);
        if (words === '') {
          return (
            <Panel>
              <Empty icon={IconCircleCheck} title={t`Nothing to take back`}>
                <Trans>
                  Nothing that you may see was written from there since {formatMoment(asked.since)}, or it was
                  taken back before.
                </Trans>
              </Empty>
            </Panel>
          );
        }
        return (
          <Panel
            title={t`What would change`}
            hint={words}
            action={
              <Button
                color="red"
                leftSection={<IconArrowBackUp size={17} />}
                loading={undo.isPending}
                onClick={() => undo.mutate({ ...asked })}
              >
                <Trans>Take it back</Trans>
              </Button>
            }
            flush
          >
            <Steps steps={preview} changes={changes} space={asked.space_id} />
          </Panel>
        );
      }}
    </QueryResult>
  );
}

const WORDS: readonly (readonly [keyof Undone['changes'], string])[] = [
  ['archived', t`archived`],
  ['reverted', t`say again what they said before`],
  ['restored', t`come back from the archive`],
  ['queued', t`wait with the Guardian`],
  ['cancelled', t`pending changes end`],
  ['skipped', t`left alone, since another change of them waits`],
];

const inWords = (changes: Undone['changes']) => countsInWords(changes, WORDS);

const ACTIONS: Readonly<Record<Step['action'], string>> = {
  archived: t`Would be archived`,
  restored: t`Would come back`,
  reverted: t`Would say again`,
  queued: t`Would wait with the Guardian`,
  skipped: t`Would be left alone`,
};

interface StepsProps {
  readonly steps: readonly Step[];
  readonly changes: Undone['changes'];
  readonly space: string | undefined;
}

function Steps({ steps, changes, space }: StepsProps) {
  const { cancelled: _, ...counted } = changes;
  const more = Object.values(counted).reduce((sum, count) => sum + count, 0) - steps.length;
  return (
    <Stack gap={0}>
      <ul>
        {steps.map((step) => (
          <li key={step.memory.id} className={classes.step}>
            <Group gap="sm" className={classes.facts ?? ''}>
              <strong>{ACTIONS[step.action]}</strong>
              <TypeMark type={step.memory.type} category={step.memory.category} />
              <When at={step.memory.updated_at} />
              <Anchor component={Link} href={memoryPath(step.memory.id, space)} size="sm">
                <Trans>Open</Trans>
              </Anchor>
            </Group>
            {step.action === 'reverted' && step.content !== null ? (
              <TextDiff before={step.memory.content} after={step.content} />
            ) : (
              <MemoryText text={step.content ?? step.memory.content} lines={3} size="small" />
            )}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Text size="sm" c="dimmed" px="lg" py="xs">
          <Trans>And {formatNumber(more)} more.</Trans>
        </Text>
      )}
    </Stack>
  );
}
