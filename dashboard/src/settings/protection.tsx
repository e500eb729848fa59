import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import {
  Button,
  Checkbox,
  type CheckboxGroupProps,
  Group,
  NumberInput,
  Radio,
  type RadioGroupProps,
  Skeleton,
  Stack,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import type { AnswerOf, RequestOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { categoryName } from '../design/names.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import classes from './settings.module.css';

type GuardianSettings = AnswerOf<'GET /guardian/settings'>['settings'];
type Category = NonNullable<RequestOf<'POST /guardian/settings'>['categories']>[number];

const SAVED = t`Saved. What waits already keeps the time it was given.`;
const OPERATOR_HOLDS = t`Saved, but nothing happens without you all the same: the operator of this service has chosen so.`;

const ALWAYS: readonly Category[] = ['soul', 'identity'];
const CATEGORIES: readonly { value: Category; means: string }[] = [
  { value: 'soul', means: t`what must never change; always protected` },
  { value: 'identity', means: t`name, role, voice; always protected` },
  { value: 'relationship', means: t`the people it works with` },
  { value: 'operations', means: t`how it works` },
  { value: 'tools', means: t`what it works with` },
  { value: 'routine', means: t`what it does regularly` },
  { value: 'accounts', means: t`where it signs in` },
  { value: 'reorient', means: t`what it does first when it wakes up` },
];

/** Sets what the Guardian protects, how long a change waits, and what happens without the human. */
export function Protection() {
  const settings = useAnswer('guardian', 'GET /guardian/settings', {});
  return (
    <QueryResult of={settings} loading={<Skeleton height={420} radius="lg" />}>
      {({ settings }) => <ProtectionForm key={JSON.stringify(settings)} settings={settings} />}
    </QueryResult>
  );
}

function ProtectionForm({ settings }: { settings: GuardianSettings }) {
  const form = useForm({ initialValues: settings });
  const save = useAction('POST /guardian/settings', {
    touches: ['guardian', 'overview'],
    done: (answer) => (isOverruled(answer.settings) ? OPERATOR_HOLDS : SAVED),
  });
  const isOverruled = ({ unattended }: GuardianSettings) => unattended !== form.getValues().unattended;
  const submit = form.onSubmit((values) =>
    save.mutate(changesOf(settings, values), {
      onSuccess: (answer) => {
        form.setInitialValues(answer.settings);
        form.setValues(answer.settings);
      },
    }),
  );
  return (
    <Panel
      title={t`What the Guardian protects`}
      hint={t`Changes to these memories wait for you, and they cannot be unlocked by the agent.`}
    >
      <form onSubmit={submit}>
        <Stack gap="lg">
          <Categories {...form.getInputProps('categories')} />
          <Group align="flex-start" gap="lg">
            <NumberInput
              label={t`A change waits`}
              description={t`Hours, from 1 to 720`}
              min={1}
              max={720}
              allowDecimal={false}
              suffix=" h"
              required
              className={classes.field ?? ''}
              {...form.getInputProps('cooling_hours')}
            />
            <NumberInput
              label={t`A change counts as large`}
              description={t`From this drift on, 0 to 1. Whether you are asked does not hang on it`}
              min={0}
              max={1}
              step={0.05}
              decimalScale={2}
              required
              className={classes.field ?? ''}
              {...form.getInputProps('drift_limit')}
            />
          </Group>
          <Unattended {...form.getInputProps('unattended')} />
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              <Trans>Save</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}

function Categories(field: Omit<CheckboxGroupProps, 'children'>) {
  return (
    <Checkbox.Group label={t`Categories`} {...field}>
      <div className={classes.categories}>
        {CATEGORIES.map(({ value, means }) => (
          <Checkbox
            key={value}
            value={value}
            label={categoryName(value)}
            description={means}
            disabled={ALWAYS.includes(value)}
          />
        ))}
      </div>
    </Checkbox.Group>
  );
}

function Unattended(field: Omit<RadioGroupProps, 'children'>) {
  return (
    <Radio.Group label={t`When the time is over and you have not decided`} {...field}>
      <Stack gap="xs" mt="xs">
        <Radio
          value="harmless"
          label={t`Only what cannot change the meaning happens by itself: spelling, emphasis, tags and the like`}
        />
        <Radio value="nothing" label={t`Nothing happens by itself: every change waits for you`} />
      </Stack>
    </Radio.Group>
  );
}

/** Returns the settings that the human changed. The operator's defaults keep applying to all others. */
function changesOf(before: GuardianSettings, after: GuardianSettings): Partial<GuardianSettings> {
  const names = Object.keys(after) as (keyof GuardianSettings)[];
  const changed = names.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]));
  return Object.fromEntries(changed.map((name) => [name, after[name]]));
}
