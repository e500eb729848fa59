import { t } from '@lingui/core/macro';
import { type PasswordInputProps, TextInput, type TextInputProps } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { explainToVisitor, fieldErrors } from '../api/error.ts';
import { SecretInput } from '../design/secret-input.tsx';

/**
 * A form of a page before the sign-in, sent by one call. Messages about a field are shown at the field;
 * `problem` is the message of any other failure.
 */
export function useVisitorForm<Values extends Record<string, string>, Data>(
  initialValues: Values,
  send: (values: Values) => Promise<Data>,
  onSuccess: (data: Data) => unknown = () => undefined,
) {
  const form = useForm({ initialValues });
  const { mutate, error, data, isPending } = useMutation({
    mutationFn: send,
    onSuccess,
    onError: (error) => form.setErrors(fieldErrors(error)),
  });
  const hasFieldErrors = Object.keys(form.errors).length > 0;
  return {
    field: form.getInputProps,
    submit: form.onSubmit((values) => mutate(values)),
    problem: error && !hasFieldErrors ? explainToVisitor(error) : undefined,
    answer: data,
    isPending,
  };
}

export function EmailInput(props: TextInputProps) {
  return <TextInput label={t`E-mail`} type="email" autoComplete="username" required {...props} />;
}

export function NewPasswordInput(props: PasswordInputProps) {
  return (
    <SecretInput
      label={t`New password`}
      description={t`At least 10 characters`}
      autoComplete="new-password"
      minLength={10}
      required
      {...props}
    />
  );
}
