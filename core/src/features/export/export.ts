import type { Context, Operation } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import type { OutputOf, ParsedOf } from '../../kernel/contract/route.ts';
import { noSpace } from '../../kernel/tenancy/space-rights.ts';
import type { ExportFormat, exportRoutes } from './contract.ts';
import { writeMarkdown } from './markdown.ts';
import { exportPages, type Page } from './pages.ts';
import type { Moments } from './snapshot.ts';
import { type ExportHead, headFields, writeJson } from './write-json.ts';

/** Characters of text an export held in memory may take; streams have no bound. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
const MOST_RECORDS = 100_000;

/**
 * Everything an agent remembers as one document in memory, oldest first within its type.
 *
 * @throws SvcError `PAYLOAD_TOO_LARGE` where it is too long to be held; `streamExport` has no bound.
 */
export const exportMemories: Operation<typeof exportRoutes.export> = (context, input) =>
  holdExport(context, input);

/**
 * The same, with what is each user's behind what is the agent's own: each part shows one moment of its own.
 *
 * @param users A context for each of them.
 * @throws likewise.
 */
export async function holdExport(
  context: Context,
  { format, as_of: asOf, known_at: knownAt }: ParsedOf<typeof exportRoutes.export>,
  users?: readonly Context[],
): Promise<OutputOf<typeof exportRoutes.export>> {
  if (format !== 'json') {
    throw new SvcError(
      'VALIDATION_ERROR',
      'format: markdown is a stream: GET /export, or npx svc-memory export.',
      {
        details: [{ path: 'format', message: 'must be json here' }],
      },
    );
  }
  const moments = { asOf, knownAt };
  const size = { characters: 0, records: 0 };
  const own = await holdPart(context, moments, size);
  const document: Document = { ...headFields(headOf(context)), ...own };
  if (!users) return { export: document };
  const parts: NonNullable<Document['users']> = [];
  for (const user of users) {
    parts.push({ user_id: user.user?.id ?? '', ...(await holdPart(user, moments, size)) });
  }
  return { export: { ...document, users: parts } };
}

type Document = OutputOf<typeof exportRoutes.export>['export'];

function headOf({ now, tenantId, user }: Context): ExportHead {
  return { exportedAt: now, tenantId, userId: user?.id };
}

/** @param size What is held already; grows. */
async function holdPart(
  context: Context,
  moments: Moments,
  size: { characters: number; records: number },
): Promise<Pick<Document, 'memories' | 'archived' | 'history'>> {
  const part: Pick<Document, 'memories' | 'archived' | 'history'> = {
    memories: { core: [], working: [], episodic: [], semantic: [] },
    archived: [],
    history: [],
  };
  for await (const { section, records } of pagesToTell(context, 'json', moments)) {
    size.records += records.length;
    for (const { content } of records) size.characters += content.length;
    if (size.characters > MOST_CHARACTERS || size.records > MOST_RECORDS) {
      throw new SvcError(
        'PAYLOAD_TOO_LARGE',
        'There is too much to hold at once. Use npx svc-memory export or GET /export.',
      );
    }
    if (section === 'history') part.history.push(...records);
    else if (section === 'archived') part.archived.push(...records);
    else part.memories[section].push(...records);
  }
  return part;
}

/**
 * The same as a stream of text, a page of it in memory at a time.
 *
 * @param users A context for each user whose part stands behind the agent's; as JSON only.
 */
export async function* streamExport(
  context: Context,
  format: ExportFormat,
  moments: Moments,
  users?: readonly Context[],
): AsyncGenerator<string> {
  const head = headOf(context);
  const pages = pagesToTell(context, format, moments);
  if (format === 'markdown') {
    if (users) throw invalid('format', 'must be json where all users are exported');
    return yield* writeMarkdown(head, pages);
  }
  const parts = users?.map((user) => ({
    userId: user.user?.id ?? '',
    pages: pagesToTell(user, format, moments),
  }));
  yield* writeJson(head, pages, parts);
}

/**
 * The pages of one export. It is in the audit log before the first of them, and told as made, and counted, after the last. A slow
 * reader takes hours, so each page of a space is for those alone who may read it still.
 */
async function* pagesToTell(context: Context, format: ExportFormat, moments: Moments): AsyncGenerator<Page> {
  await begin(context, format);
  let exported = 0;
  for await (const page of exportPages(context, moments)) {
    context.options.signal?.throwIfAborted();
    await requireSpace(context);
    if (page.section !== 'history' && page.section !== 'archived') exported += page.records.length;
    yield page;
  }
  await finish(context, exported);
}

/** @throws SvcError `NOT_FOUND` where the caller may not read the space any more, or it was deleted. */
async function requireSpace({ space, spaces, agentId, actor }: Context): Promise<void> {
  if (space && !(await spaces.find(agentId, actor, space.id))) throw noSpace();
}

/** Stands in the audit log before the first memory goes out: one that is cut off has shown some, too. */
function begin(context: Context, format: ExportFormat): Promise<void> {
  return context.write((tx) => context.audit(tx, 'memories.exported', { format }), { units: 0 });
}

/** Tells that a full export was made. */
function finish(context: Context, exported: number): Promise<void> {
  return context.write((tx) => context.emit(tx, 'memory.exported', { memories: exported }));
}
