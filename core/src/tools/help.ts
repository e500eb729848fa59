import { z } from 'zod';
import { toolDescription } from './contract.ts';
import { defineTool, READS } from './tool.ts';

const summary = toolDescription.pick({ name: true, title: true, description: true });

export const help = defineTool({
  name: 'svc_help',
  title: 'List all tools',
  description:
    'Lists all svc_ tools with what each is for. Call it when you are unsure which tool fits, or when your human asks what your memory can do. It works without the service.',
  annotations: READS,
  input: z.strictObject({}),
  output: z.object({ tools: z.array(summary) }),
  run: async () => {
    // The list holds this tool, so it can only be known when it runs.
    const { tools } = await import('./all.ts');
    return { tools: tools.map(({ name, title, description }) => ({ name, title, description })) };
  },
  text: ({ tools }) => tools.map(({ name, description }) => `- ${name}: ${description}\n`).join(''),
});
