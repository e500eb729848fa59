import { reach } from '../access/reach.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';

export default defineCommand({
  name: 'boot',
  description: 'Print what the agent is given at the start of a session',
  options: [
    option('--about <text>', 'What the session is about: what fits it is preferred'),
    option('--json', 'Print JSON'),
  ],
  examples: ['npx svc-memory boot', 'npx svc-memory boot --about "the release" > CONTEXT.md'],
  run: printInjection,
});

interface BootOptions {
  readonly about?: string;
  readonly json?: true;
}

async function printInjection(context: CommandContext, { about, json }: BootOptions): Promise<void> {
  return reach(context, async ({ memory }) => {
    const answer = await memory.boot({ context_hint: about });
    context.terminal.out(json ? JSON.stringify(answer, null, 2) : answer.injection);
  });
}
