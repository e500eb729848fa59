import type { Item, ListNamespacesOperation, SearchOperation } from '@langchain/langgraph-checkpoint';

type MatchCondition = NonNullable<ListNamespacesOperation['matchConditions']>[number];

const OPERATORS: Readonly<Record<string, (own: unknown, asked: unknown) => boolean>> = {
  $eq: (own, asked) => own === asked,
  $ne: (own, asked) => own !== asked,
  $gt: (own, asked) => Number(own) > Number(asked),
  $gte: (own, asked) => Number(own) >= Number(asked),
  $lt: (own, asked) => Number(own) < Number(asked),
  $lte: (own, asked) => Number(own) <= Number(asked),
  $in: (own, asked) => Array.isArray(asked) && asked.includes(own),
  $nin: (own, asked) => !Array.isArray(asked) || !asked.includes(own),
};

/** Whether an item passes a filter, by the rules of LangGraph's own stores. */
export function passes({ value }: Item, filter: SearchOperation['filter']): boolean {
  return Object.entries(filter ?? {}).every(([name, asked]) => {
    const own: unknown = value[name];
    if (typeof asked !== 'object' || asked === null) return own === asked;
    const operations = Object.entries(asked);
    if (!operations.every(([operator]) => Object.hasOwn(OPERATORS, operator))) return own === asked;
    return operations.every(([operator, operand]) => OPERATORS[operator]?.(own, operand));
  });
}

/** Whether a namespace begins or ends as a condition says; `*` stands for any one label. */
export function isMatch(namespace: readonly string[], { matchType, path }: MatchCondition): boolean {
  const start = matchType === 'prefix' ? 0 : namespace.length - path.length;
  if (path.length > namespace.length) return false;
  return path.every((label, place) => label === '*' || label === namespace[start + place]);
}
