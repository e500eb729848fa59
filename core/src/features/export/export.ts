import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import type { ExportFormat, exportRoutes } from './contract.ts';
import { exportPages, type Page } from './pages.ts';
import type { Moments } from './snapshot.ts';
import { writeJson } from './write-json.ts';
import { writeMarkdown } from './write-markdown.ts';

/** Characters of text an export held in memory may take; streams have no bound. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const MOST_RECORDS = 100_000;

/**
 * Everything an agent remembers as one document in memory, oldest first within its type.
 *
 * @throws SvcError `PAYLOAD_TOO_LARGE` where it is too long to be held; `streamExport` has no bound.
 */
export const exportMemories: Operation<typeof exportRoutes.export> = async (
  context,
  { format, as_of: asOf, known_at: knownAt },
) => {
  if (format !== 'json') {
    throw new SvcError('VALIDATION_ERROR', 'format: markdown is a stream: GET /export, or svc export.', {
      details: [{ path: 'format', message: 'must be json here' }],
    });
  }
  const document: OutputOf<typeof exportRoutes.export>['export'] = {
    version: '1',
    exported_at: context.now.toISOString(),
    tenant_id: context.tenantId,
    memories: { core: [], working: [], episodic: [], semantic: [] },
    archived: [],
    history: [],
  };
  await begin(context, format);
  const size = { characters: 0, records: 0 };
  for await (const page of exportPages(context, { asOf, knownAt })) {
    context.options.signal?.throwIfAborted();
    size.records += page.records.length;
    for (const { content } of page.records) size.characters += content.length;
    if (size.characters > MOST_CHARACTERS || size.records > MOST_RECORDS) {
      throw new SvcError(
        'PAYLOAD_TOO_LARGE',
        'There is too much to hold at once. Use svc export or GET /export.',
      );
    }
    if (page.section === 'history') document.history.push(...page.records);
    else if (page.section === 'archived') document.archived.push(...page.records);
    else document.memories[page.section].push(...page.records);
  }
  const { core, working, episodic, semantic } = document.memories;
  await finish(context, core.length + working.length + episodic.length + semantic.length);
  return { export: document };
};

/** The same as a stream of text, a page of it in memory at a time. Nothing is counted before its end. */
export async function* streamExport(
  context: Context,
  format: ExportFormat,
  moments: Moments,
): AsyncGenerator<string> {
  await begin(context, format);
  let exported = 0;
  const counted = (async function* (): AsyncGenerator<Page> {
    for await (const page of exportPages(context, moments)) {
      context.options.signal?.throwIfAborted();
      if (page.section !== 'history' && page.section !== 'archived') exported += page.records.length;
      yield page;
    }
  })();
  const head = { exportedAt: context.now, tenantId: context.tenantId };
  yield* format === 'json' ? writeJson(head, counted) : writeMarkdown(head, counted);
  await finish(context, exported);
}

/** Stands in the audit log before the first memory goes out: one that is cut off has shown some, too. */
function begin(context: Context, format: ExportFormat): Promise<void> {
  return context.write((tx) => context.audit(tx, 'memories.exported', { format }), { units: 0 });
}

/** Tells that a full export was made. */
function finish(context: Context, exported: number): Promise<void> {
  return context.write((tx) => context.emit(tx, 'memory.exported', { memories: exported }));
}
