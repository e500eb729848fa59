import { Button, Checkbox, Group, NumberInput, Skeleton, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Answer, Input } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { Answered } from '../design/answered.tsx';
import { Panel } from '../design/panel.tsx';
import classes from './settings.module.css';

type GuardianSettings = Answer<'GET /guardian/settings'>['settings'];
type Category = NonNullable<Input<'POST /guardian/settings'>['categories']>[number];

const ALWAYS: readonly Category[] = ['soul', 'identity'];
const CATEGORIES: readonly { value: Category; means: string }[] = [
  { value: 'soul', means: 'what must never change; always protected' },
  { value: 'identity', means: 'name, role, voice; always protected' },
  { value: 'relationship', means: 'the people it works with' },
  { value: 'operations', means: 'how it works' },
  { value: 'tools', means: 'what it works with' },
  { value: 'routine', means: 'what it does regularly' },
  { value: 'accounts', means: 'where it signs in' },
  { value: 'reorient', means: 'what it does first when it wakes up' },
];

/** What the Guardian protects, for how long a change waits, and how far it may go without the human. */
export function Protection() {
  const settings = useAnswer('guardian', 'GET /guardian/settings', {});
  return (
    <Answered of={settings} loading={<Skeleton height={420} radius="lg" />}>
      {({ settings }) => <ProtectionForm key={JSON.stringify(settings)} settings={settings} />}
    </Answered>
  );
}

function ProtectionForm({ settings }: { settings: GuardianSettings }) {
  const form = useForm({ mode: 'controlled', initialValues: settings });
  const save = useAction('POST /guardian/settings', {
    touches: ['guardian', 'overview'],
    done: 'Saved. What waits already keeps the rules it was asked under.',
  });
  return (
    <Panel
      title="What the Guardian protects"
      hint="Changes to these memories wait for you, and they cannot be unlocked by the agent."
    >
      <form onSubmit={form.onSubmit((values) => save.mutate(values))}>
        <Stack gap="lg">
          <Checkbox.Group label="Categories" {...form.getInputProps('categories')}>
            <div className={classes.categories}>
              {CATEGORIES.map(({ value, means }) => (
                <Checkbox
                  key={value}
                  value={value}
                  label={value}
                  description={means}
                  disabled={ALWAYS.includes(value)}
                />
              ))}
            </div>
          </Checkbox.Group>
          <Group align="flex-start" gap="lg">
            <NumberInput
              label="A change waits"
              description="Hours, from 1 to 720"
              min={1}
              max={720}
              allowDecimal={false}
              suffix=" h"
              required
              className={classes.field ?? ''}
              {...form.getInputProps('cooling_hours')}
            />
            <NumberInput
              label="Largest drift without you"
              description="0: every change waits for you; 1: none does"
              min={0}
              max={1}
              step={0.05}
              decimalScale={2}
              required
              className={classes.field ?? ''}
              {...form.getInputProps('drift_limit')}
            />
          </Group>
          <Group>
            <Button type="submit" loading={save.isPending} disabled={!form.isDirty()}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
