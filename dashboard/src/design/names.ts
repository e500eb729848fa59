import { plural, t } from '@lingui/core/macro';
import type { fields } from '@svc-memory/core/contract';
import { formatNumber } from './format.ts';

type Type = fields.MemoryType;

/** What the types of memory are called. */
export const TYPE_NAMES: Readonly<Record<Type, string>> = {
  core: t`core`,
  working: t`working`,
  episodic: t`episodic`,
  semantic: t`semantic`,
};

/** What each type holds, in the words of a human. */
export const TYPE_MEANS: Readonly<Record<Type, string>> = {
  core: t`Who it is`,
  working: t`On its mind`,
  episodic: t`What happened`,
  semantic: t`What it knows`,
};

const CATEGORY_NAMES: Readonly<Record<string, string>> = {
  soul: t`soul`,
  identity: t`identity`,
  relationship: t`relationship`,
  operations: t`operations`,
  tools: t`tools`,
  routine: t`routine`,
  reorient: t`reorient`,
  accounts: t`accounts`,
};

/** What a category of core memories is called. */
export function categoryName(category: string): string {
  return CATEGORY_NAMES[category] ?? category;
}

/** Writes counts in one line, as `3 archived · 2 restored`: those of more than none, in the order of the words. */
export function countsInWords<Name extends string>(
  counts: Readonly<Partial<Record<Name, unknown>>>,
  words: readonly (readonly [Name, string])[],
): string {
  return words
    .flatMap(([name, text]) => {
      const count = counts[name];
      return typeof count === 'number' && count > 0 ? [`${formatNumber(count)} ${text}`] : [];
    })
    .join(' · ');
}

/** Writes how many memories: `one memory` as `1 memory`, and `1,200 memories`. */
export function memoriesOf(count: number): string {
  const number = formatNumber(count);
  return plural(count, { one: `${number} memory`, other: `${number} memories` });
}
