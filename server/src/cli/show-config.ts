import { describeConfig, loadConfig, unknownVariables } from '../config.ts';
import { type Variable, variables } from '../config-variables.ts';
import { embeddingOf } from '../embedding.ts';
import { languageModelOf } from '../language-model.ts';
import { EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { columns } from './terminal.ts';

/** Prints every setting with what is in force, secrets masked; refuses a configuration with mistakes. */
export async function showConfig(
  { env, terminal }: CommandContext,
  { json }: { json?: true },
): Promise<number> {
  const config = loadConfig(env);
  embeddingOf(config);
  languageModelOf(config);
  const settings = describeConfig(env);
  for (const line of unknownVariables(env)) terminal.err(`svc: ${line}`);
  if (json) terminal.out(JSON.stringify(settings, null, 2));
  else terminal.out(columns(settings.map(({ name, value, origin }) => [name, value ?? '-', `(${origin})`])));
  return EXIT.ok;
}

/** The list of settings that help texts end with. */
export function settingsHelp(): string {
  const rows = Object.values(variables).map((row: Variable) => [
    `  ${row.name}`,
    row.default === undefined ? row.description : `${row.description} Default ${row.default}.`,
  ]);
  return `\nSettings, all environment variables:\n${columns(rows)}`;
}
