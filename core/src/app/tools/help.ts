import { z } from 'zod';
import { toolDescription } from '../../features/tools/contract.ts';
import { type AnyTool, defineTool, READS } from '../../kernel/tools/tool.ts';

const summary = toolDescription.pick({ name: true, title: true, description: true });

/** @param all Lists all tools, this one included. */
export const helpTool = (all: () => readonly AnyTool[]) =>
  defineTool({
    name: 'svc_help',
    title: 'List all tools',
    description:
      'Lists all svc_ tools with what each is for. Call it when you are unsure which tool fits, or when your human asks what your memory can do. It works without the service.',
    annotations: READS,
    input: z.strictObject({}),
    output: z.object({ tools: z.array(summary) }),
    run: async () => ({
      tools: all().map(({ name, title, description }) => ({ name, title, description })),
    }),
    text: ({ tools }) => tools.map(({ name, description }) => `- ${name}: ${description}\n`).join(''),
  });
