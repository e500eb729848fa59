import { z } from 'zod';
import { route } from '../contract/route.ts';

/** What a host may expect of a tool, as MCP names it. */
export const toolAnnotations = z.object({
  /** Changes nothing. */
  readOnlyHint: z.boolean(),
  /** May take something away that was there. */
  destructiveHint: z.boolean(),
  /** The same call again changes nothing more. */
  idempotentHint: z.boolean(),
  /** Reaches beyond the agent's own memory. */
  openWorldHint: z.boolean(),
});

/** One `svc_*` tool as clients see it. */
export const toolDescription = z.object({
  name: z.string(),
  title: z.string(),
  description: z.string(),
  annotations: toolAnnotations,
  /** JSON Schema of the arguments. */
  input_schema: z.record(z.string(), z.unknown()),
  /** JSON Schema of the structured result. */
  output_schema: z.record(z.string(), z.unknown()),
});
export type ToolDescription = z.output<typeof toolDescription>;

export const toolRoutes = {
  /** The tools that the MCP server offers. */
  tools: route({
    method: 'GET',
    path: '/tools',
    access: 'read',
    metering: 'free',
    summary: 'List the tools of the MCP server',
    spec: 'Design 5, help and script',
    request: z.strictObject({}),
    response: z.object({ tools: z.array(toolDescription) }),
  }),
};
