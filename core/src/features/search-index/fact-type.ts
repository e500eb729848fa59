import type { MemoryType } from '../../kernel/contract/fields.ts';

/** Types whose memories say what is so. Episodes say what was, and core memories are for the Guardian. */
export const FACT_TYPES: readonly MemoryType[] = ['semantic', 'working'];

/** In words. Longer memories hold no single fact. */
export const LONGEST_FACT = 150;

/**
 * The type under which a memory is compared with new facts; undefined for others.
 *
 * @param length In words, as `analyzeDocument` counts them.
 */
export function factTypeOf(type: MemoryType, length: number): MemoryType | undefined {
  return FACT_TYPES.includes(type) && length <= LONGEST_FACT ? type : undefined;
}
