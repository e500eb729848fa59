import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form';
import { useState } from 'react';
import { useDraft } from './draft.ts';

type Values = Record<string, unknown>;

interface Options<Fields extends Values> extends Pick<UseFormInput<Fields>, 'validate'> {
  /** What the fields hold when nothing was typed. May change while the form is open. */
  readonly initialValues: Fields;
  /** Whether a field holds a secret, which is never kept. Default: none does. */
  readonly isSecret?: (name: keyof Fields, value: unknown) => boolean;
}

/** A form of which this tab keeps what was typed. */
export type DraftForm<Fields extends Values> = UseFormReturnType<Fields> & {
  /** True while the form holds what was typed before it was opened. */
  readonly isRestored: boolean;
  /** Forgets what is kept. `useAction` does so once the form is sent. */
  forget(): void;
  /** Forgets what is kept, and empties the form of it. */
  discard(): void;
};

/**
 * A form by `useForm` that keeps in this tab what the human types, however they leave it: until it is sent, or they discard it.
 * Only fields that differ from `initialValues` are kept, so that the others show what holds when the form is opened again.
 *
 * @param about What the form is about, such as the id of what it changes.
 */
export function useDraftForm<Fields extends Values>(
  about: string,
  { initialValues, isSecret = () => false, ...options }: Options<Fields>,
): DraftForm<Fields> {
  const draft = useDraft<Partial<Fields>>(about);
  const [kept, setKept] = useState(() => fitting(draft.read(), initialValues));
  const keep = (values: Fields) => {
    const typed = typedIn(values, initialValues).filter(([name, value]) => !isSecret(name, value));
    if (typed.length > 0) draft.keep(Object.fromEntries(typed) as Partial<Fields>);
    else draft.forget();
  };
  const form = useForm<Fields>({
    ...options,
    initialValues: { ...initialValues, ...kept },
    onValuesChange: keep,
  });
  const forget = () => {
    draft.forget();
    setKept({});
  };
  const discard = () => {
    form.setValues(initialValues);
    form.clearErrors();
    forget();
  };
  return { ...form, isRestored: Object.keys(kept).length > 0, forget, discard };
}

function typedIn<Fields extends Values>(values: Fields, initial: Fields): [keyof Fields & string, unknown][] {
  return Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(initial[name]),
  );
}

/** Returns the kept fields that the form has. Another release of the page may have kept them. */
function fitting<Fields extends Values>(kept: Partial<Fields> | undefined, initial: Fields): Partial<Fields> {
  const fields = Object.entries(kept ?? {}).filter(
    ([name, value]) => name in initial && typeof value === typeof initial[name],
  );
  return Object.fromEntries(fields) as Partial<Fields>;
}

/**
 * Whether what is typed as an address names a user or a password, or has a query, in which services put tokens. What is no
 * address yet may become one of these.
 */
export function mayHoldSecret(typed: unknown): boolean {
  const url = typeof typed === 'string' && URL.canParse(typed) ? new URL(typed) : undefined;
  return url === undefined || `${url.username}${url.password}${url.search}${url.hash}` !== '';
}
