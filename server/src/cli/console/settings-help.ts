import { type Variable, variables } from '../../config/variables.ts';
import { columns } from './terminal.ts';

/** The list of settings that help texts end with. */
export function settingsHelp(): string {
  const rows = Object.values(variables).map((row: Variable) => [
    `  ${row.name}`,
    row.default === undefined ? row.description : `${row.description} Default ${row.default}.`,
  ]);
  return `\nSettings, all environment variables:\n${columns(rows)}`;
}
