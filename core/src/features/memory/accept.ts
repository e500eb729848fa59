import { acceptFields } from '../../kernel/contract/accept-fields.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import { CATEGORY_NEEDED, type NewMemory, newMemory } from './contract.ts';

/** Takes what a plugin made of a memory about to be stored. */
export function acceptMemory(answered: unknown, given: NewMemory): NewMemory {
  const accepted = acceptFields(newMemory.shape, answered, given);
  if (accepted.type === 'core' && accepted.category === undefined && given.type !== 'core') {
    throw invalid('category', CATEGORY_NEEDED.message);
  }
  return accepted;
}
