import { t } from '@lingui/core/macro';
import { useAnswer } from '../api/hooks.ts';
import { PlainText } from './memory-text.tsx';

/** Reads the spaces of the account. */
export const useSpaces = () => useAnswer('spaces', 'GET /spaces', {}, { staleTime: 60_000 });

/** Names the space that a memory is in. */
export function SpaceName({ id }: { id: string }) {
  const { data } = useSpaces();
  const space = data?.spaces.find((one) => one.id === id);
  return space ? <PlainText text={space.name} /> : t`a space`;
}
