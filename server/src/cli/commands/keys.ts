import type { KeyScope, Plan } from '@svc-memory/core';
import { fields } from '@svc-memory/core/contract';
import { presentApiKey } from '@svc-memory/core/server';
import { whyUnwritten } from '../../backups/why-unwritable.ts';
import { loadConfig } from '../../config/config.ts';
import { duration } from '../../config/variables.ts';
import * as actions from '../../control/actions/keys.ts';
import { CliError, EXIT } from '../../control/cli-error.ts';
import { credentialsPath, hintOf, savedCredentials, writeCredentials } from '../access/credentials.ts';
import { type Operator, operate } from '../access/operate.ts';
import {
  argument,
  type CommandContext,
  type CommandGroup,
  defineCommand,
  option,
} from '../console/command.ts';
import { readField } from '../console/read-field.ts';
import { columns } from '../console/terminal.ts';

const HOUR_MS = 3_600_000;

const tenantOption = () => option('--tenant <id>', 'Tenant, where there are several');

const list = defineCommand({
  name: 'list',
  description: 'Print the API keys of a tenant',
  options: [tenantOption(), option('--json', 'Print JSON')],
  run: listKeys,
});

const create = defineCommand({
  name: 'create',
  description: 'Make an API key and print it this once',
  options: [
    option('--name <name>', 'What the key is for').default('made by svc keys create'),
    option('--scope <scope>', 'What the key may do').choices(fields.KEY_SCOPES).default('full'),
    option('--expires <duration>', 'Lifetime, such as 24h or 90d; default: none'),
    option('--user <id>', 'Bind the key to one user of the agent: it sees and writes nothing of others'),
    tenantOption(),
    option('--new-tenant <name>', 'Make a tenant of this name for the key'),
    option('--plan <plan>', 'Plan of the new tenant; default: standard').choices(fields.PLANS),
  ],
  examples: [
    'npx svc-memory keys create --name dashboard --scope read --expires 90d',
    'npx svc-memory keys create --user u1',
  ],
  run: createKey,
});

const rotate = defineCommand({
  name: 'rotate',
  description:
    'Make a key in place of another, of the same name, scope and lifetime, and print it this once; credentials.json follows',
  arguments: [argument('<id>', 'Id of the old key, as `npx svc-memory keys list` shows it')],
  options: [
    option('--overlap <duration>', 'How long the old key still works, such as 0h or 7d').default('24h'),
    tenantOption(),
  ],
  examples: ['npx svc-memory keys rotate <id>', 'npx svc-memory keys rotate <id> --overlap 0h'],
  run: rotateKey,
});

const revoke = defineCommand({
  name: 'revoke',
  description: 'End an API key at once',
  arguments: [argument('<id>', 'Id of the key, as `npx svc-memory keys list` shows it')],
  options: [tenantOption()],
  run: revokeKey,
});

export default {
  name: 'keys',
  description: 'List, make, rotate and revoke API keys; also beside the running service',
  examples: [
    'npx svc-memory keys list',
    'npx svc-memory keys create --name laptop',
    'npx svc-memory keys rotate <id>',
    'npx svc-memory keys revoke <id>',
  ],
  commands: [list, create, rotate, revoke],
} satisfies CommandGroup;

interface TenantOption {
  readonly tenant?: string;
}

/** Prints the API keys of a tenant, newest first. */
async function listKeys(
  context: CommandContext,
  { tenant: named, json }: TenantOption & { json?: true },
): Promise<void> {
  const found = await operate(context, ({ perform }) => perform(actions.listKeys, hintOf(context, named)));
  const now = new Date();
  // As the API shows them.
  const shown = found.map((key) => presentApiKey(key, now));
  const head = ['ID', 'NAME', 'ENDS IN', 'SCOPE', 'USER', 'STATE', 'CREATED', 'LAST USED'];
  context.terminal.out(json ? JSON.stringify(shown, null, 2) : columns([head, ...found.map(toRow)]));
}

function toRow(key: actions.ShownKey): string[] {
  return [
    key.id,
    key.name,
    `…${key.lastFour ?? ''}`,
    key.scope,
    key.userId ?? '',
    stateOf(key),
    day(key.createdAt),
    key.lastUsedAt ? day(key.lastUsedAt) : 'never',
  ];
}

function stateOf({ revokedAt, expiresAt }: actions.ShownKey): string {
  if (revokedAt) return `revoked ${day(revokedAt)}`;
  if (!expiresAt) return 'active';
  return expiresAt <= new Date() ? `expired ${day(expiresAt)}` : `active until ${day(expiresAt)}`;
}

