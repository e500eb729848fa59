type UnionToIntersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer Intersection,
) => void
  ? Intersection
  : never;

/** All members of a union's types in one object type. */
export type Merged<Union> = {
  [Key in keyof UnionToIntersection<Union>]: UnionToIntersection<Union>[Key];
};

/** Merges objects that have no member in common. */
export function mergeAll<Item extends object>(items: readonly Item[]): Merged<Item> {
  const merged = Object.assign({}, ...items) as Merged<Item>;
  const members = items.reduce((sum, item) => sum + Object.keys(item).length, 0);
  if (Object.keys(merged as object).length !== members)
    throw new TypeError('two of them have a member of the same name');
  return merged;
}
