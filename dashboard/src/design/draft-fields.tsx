import { Stack, type StackProps } from '@mantine/core';
import type { FormEventHandler } from 'react';
import { Restored } from './restored.tsx';

interface Props extends StackProps {
  /** By `useDraftForm`. */
  readonly form: { readonly isRestored: boolean; discard(): void };
  readonly submit: FormEventHandler<HTMLFormElement>;
}

/** The fields of a form of which this tab keeps what was typed, below each other. Says so where they hold some of that. */
export function DraftFields({ form, submit, children, ...stack }: Props) {
  return (
    <form onSubmit={submit}>
      <Stack {...stack}>
        {form.isRestored && <Restored discard={form.discard} />}
        {children}
      </Stack>
    </form>
  );
}
