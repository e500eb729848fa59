import { SvcError } from '../contract/errors.ts';
import { MEMORY_TYPES } from '../contract/fields.ts';
import type { OperationName } from '../contract/index.ts';
import { VISIBILITY_LEVELS, type VisibilityLevel, type VisibilitySettings } from './contract.ts';

/** What stands where a content is withheld. */
export const REDACTED = '[redacted]';

/** Fields by which settings decide about a memory. */
interface Rated {
  readonly type: string;
  readonly category?: string | null;
  readonly tags?: readonly string[];
  /** There where it quotes episodes. */
  readonly derived_from?: readonly string[] | undefined;
}

/** The level of one memory: the strictest of all rules that match it. */
export function levelOf(
  settings: VisibilitySettings,
  { type, category, tags = [], derived_from = [] }: Rated,
): VisibilityLevel {
  const rules = [
    settings.default,
    lookUp(settings.types, type),
    derived_from.length > 0 ? lookUp(settings.types, 'episodic') : undefined,
    lookUp(settings.categories, category ?? ''),
    ...tags.map((tag) => lookUp(settings.tags, tag)),
  ];
  return strictest(rules.flatMap((rule) => rule ?? []));
}

/** True where no rule withholds anything from the human. */
export function showsAll({ default: base, types, categories, tags }: VisibilitySettings): boolean {
  return [base, ...[types, categories, tags].flatMap(Object.values)].every((level) => level === 'full');
}

/**
 * Withholds from an answer what the agent does not show its human: any answer of any operation, so that a new one
 * cannot forget it. Hidden memories leave lists; redacted ones keep their type and dates.
 *
 * @param searched Whether memories were found by what is withheld: then being found tells it, and redacted ones leave
 *   lists too.
 * @param written Whether the answer is to something the human did: it has happened, so hidden memories are redacted
 *   instead of denied.
 * @throws SvcError `NOT_FOUND` when the answer is about one hidden memory, as if it did not exist.
 */
export function concealAnswer<Answer>(
  answer: Answer,
  settings: VisibilitySettings,
  { searched = false, written = false }: { searched?: boolean; written?: boolean } = {},
): Answer {
  const ceiling: VisibilityLevel = written ? 'redacted' : 'hidden';
  const shown = conceal(answer, { settings, searched }, { floor: 'full', ceiling });
  if (shown === undefined) throw new SvcError('NOT_FOUND', 'There is no memory with this id.');
  return shown as Answer;
}

const WITHHELD_FILTERS = ['entity', 'key', 'tags', 'category'];

/** True for a call that finds memories by fields that redaction withholds. */
export function searchesWithheld(operation: OperationName, input: object): boolean {
  if (operation !== 'query') return operation === 'recall';
  return Object.entries(input).some(
    ([name, value]) => value !== undefined && WITHHELD_FILTERS.includes(name),
  );
}

interface Rules {
  readonly settings: VisibilitySettings;
  readonly searched: boolean;
}

/** What other states of the same memory, and the kind of answer, still allow. */
interface Bounds {
  /** The least strict level. */
  readonly floor: VisibilityLevel;
  /** The strictest level. */
  readonly ceiling: VisibilityLevel;
}

function conceal(value: unknown, rules: Rules, bounds: Bounds): unknown {
  if (Array.isArray(value)) return value.flatMap((item) => conceal(item, rules, bounds) ?? []);
  if (!isObject(value)) return value;
  if (isMemory(value)) return show(value, within([levelOf(rules.settings, value)], bounds), rules);
  const states = statesOf(value);
  // That a change waits is for the human to know and decide, whatever they may see of it.
  const ceiling: VisibilityLevel = 'proposed' in value ? 'redacted' : bounds.ceiling;
  const floor = within(
    states.map((state) => levelOf(rules.settings, state)),
    { ...bounds, ceiling },
  );
  if (states.length > 0 && floor === 'hidden') return undefined;
  const shown: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const kept = conceal(part, rules, { floor, ceiling });
    if (kept === undefined && part !== undefined) return undefined;
    shown[name] = kept;
  }
  return shown;
}

function show(memory: Record<string, unknown>, level: VisibilityLevel, { searched }: Rules): unknown {
  if (level === 'full') return memory;
  return level === 'hidden' || searched ? undefined : redact(memory);
}

/** The strictest level within bounds. */
function within(levels: readonly VisibilityLevel[], { floor, ceiling }: Bounds): VisibilityLevel {
  const level = strictest([floor, ...levels]);
  return strictest([level, ceiling]) === level ? ceiling : level;
}

/** The states of one memory that an object shows side by side; the strictest level holds for all of them. */
function statesOf({ current, proposed, versions }: Record<string, unknown>): Rated[] {
  return [current, proposed, ...(Array.isArray(versions) ? versions : [])].filter(isMemory);
}

/** A memory of which only type and dates are told. */
export function redact<Shown extends object>(memory: Shown) {
  return { ...memory, content: REDACTED, category: null, key: null, tags: [] };
}

function isMemory(value: unknown): value is Record<string, unknown> & Rated {
  return (
    isObject(value) &&
    typeof value.content === 'string' &&
    (MEMORY_TYPES as readonly unknown[]).includes(value.type)
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function lookUp(rules: Readonly<Record<string, VisibilityLevel | undefined>>, name: string) {
  return Object.hasOwn(rules, name) ? rules[name] : undefined;
}

/** The strictest of some levels; `full` of none. */
export function strictest(levels: readonly VisibilityLevel[]): VisibilityLevel {
  const rank = Math.max(0, ...levels.map((level) => VISIBILITY_LEVELS.indexOf(level)));
  return VISIBILITY_LEVELS[rank] ?? 'hidden';
}
