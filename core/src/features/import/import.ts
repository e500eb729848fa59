import { type Context, type Operation, ofAgent } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { OutputOf, ParsedOf } from '../../kernel/contract/route.ts';
import { secretsOf } from '../../secrets/redact.ts';
import { startJob } from '../jobs/start.ts';
import { currentView } from '../visibility/view.ts';
import type { FormatName, GitSource, importRoutes, S3Source } from './contract.ts';
import { isUntouched } from './restore.ts';
import { scan } from './scan.ts';
import { discardUnused, holdFiles, type IncomingFile, openSpool, type Spooled, spool } from './spool.ts';

declare module '../../kernel/context/context.ts' {
  interface Services {
    /** Absent where nothing is fetched over the network: a library, a test. */
    readonly importSources?: ImportSources;
  }
}

/** Fetches the files of an import from elsewhere; throws `SvcError` for what may not be fetched or does not answer. */
export interface ImportSources {
  git(source: GitSource, signal: AbortSignal): AsyncIterable<IncomingFile>;
  s3(source: S3Source, signal: AbortSignal): AsyncIterable<IncomingFile>;
}

interface ImportOptions {
  readonly format?: FormatName | undefined;
  readonly dry_run: boolean;
}

/**
 * Imports memories from the files, repository or bucket named in a call.
 *
 * @throws SvcError `VALIDATION_ERROR` for hostile, damaged or unknown files; `FORBIDDEN` where an agent names a
 *   repository or a bucket; `UNAVAILABLE` where this engine fetches nothing. Nothing is written then.
 */
export const importMemories: Operation<typeof importRoutes.import> = (context, input) =>
  importFiles(context, incomingOf(context, input), input);

/**
 * Imports files as they come in beside the input of the call: an `Idempotency-Key` is for these files alone.
 *
 * @throws SvcError as `importMemories` does.
 */
export function importUploaded(
  context: Context,
  incoming: AsyncIterable<IncomingFile>,
  options: ImportOptions,
): Promise<OutputOf<typeof importRoutes.import>> {
  return importFiles(context, incoming, options, ({ digest }) => digest);
}

/**
 * Keeps files, reads them once from end to end, and only then begins a job that writes.
 *
 * @param identify What tells this import from others beside the input of the call; default: nothing.
 */
async function importFiles(
  context: Context,
  incoming: AsyncIterable<IncomingFile>,
  { format, dry_run }: ImportOptions,
  identify: (upload: Spooled) => string | undefined = () => undefined,
): Promise<OutputOf<typeof importRoutes.import>> {
  const place = jobContext(context);
  const upload = await spool(place, incoming);
  try {
    const { preview, findings, only, isShared } = await scan(await openSpool(place, upload.id), format, {
      secrets: secretsOf(context),
      userId: context.user?.id,
      signal: context.options.signal,
    });
    // Whether the agent has no memories, a human does not see while anything is withheld.
    const { isFull } = await currentView(context);
    const mayRestore = preview.format === 'svc' && isFull && !isShared && !context.space;
    const restores = mayRestore && (await context.read((tx) => isUntouched(tx, context)));
    const shown = { ...preview, restores };
    if (dry_run) return { preview: shown };
    return await context.write(
      async (tx) => {
        await holdFiles(tx, place.tenantId, upload);
        const input = {
          ...{ upload_id: upload.id, format: format ?? null, restores, only },
          space_id: context.space?.id,
        };
        const job = await startJob(tx, place, { kind: 'import', input, total: findings });
        return { outcome: 'queued' as const, job, preview: shown };
      },
      { identifiedBy: identify(upload) },
    );
  } finally {
    // A dry run, a failure, or a repeated call that got the answer of the first.
    await discardUnused(place, upload.id);
  }
}

/** Where the job of an import and its files are: of one into a space with its agent, since they are no business of the others'. */
export function jobContext(context: Context): Context {
  return context.space ? ofAgent(context) : context;
}

function incomingOf(
  context: Context,
  { files, git, s3 }: ParsedOf<typeof importRoutes.import>,
): AsyncIterable<IncomingFile> {
  if (files) return inline(files);
  if (context.actor.source !== 'human') {
    throw new SvcError('FORBIDDEN', 'Only the human imports from Git and S3; send files instead.');
  }
  const { importSources, options } = context;
  if (!importSources)
    throw new SvcError('UNAVAILABLE', 'Nothing is fetched over the network here; send files.');
  const signal = options.signal ?? new AbortController().signal;
  if (git) return importSources.git(git, signal);
  if (s3) return importSources.s3(s3, signal);
  throw new SvcError('VALIDATION_ERROR', 'Give one of files, git and s3.');
}

async function* inline(files: readonly { name: string; content: string }[]): AsyncGenerator<IncomingFile> {
  for (const { name, content } of files) {
    const bytes = (async function* () {
      yield Buffer.from(content);
    })();
    yield { path: name, bytes };
  }
}
