import { randomUUID } from 'node:crypto';
import type { FormatName, IncomingFile, Output } from '@svc-memory/core';
import { EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { counted } from './counted.ts';
import { followJob } from './follow-job.ts';
import { filesOf, type SourceOptions } from './import-sources.ts';
import { callRaw } from './raw-call.ts';
import { type Reached, reach } from './reach.ts';
import { columns } from './terminal.ts';

type Preview = Output<'import'>['preview'];
type Job = Output<'job'>['job'];

interface ImportCommand extends SourceOptions {
  readonly format?: FormatName;
  readonly dryRun?: boolean;
}

/** Imports memories from a file, a folder, a Git repository or a bucket, and waits for the end. */
export async function importMemories(
  context: CommandContext,
  source: string,
  options: ImportCommand,
): Promise<number> {
  const { terminal } = context;
  const { ref, path } = options;
  const place = { ...(ref === undefined ? {} : { ref }), ...(path === undefined ? {} : { path }) };
  const files = await filesOf(context, source, place);
  return reach(context, async (reached) => {
    const { preview, job } = await send(reached, files, options);
    terminal.err(describe(preview));
    if (!job) return EXIT.ok;
    const { memory } = reached;
    const work = reached.kind === 'engine' ? () => reached.engine.background.run('jobs.work') : undefined;
    const done = await followJob(terminal, memory, { id: job.id, title: 'Importing', ...(work && { work }) });
    terminal.out(outcomeOf(done));
    for (const { item, message } of done.errors) terminal.err(`${item}: ${message}`);
    if (done.status === 'done') return EXIT.ok;
    terminal.err(done.error?.message ?? `The import was ${done.status}.`);
    return EXIT.failure;
  });
}

async function send(
  reached: Reached,
  files: AsyncIterable<IncomingFile>,
  { format, dryRun = false }: ImportCommand,
): Promise<Output<'import'>> {
  if (reached.kind === 'engine') {
    return reached.engine.streams(reached.tenantId).import(files, { format, dryRun });
  }
  const boundary = `svc-${randomUUID()}`;
  const query = new URLSearchParams({ dry_run: `${dryRun}`, ...(format ? { format } : {}) });
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
    ...skipped.map(({ reason, count }) => `Left out: ${count} × ${reason}`),
    ...errors.map(({ path, item, message }) => `${path} #${item}: ${message}`),
  ].join('\n');
}

function outcomeOf({ result, errors_count }: Job): string {
  const numbers = Object.entries(result ?? {}).filter(
    ([, number]) => typeof number === 'number' && number > 0,
  );
  const told = numbers.map(([name, number]) => `${String(number)} ${name}`).join(', ');
  return `Imported: ${told || 'nothing new'}${errors_count > 0 ? `, ${errors_count} failed` : ''}.`;
}
