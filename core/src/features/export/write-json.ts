import { escapeUnseen } from '../../text/unseen.ts';
import { type ExportSection, type Page, SECTIONS } from './pages.ts';

export interface ExportHead {
  readonly exportedAt: Date;
  readonly tenantId: string;
  /** The user whose memories they are; undefined for the agent's own. */
  readonly userId: string | undefined;
}

/** The head as the document has it, in any format. */
export function headFields({ exportedAt, tenantId, userId }: ExportHead) {
  return {
    version: '1' as const,
    exported_at: exportedAt.toISOString(),
    tenant_id: tenantId,
    // By it an import knows that these are not the agent's own.
    ...(userId !== undefined && { user_id: userId }),
  };
}

/** What is one user's, behind what is the agent's own. */
interface UserPages {
  readonly userId: string;
  readonly pages: AsyncIterable<Page>;
}

/** Writes the export document as JSON, one record a line, never more than a page of it at once. */
export async function* writeJson(
  head: ExportHead,
  pages: AsyncIterable<Page>,
  users?: readonly UserPages[],
): AsyncGenerator<string> {
  yield* writePart(headFields(head), pages);
  if (users) {
    yield ',"users":[';
    let separator = '\n';
    for (const { userId, pages: own } of users) {
      yield separator;
      yield* writePart({ user_id: userId }, own);
      yield '}';
      separator = ',\n';
    }
    yield ']';
  }
  yield '}';
}

/** Writes an object with these fields and the sections, but for its last brace. */
async function* writePart(fields: object, pages: AsyncIterable<Page>): AsyncGenerator<string> {
  yield `${JSON.stringify(fields).slice(0, -1)},"memories":{`;
  let open: ExportSection | undefined;
  let first = true;
  for await (const { section, records } of pages) {
    let text = '';
    if (section !== open) {
      text += between(open, section);
      open = section;
      first = true;
    }
    for (const record of records) {
      text += `${first ? '\n' : ',\n'}${escapeUnseen(JSON.stringify(record))}`;
      first = false;
    }
    yield text;
  }
  yield ']';
}

function between(before: ExportSection | undefined, section: ExportSection): string {
  const end = before === undefined ? '' : section === SECTIONS[4] ? ']},' : '],';
  return `${end}${JSON.stringify(section)}:[`;
}
