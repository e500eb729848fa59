import { describeConfig, loadConfig, unknownVariables } from '../../config/config.ts';
import { checkConfig } from '../access/check-config.ts';
import { type CommandContext, defineCommand, option } from '../console/command.ts';
import { settingsHelp } from '../console/settings-help.ts';
import { columns } from '../console/terminal.ts';

export default defineCommand({
  name: 'config',
  description: 'Print the settings in force, secrets masked',
  options: [option('--json', 'Print JSON')],
  helpText: settingsHelp,
  run: printConfig,
});

/** Prints every setting with what is in force, secrets masked; refuses a configuration with mistakes. */
async function printConfig({ env, terminal }: CommandContext, { json }: { json?: true }): Promise<void> {
  const config = loadConfig(env);
  checkConfig(config);
  const settings = describeConfig(env);
  for (const line of unknownVariables(env)) terminal.err(`svc: ${line}`);
  if (json) terminal.out(JSON.stringify(settings, null, 2));
  else terminal.out(columns(settings.map(({ name, value, origin }) => [name, value ?? '-', `(${origin})`])));
}
