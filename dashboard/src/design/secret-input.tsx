import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/**
 * An input for a password or another secret; takes the props of `form.getInputProps`. It is uncontrolled, because React writes
 * the value of a controlled input into its `value` attribute, where extensions, session recorders and copies of the page
 * can read it. Change its `key` to empty it.
 */
export function SecretInput({ value: _value, defaultValue: _defaultValue, ...props }: PasswordInputProps) {
  return <PasswordInput {...props} />;
}
