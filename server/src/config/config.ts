import { addressesOf } from '@svc-memory/core/server';
import type { z } from 'zod';
import { type Variable, variables } from './variables.ts';

type Variables = typeof variables;
type Value<Row extends Variable> =
  | z.output<Row['schema']>
  | (Row extends { readonly default: string } ? never : undefined);

/** The settings in force, parsed. */
export type Config = { readonly [Name in keyof Variables]: Value<Variables[Name]> };

/** Environment variables as the process has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Thrown for a configuration with mistakes; each is one line that names the variable and the fix. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join('\n'));
    this.mistakes = mistakes;
  }
}

const rows: readonly (readonly [string, Variable])[] = Object.entries(variables);

/**
 * Reads the settings from environment variables. An empty variable counts as not set.
 *
 * @throws ConfigError with all mistakes, not only the first.
 */
export function loadConfig(env: Environment): Config {
  const mistakes: string[] = [];
  const values = rows.map(([field, row]) => {
    const text = textOf(env, row);
    if (text === undefined) return [field, undefined];
    const result = row.schema.safeParse(text);
    if (result.success) return [field, result.data];
    const got = row.secret ? '' : `, not ${JSON.stringify(text)}`;
    mistakes.push(`${row.name} must ${result.error.issues[0]?.message ?? 'be valid'}${got}`);
    return [field, undefined];
  });
  if (mistakes.length > 0) throw new ConfigError(mistakes);
  // One row per field of `Config`, each parsed by the schema that types it.
  return Object.fromEntries(values) as Config;
}

/** One line for each `SVC_` variable that has no effect, with the name that was probably meant. */
export function unknownVariables(env: Environment): string[] {
  const known = rows.map(([, row]) => row.name);
  return Object.keys(env)
    .filter((name) => name.startsWith('SVC_') && env[name] !== '' && !known.some((other) => other === name))
    .sort()
    .map((name) => {
      const meant = closest(name, known);
      return `${name} is not a setting of this version and has no effect${meant ? `; did you mean ${meant}?` : ''}`;
    });
}

/** One setting as `npx svc-memory config` shows it. */
export interface Setting {
  readonly name: string;
  /** What is in force, secrets masked; null where nothing is set. */
  readonly value: string | null;
  readonly origin: 'environment' | 'default' | 'not set';
  readonly description: string;
}

/** Every setting with what is in force, secrets masked. */
export function describeConfig(env: Environment): Setting[] {
  return rows.map(([, row]) => {
    const { name, description } = row;
    const text = textOf(env, row);
    if (text === undefined) return { name, value: null, origin: 'not set', description };
    const parsed = row.schema.safeParse(text).data;
    const value = row.secret ? mask(text, row.secret) : typeof parsed === 'string' ? parsed : text;
    return { name, value, origin: text === env[name]?.trim() ? 'environment' : 'default', description };
  });
}

/** A Postgres address without its password. */
export function maskUrl(text: string): string {
  return mask(text, 'url');
}

function textOf(env: Environment, row: Variable): string | undefined {
  return env[row.name]?.trim() || row.default;
}

function mask(text: string, kind: 'whole' | 'url'): string {
  return kind === 'whole' ? '***' : addressesOf(text).map(maskAddress).join(', ');
}

function maskAddress(text: string): string {
  if (!URL.canParse(text)) return '***';
  const url = new URL(text);
  const user = url.username ? `${url.username}${url.password ? ':***' : ''}@` : '';
  // Parameters may hold secrets too (`?password=`).
  return `${url.protocol}//${user}${url.host}${url.pathname}${url.search ? '?***' : ''}`;
}

/** The name among `names` that differs from `name` by at most two letters or a third of them, if there is one. */
function closest(name: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((other) => ({ other, steps: distance(name, other) }))
    .sort((left, right) => left.steps - right.steps);
  const best = ranked[0];
  return best && best.steps <= Math.max(2, Math.floor((name.length - 'SVC_'.length) / 3))
    ? best.other
    : undefined;
}

/** Levenshtein distance, by one row at a time. */
function distance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...left].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...right].entries()) {
      const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
