import { z } from 'zod';
import { route } from '../../kernel/contract/route.ts';
import { toolAnnotations } from '../../kernel/tools/tool.ts';

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
/** An `svc_*` tool as a host offers it to its model. */
export type ToolDescription = z.output<typeof toolDescription>;

export const toolRoutes = {
  /** The tools that the MCP server offers. */
  tools: route({
    method: 'GET',
    path: '/tools',
    access: 'read',
    metering: 'free',
    users: 'open',
    summary: 'List the tools of the MCP server',
    request: z.strictObject({}),
    response: z.object({ tools: z.array(toolDescription) }),
  }),
};
