import { randomUUID } from 'node:crypto';
import { FORMAT_NAMES, type FormatName, type IncomingFile, type Output } from '@svc-memory/core';
import { fields } from '@svc-memory/core/contract';
import { EXIT } from '../../../control/cli-error.ts';
import { callRaw } from '../../access/raw-call.ts';
import { type Reached, reach } from '../../access/reach.ts';
import { argument, type CommandContext, defineCommand, option } from '../../console/command.ts';
import { followJob } from '../../console/follow-job.ts';
import { readField } from '../../console/read-field.ts';
import { columns, counted } from '../../console/terminal.ts';
import { filesOf, type SourceOptions } from './sources.ts';

type Preview = Output<'import'>['preview'];
type Job = Output<'job'>['job'];

interface ImportCommand extends SourceOptions {
  readonly format?: FormatName;
  readonly dryRun?: boolean;
  readonly user?: string;
}

export default defineCommand({
  name: 'import',
  description: 'Take memories in: Markdown, text, JSON, zip, and exports of other services',
  arguments: [argument('<source>', 'File, folder, https://… of a Git repository, or s3://bucket/prefix')],
  options: [
    option('--format <format>', 'Format; default: told from each file').choices(FORMAT_NAMES),
    option('--user <id>', 'User whose memories they become; default: the agent’s own').argParser(
      readField('--user', fields.userId),
    ),
    option('--dry-run', 'Only show what would be imported'),
    option('--ref <name>', 'Branch or tag of a Git repository'),
    option('--path <path>', 'File or folder in a Git repository'),
  ],
  examples: [
    'npx svc-memory import memories.json --dry-run',
    'npx svc-memory import chatgpt-export.zip',
    'npx svc-memory import u1.json --user u1',
    'npx svc-memory import https://github.com/owner/notes --path memory',
    'AWS_ACCESS_KEY_ID=… AWS_SECRET_ACCESS_KEY=… AWS_REGION=eu-central-1 npx svc-memory import s3://bucket/notes/',
  ],
  run: importFrom,
});

/** Imports memories from a file, a folder, a Git repository or a bucket, and waits for the end. */
async function importFrom(
  context: CommandContext,
  source: string,
  options: ImportCommand,
): Promise<number | undefined> {
  const { terminal } = context;
  const { ref, path } = options;
  const files = await filesOf(context, source, { ref, path });
  return reach(context, async (reached) => {
    const { preview, job } = await send(reached, files, options);
    terminal.err(describe(preview));
    if (!job) return undefined;
    const done = await finish(terminal, reached, { id: job.id, user: options.user });
    const { told, failed } = outcomeOf(done);
    terminal.out(told);
    for (const { item, message } of done.errors) terminal.err(`${item}: ${message}`);
    if (done.status !== 'done') terminal.err(done.error?.message ?? `The import was ${done.status}.`);
    return done.status === 'done' && failed === 0 ? EXIT.ok : EXIT.failure;
  });
}

/** Waits for the end of an import, and does it where no service runs to do it. */
function finish(
  terminal: CommandContext['terminal'],
  { memory, work }: Reached,
  { id, user }: { id: string; user: string | undefined },
): Promise<Job> {
  // The job is of whom its memories are.
  const job = (input: { id: string }) => memory.job({ ...input, user_id: user });
  return followJob(terminal, { job }, { id, title: 'Importing', work });
}

async function send(
  reached: Reached,
  files: AsyncIterable<IncomingFile>,
  { format, dryRun = false, user }: ImportCommand,
): Promise<Output<'import'>> {
  if (reached.kind === 'engine') {
    return reached.engine.streams(reached.tenantId).import(files, { format, dryRun, userId: user });
  }
  const boundary = `svc-${randomUUID()}`;
  const query = new URLSearchParams({
    dry_run: `${dryRun}`,
    ...(format ? { format } : {}),
    ...(user === undefined ? {} : { user_id: user }),
  });
  const response = await callRaw(reached.credentials, {
    method: 'POST',
    path: `/import?${query}`,
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: formOf(files, boundary),
  });
  return (await response.json()) as Output<'import'>;
}

async function* formOf(files: AsyncIterable<IncomingFile>, boundary: string): AsyncGenerator<Uint8Array> {
  for await (const { path, bytes } of files) {
    // As the form encoding of browsers does: https://html.spec.whatwg.org/#multipart-form-data
    const name = path.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
    yield Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\n\r\n`,
    );
    yield* bytes;
    yield Buffer.from('\r\n');
  }
  yield Buffer.from(`--${boundary}--\r\n`);
}

/** What was found, and where it goes. */
function describe({ format, counts, mapping, skipped, errors, restores }: Preview): string {
  const kinds = (['core', 'working', 'episodic', 'semantic'] as const)
    .filter((type) => counts[type] > 0)
    .map((type) => `${counts[type]} ${type}`);
  const titles = mapping.map(({ title }) => title).join(', ');
  return [
    `${counted(counts.memories, 'memory', 'memories')} in ${counted(counts.files, 'file')} (${titles || format}): ${kinds.join(', ') || 'none'}`,
    ...(restores ? ['They come back with their ids, times, versions and history.'] : []),
    ...mapping.map(({ fields }) => columns(fields.map(({ from, to }) => [`  ${from}`, `→ ${to}`]))),
    ...skipped.map((one) => `Left out: ${one.count} × ${one.reason}${namesOf(one)}`),
    ...errors.map(({ path, item, message }) => `${path} #${item}: ${message}`),
  ].join('\n');
}

/** Which these are: the first, and how many others. They are foreign text, so they stand in quotation marks. */
function namesOf({ count, names = [] }: Preview['skipped'][number]): string {
  // An older service, somewhere else, names none.
  if (names.length === 0) return '';
  const shown = names.map(({ name, count }) => JSON.stringify(name) + (count > 1 ? ` (${count} ×)` : ''));
  const more = names.reduce((rest, one) => rest - one.count, count);
  return `: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What became of an import, and how many records failed: a memory that came in without a field did not. */
function outcomeOf({ result, errors_count }: Job): { told: string; failed: number } {
  const { fields_left_out, ...numbers } = result ?? {};
  const fields = typeof fields_left_out === 'number' ? fields_left_out : 0;
  const failed = errors_count - fields;
  const told = Object.entries(numbers)
    .filter(([, number]) => typeof number === 'number' && number > 0)
    .map(([name, number]) => `${String(number)} ${name}`);
  const parts = [told.join(', ') || 'nothing new', ...(failed > 0 ? [`${failed} failed`] : [])];
  const without =
    fields > 0 ? `; ${counted(fields, 'field was', 'fields were')} left out of memories that came in` : '';
  return { told: `Imported: ${parts.join(', ')}${without}.`, failed };
}
