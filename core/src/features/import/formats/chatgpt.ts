import { z } from 'zod';
import { invalid } from '../../../kernel/contract/errors.ts';
import { firstCharacters } from '../../../text/truncate.ts';
import { type ImportEntry, memoryEntry, problem, skipped, turnEntry } from '../draft.ts';
import type { SourceFile } from '../read/source-file.ts';
import { recordFormat } from './format.ts';
import { moment, optionalText, unreadableTimes } from './values.ts';

const message = z.object({
  id: optionalText,
  author: z.object({ role: z.string() }),
  create_time: moment,
  recipient: optionalText,
  content: z
    .object({
      content_type: z.string().default('text'),
      parts: z.array(z.unknown()).nullish(),
      text: optionalText,
    })
    .nullish(),
  metadata: z.object({ is_visually_hidden_from_conversation: z.boolean().nullish() }).nullish(),
});
// What was said in voice mode stands in the part of its recording.
const part = z.union([
  z.string(),
  z
    .object({ content_type: z.literal('audio_transcription'), text: z.string() })
    .transform(({ text }) => text),
]);
const node = z.object({
  message: z.unknown().optional(),
  parent: optionalText,
  children: z.array(z.string()).nullish(),
});
const conversation = z.object({
  id: optionalText,
  conversation_id: optionalText,
  create_time: moment,
  current_node: optionalText,
  mapping: z.record(z.string(), node),
});

const feedback = z.object({ conversation_id: z.string(), rating: z.string() });

/** To whom the assistant speaks when it does not call a tool, and when it notes something about its user. */
const [EVERYONE, OWN_MEMORY] = ['all', 'bio'];
const WITH_TEXT = ['text', 'multimodal_text', 'code'];

/**
 * ChatGPT data export: `conversations.json`, a list of `{"id", "title", "create_time", "current_node", "mapping": {id:
 * {"message": {"author": {"role"}, "recipient", "content": {"content_type", "parts"}, "create_time"}, "parent",
 * "children"}}}`. Of each conversation the branch that was shown last is kept, from `current_node` up. Beside it lies
 * `message_feedback.json`, which says of messages whether they were liked. Taken from
 * https://github.com/mitkury/chatgpt-export-parser/blob/main/docs/chatgpt-data-export-format.md
 */
export const chatgpt = recordFormat({
  name: 'chatgpt',
  title: 'ChatGPT export',
  fields: [
    { from: 'messages of user and assistant on the last branch', to: 'content (episodic)' },
    { from: 'message id', to: 'origin' },
    { from: 'messages to "bio", what ChatGPT noted of its user', to: 'content (semantic)' },
    { from: 'message create_time, else that of the message before it', to: 'occurred_at' },
    { from: 'conversation id', to: 'session_id' },
    { from: 'titles, system and tool messages, tool calls, hidden ones, images', to: '(left out)' },
  ],
  marks: [
    ['$[].mapping', '$[].current_node'],
    ['$[].mapping', '$[].create_time'],
    ['$.mapping', '$.current_node'],
    ['$[].mapping', '$[].title'],
    ['$[].conversation_id', '$[].rating'],
  ],
  records: ['$.*', '$'],
  *toEntries({ value }, file) {
    const parsed = conversation.safeParse(value);
    if (!parsed.success && feedback.safeParse(value).success) {
      yield skipped('feedback on messages');
      return;
    }
    if (!parsed.success) {
      yield problem('is no conversation of ChatGPT: it has no mapping of messages');
      return;
    }
    const { mapping, current_node, create_time } = parsed.data;
    const sessionId = parsed.data.conversation_id ?? parsed.data.id;
    let before = create_time;
    for (const id of branch(mapping, current_node, file)) {
      const said = mapping[id]?.message;
      yield toEntry(id, said, sessionId, before);
      before = message.safeParse(said).data?.create_time ?? before;
    }
  },
});

type Mapping = z.output<typeof conversation>['mapping'];

/**
 * The branch that ends at a message, oldest first. Without an end, the one whose messages came last.
 *
 * @throws SvcError `VALIDATION_ERROR` where messages answer each other in a circle.
 */
function branch(mapping: Mapping, last: string | undefined, file: SourceFile): string[] {
  const leaf = last !== undefined && Object.hasOwn(mapping, last) ? last : lastLeaf(mapping);
  const ids = new Set<string>();
  for (let id = leaf; id !== undefined && Object.hasOwn(mapping, id); id = mapping[id]?.parent) {
    if (ids.has(id))
      throw invalid(file.path, `the message ${JSON.stringify(firstCharacters(id, 60))} answers itself`);
    ids.add(id);
  }
  return [...ids].reverse();
}

function lastLeaf(mapping: Mapping): string | undefined {
  return Object.entries(mapping).findLast(([, { children }]) => (children ?? []).length === 0)?.[0];
}

function toEntry(
  id: string,
  value: unknown,
  sessionId: string | undefined,
  before: Date | undefined,
): ImportEntry {
  if (value === null || value === undefined) return skipped('empty');
  const parsed = message.safeParse(value);
  if (!parsed.success) return problem('is no message of ChatGPT: it has no author');
  const { author, content, create_time, metadata, recipient = EVERYONE } = parsed.data;
  if (author.role !== 'user' && author.role !== 'assistant') return skipped('system and tool messages');
  if (recipient !== EVERYONE && recipient !== OWN_MEMORY) return skipped('tool calls');
  if (metadata?.is_visually_hidden_from_conversation) return skipped('hidden messages');
  if (content && !WITH_TEXT.includes(content.content_type)) return skipped('messages without text');
  const parts = (content?.parts ?? []).flatMap((one) => part.safeParse(one).data ?? []);
  const text = parts.filter((one) => one.trim() !== '').join('\n\n') || (content?.text ?? '');
  const origin = parsed.data.id ?? id;
  const at = create_time ?? before;
  const unreadable = unreadableTimes(value, ['create_time']);
  if (recipient === OWN_MEMORY) {
    const tags = ['chatgpt-memory'];
    return memoryEntry({
      origin,
      type: 'semantic',
      content: text,
      tags,
      occurredAt: at,
      sessionId,
      unreadable,
    });
  }
  return turnEntry({ origin, role: author.role, content: text, at, sessionId, unreadable });
}
