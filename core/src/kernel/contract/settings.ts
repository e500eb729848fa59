import { z } from 'zod';

type Changes<Shape extends z.ZodRawShape> = {
  [Name in keyof Shape]: z.ZodOptional<Shape[Name] extends z.ZodDefault<infer Inner> ? Inner : Shape[Name]>;
};

/** The request that changes some settings and keeps the others: every field optional, and none with a default. */
export function changesOf<Shape extends z.ZodRawShape>(
  settings: z.ZodObject<Shape, z.core.$ZodObjectConfig>,
) {
  const fields = Object.entries(settings.shape).map(([name, field]) => [
    name,
    z.optional(field instanceof z.ZodDefault ? field.unwrap() : field),
  ]);
  return z.strictObject(Object.fromEntries(fields) as Changes<Shape>);
}

/**
 * What a request that changes something must hold, as the arguments of `refine`: at least one of the fields that it may change.
 */
export function someOf({
  shape,
}: z.ZodObject): [
  check: (request: Readonly<Record<string, unknown>>) => boolean,
  issue: { path: []; message: string },
] {
  const names = Object.keys(shape);
  return [
    (request) => names.some((name) => request[name] !== undefined),
    { path: [], message: `name at least one field to change: ${names.join(', ')}` },
  ];
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> };

export function withoutUndefined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