function day(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

interface NewKey extends TenantOption {
  readonly name: string;
  readonly scope: KeyScope;
  /** Lifetime such as `90d`. */
  readonly expires?: string;
  /** The user to bind the key to. */
  readonly user?: string;
  /** Display name of a tenant to make for the key. */
  readonly newTenant?: string;
  readonly plan?: Plan;
}

/** Makes an API key and prints it, alone on stdout, this once. */
async function createKey(context: CommandContext, options: NewKey): Promise<void> {
  checkTenantOptions(options);
  const expiresAt = options.expires === undefined ? undefined : expiry(options.expires);
  const { scope, plan = 'standard' } = options;
  const newTenant =
    options.newTenant === undefined
      ? undefined
      : readField('--new-tenant', fields.displayName)(options.newTenant);
  const name = readField('--name', fields.key)(options.name);
  const userId = options.user === undefined ? undefined : readField('--user', fields.userId)(options.user);
  const hint = hintOf(context, options.tenant);
  const make = async (operator: Operator) => {
    const request = { ...hint, name, scope, newTenant, plan, expiresAt, userId };
    const made = await operator.perform(actions.createKey, request);
    const unwritten = await showNewKey(context, made);
    if (!unwritten) return;
    throw await takeBack(operator, made, unwritten, '. Mend that, then make another.');
  };
  // The first tenant may come before the first start of the service.
  return operate(context, make, { makesDatabase: newTenant !== undefined });
}

function checkTenantOptions({ tenant, newTenant, plan }: NewKey): void {
  if (tenant !== undefined && newTenant !== undefined) {
    throw new CliError('--tenant and --new-tenant exclude each other.', { exitCode: EXIT.usage });
  }
  if (plan !== undefined && newTenant === undefined) {
    throw new CliError('--plan is of a new tenant: give --new-tenant too.', { exitCode: EXIT.usage });
  }
}

/** Answers why a key could not be printed; undefined once it is. */
async function showNewKey(
  { terminal }: CommandContext,
  { tenant, key }: actions.MadeKey,
): Promise<string | undefined> {
  const { name, scope, userId, secret } = key;
  const bound = userId === null ? '' : `, bound to user ${JSON.stringify(userId)},`;
  terminal.err(
    `API key "${name}" (${scope})${bound} of ${tenant.displayName} (${tenant.id}), shown this once:`,
  );
  terminal.out(secret);
  const error = await terminal.written();
  return error && whyUnwritten(error);
}

/**
 * Revokes a key that nobody has, since it could not be printed.
 *
 * @param advice Ends the sentence that says so.
 * @returns the error that tells of it.
 */
async function takeBack(
  { perform }: Operator,
  { tenant, key }: actions.MadeKey,
  unwritten: string,
  advice: string,
): Promise<CliError> {
  await perform(actions.revokeKey, { tenant: tenant.id, id: key.id });
  return new CliError(`API key "${key.name}" (${key.id}) could not be printed: ${unwritten}.`, {
    fix: `It is revoked again, as nobody has it${advice}`,
  });
}

interface Rotation extends TenantOption {
  /** How long the old key still works. */
  readonly overlap: string;
}

/** Makes a key in place of another and prints it, alone on stdout, this once. */
async function rotateKey(context: CommandContext, id: string, options: Rotation): Promise<void> {
  const overlapHours = readDuration('--overlap', options.overlap) / HOUR_MS;
  const hint = hintOf(context, options.tenant);
  const { dataDir } = loadConfig(context.env);
  const saved = savedCredentials(dataDir);
  return operate(context, async (operator) => {
    const request = { ...hint, id, overlapHours, savedKey: saved?.apiKey };
    const made = await operator.perform(actions.rotateKey, request);
    // Shown first: should the file not be written, the key would be lost.
    const unwritten = await showNewKey(context, made);
    if (saved && made.wasSaved) {
      writeCredentials(dataDir, { ...saved, apiKey: made.key.secret });
      context.terminal.err(`${credentialsPath(dataDir)} holds it now.`);
      return;
    }
    if (!unwritten) return;
    const advice = `, and the old one (${id}) ends as you said. Make another: npx svc-memory keys create`;
    throw await takeBack(operator, made, unwritten, advice);
  });
}

function expiry(text: string): Date {
  const lifetime = readDuration('--expires', text);
  if (lifetime === 0) throw noDuration('--expires', text);
  return new Date(Date.now() + lifetime);
}

/** Milliseconds. */
function readDuration(flag: string, text: string): number {
  const read = duration.safeParse(text);
  if (!read.success) throw noDuration(flag, text);
  return read.data;
}

function noDuration(flag: string, text: string): CliError {
  return new CliError(
    `${flag} must be a duration such as 24h or 90d, at most 36500d, not ${JSON.stringify(text)}.`,
    {
      exitCode: EXIT.usage,
    },
  );
}

/** Ends an API key at once. */
async function revokeKey(
  context: CommandContext,
  id: string,
  { tenant: named }: TenantOption,
): Promise<void> {
  const key = await operate(context, ({ perform }) =>
    perform(actions.revokeKey, { ...hintOf(context, named), id }),
  );
  context.terminal.out(`Revoked API key "${key.name}" (${key.id}).`);
}
