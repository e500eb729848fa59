import { VISIBILITY_LEVELS, type VisibilityLevel, type VisibilitySettings } from './contract.ts';

/** What stands where a content is withheld. */
export const REDACTED = '[redacted]';

/** Fields by which settings decide about a memory that is not stored as a row of its own. */
interface Ruled {
  readonly type: string;
  readonly category?: string | null;
  readonly tags?: readonly string[];
}

/** The level of one state of a memory: the strictest of all rules that match it. Of rows, the database decides. */
export function levelOf(settings: VisibilitySettings, { type, category, tags = [] }: Ruled): VisibilityLevel {
  const rules = [
    settings.default,
    lookUp(settings.types, type),
    lookUp(settings.categories, category ?? ''),
    ...tags.map((tag) => lookUp(settings.tags, tag)),
  ];
  return strictest(rules.flatMap((rule) => rule ?? []));
}

/** True where no rule withholds anything from the human. */
export function showsAll({ default: base, types, categories, tags }: VisibilitySettings): boolean {
  return [base, ...[types, categories, tags].flatMap(Object.values)].every((level) => level === 'full');
}

/** The strictest of some levels; `full` of none. */
export function strictest(levels: readonly VisibilityLevel[]): VisibilityLevel {
  const rank = Math.max(0, ...levels.map((level) => VISIBILITY_LEVELS.indexOf(level)));
  return VISIBILITY_LEVELS[rank] ?? 'hidden';
}

function lookUp(rules: Readonly<Record<string, VisibilityLevel | undefined>>, name: string) {
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}
