import { characterCount, type Source } from '../../kernel/contract/fields.ts';
import { quoteEntry, quoteLines, saidBy } from '../../text/quote.ts';
import { cutText } from '../../text/truncate.ts';
import type { Memory } from '../records/contract.ts';
import type { Doubt, Entry } from './section.ts';

const LONGEST_KEY = 80;

/** What an entry says of its memory. */
type About = Pick<Entry, 'fullLength' | 'contentSource' | 'note' | 'former' | 'doubt'>;

/**
 * Renders a memory as lines of an injection: `- [facts] first line`, every further line behind `  > `. Its content is
 * hostile text: whatever it holds, only the first line starts at column 0, and that one with `- [`.
 *
 * @param limits Code units of content that are shown, and whether tokens are dear: a cut then says only how much is missing, and
 *   what the memory superseded is left out.
 */
export function renderMemory(
  memory: Memory,
  { fullLength = 0, contentSource = memory.source.kind, note, former, doubt }: About,
  { truncateAt, brief }: { readonly truncateAt: number; readonly brief: boolean },
): string {
  const shown = cutText(memory.content, truncateAt);
  const hidden = Math.max(fullLength, characterCount(memory.content)) - characterCount(shown);
  const lines = quoteLines(shown);
  if (hidden > 0) {
    const where = brief ? '' : `: svc_recall or GET /memories/${memory.id}`;
    lines.push(`${lines.pop() ?? ''}… [cut, ${hidden} more characters${where}]`);
  }
  if (former !== undefined && !brief) lines.push(before(memory, former));
  if (doubt) lines.push(perhapsOver(doubt));
  return quoteEntry(facts(memory, contentSource, note), lines);
}

/** Since when the memory holds, and what held before. */
function before({ valid_from, occurred_at }: Memory, former: string): string {
  return `(since ${dayOf(valid_from ?? occurred_at)}; before: ${quoteLines(former).join(' ')})`;
}

function dayOf(moment: string): string {
  return moment.slice(0, 10);
}

/** Since when it perhaps holds no longer, and what says otherwise. */
function perhapsOver({ content, since }: Doubt): string {
  return `(may be out of date; since ${dayOf(since.toISOString())}: ${quoteLines(content).join(' ')})`;
}

function facts(
  { type, category, key, occurred_at }: Memory,
  contentSource: Source,
  note: string | undefined,
): string[] {
  const dated = type === 'episodic' ? occurred_at.slice(0, 16).replace('T', ' ') : occurred_at.slice(0, 10);
  const what = type === 'core' ? (category ?? type) : dated;
  // Keys of episodes are made by machines; the others are names to update a memory by.
  const named = key !== null && type !== 'episodic' ? [`key ${visibleKey(key)}`] : [];
  return [what, ...named, saidBy(contentSource) ?? [], note ?? []].flat();
}

/** A key without anything that could end the brackets it stands in. */
function visibleKey(key: string): string {
  const shown = cutText(key, LONGEST_KEY);
  const plain = quoteLines(shown).join(' ');
  return plain.replace(/[[\],]/g, '_') + (shown === key ? '' : '…');
}
