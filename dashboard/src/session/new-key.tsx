import { Secret } from '../design/copy.tsx';

/** A new API key, which is shown once. */
export function NewKey({ secret }: { secret: string }) {
  return (
    <Secret text={secret} label="Copy the API key">
      Give it to the agent as <code>SVC_API_KEY</code>. Keep it like a password: whoever has it can read and
      write everything the agent remembers.
    </Secret>
  );
}
