import { z } from 'zod';
import type { ToolDescription } from '../../features/tools/contract.ts';
import { tools } from './all.ts';

let described: readonly ToolDescription[] | undefined;

/** Every tool with its JSON Schemas, as MCP and `GET /tools` list it. */
export function describeTools(): readonly ToolDescription[] {
  described ??= tools.map(({ name, title, description, annotations, input, output }) => ({
    name,
    title,
    description,
    annotations,
    input_schema: toJsonSchema(input, 'input'),
    output_schema: toJsonSchema(output, 'output'),
  }));
  return described;
}

/**
 * A schema as JSON Schema 2020-12. Answers may gain fields in later versions, so that they are left open; and their names show
 * hidden characters, which makes them longer than what was stored.
 */
function toJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...plain } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'input') return;
      delete jsonSchema.propertyNames;
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return plain;
}
