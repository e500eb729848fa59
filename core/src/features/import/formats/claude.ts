import { z } from 'zod';
import { type ImportEntry, memoryEntry, problem, skipped, turnEntry } from '../draft.ts';
import { recordFormat } from './format.ts';
import { moment, optionalText, unreadableTimes } from './values.ts';

const message = z.object({
  uuid: optionalText,
  sender: z.string(),
  text: optionalText,
  content: z.array(z.unknown()).nullish(),
  attachments: z.array(z.unknown()).nullish(),
  files: z.array(z.unknown()).nullish(),
  created_at: moment,
});
const part = z.object({ type: z.literal('text'), text: z.string() });
const conversation = z.object({ uuid: optionalText, chat_messages: z.array(z.unknown()) });
const link = z.object({ uuid: z.string(), parent_message_uuid: z.string().nullable() });
/** What the first message of a conversation names as its parent. */
const BEGINNING = '00000000-0000-4000-8000-000000000000';
const memories = z.object({
  conversations_memory: optionalText,
  project_memories: z.record(z.string(), z.unknown()).nullish(),
});
const project = z.object({
  uuid: z.string(),
  name: z.string(),
  description: optionalText,
  prompt_template: optionalText,
  docs: z
    .array(
      z.object({ uuid: optionalText, filename: optionalText, content: optionalText, created_at: moment }),
    )
    .nullish(),
  created_at: moment,
});

/**
 * Claude data export: `conversations.json` (a list of `{"uuid", "name", "chat_messages": [{"uuid", "sender": "human" or
 * "assistant", "text", "content": [{"type": "text", "text"}], "created_at", "parent_message_uuid"}]}`, of which the branch with
 * the last message is kept), `memories.json`
 * (`[{"conversations_memory", "project_memories": {uuid: text}, "account_uuid"}]`) and `projects.json` (`[{"uuid",
 * "name", "description", "prompt_template", "docs": [{"uuid", "filename", "content"}]}]`). Taken from
 * https://github.com/Sinity/polylogue/blob/master/docs/providers/claude-ai.md and public readers of such exports.
 */
export const claude = recordFormat({
  name: 'claude',
  title: 'Claude export',
  fields: [
    { from: 'chat_messages[] text', to: 'content (episodic)' },
    { from: 'conversations_memory, project_memories', to: 'content (semantic)' },
    { from: 'project description, prompt_template, docs', to: 'content (semantic)' },
    { from: 'uuid', to: 'origin' },
    { from: 'created_at', to: 'occurred_at' },
    { from: 'conversation uuid', to: 'session_id' },
    {
      from: 'messages on other branches than the last, name and summary of a conversation, thinking, tool use, files',
      to: '(left out)',
    },
  ],
  marks: [
    ['$[].chat_messages'],
    ['$.chat_messages', '$.uuid'],
    ['$[].conversations_memory'],
    ['$.conversations_memory'],
    ['$[].prompt_template', '$[].docs'],
    ['$.prompt_template', '$.docs'],
    ['$[].uuid', '$[].name', '$[].docs'],
  ],
  records: ['$.*', '$'],
  *toEntries({ value }) {
    const chat = conversation.safeParse(value);
    if (chat.success) {
      const { uuid, chat_messages } = chat.data;
      const branch = lastBranch(chat_messages);
      for (const one of chat_messages) {
        const isShown = !branch || branch.has(link.parse(one).uuid);
        yield isShown ? messageEntry(one, uuid) : skipped('messages on other branches');
      }
      return;
    }
    const known = project.safeParse(value);
    if (known.success) {
      yield* projectEntries(known.data);
      return;
    }
    const remembered = memories.safeParse(value);
    if (remembered.success && isMemories(remembered.data)) yield* memoryEntries(remembered.data);
    else yield problem('is no conversation, project or memory of Claude');
  },
});

/**
 * The messages from the beginning to the last one, each the answer to the one before: what was asked or answered anew is on a
 * branch of its own. undefined where the messages do not tell it, as in older exports.
 */
function lastBranch(messages: readonly unknown[]): ReadonlySet<string> | undefined {
  const parents = new Map<string, string>();
  let id = BEGINNING;
  for (const one of messages) {
    const found = link.safeParse(one).data;
    if (!found) return undefined;
    id = found.uuid;
    parents.set(id, found.parent_message_uuid ?? BEGINNING);
  }
  const branch = new Set<string>();
  while (id !== BEGINNING) {
    const parent = parents.get(id);
    if (parent === undefined || branch.has(id)) return undefined;
    branch.add(id);
    id = parent;
  }
  return branch;
}

function messageEntry(value: unknown, sessionId: string | undefined): ImportEntry {
  const parsed = message.safeParse(value);
  if (!parsed.success) return problem('is no message of Claude: it has no sender');
  const { uuid, sender, text, content, attachments, files, created_at } = parsed.data;
  const parts = (content ?? []).flatMap((one) => part.safeParse(one).data?.text ?? []);
  const said = parts.filter((one) => one.trim() !== '').join('\n\n') || (text ?? '');
  if (said.trim() === '' && [...(attachments ?? []), ...(files ?? [])].length > 0) {
    return skipped('messages that are only files');
  }
  return turnEntry({
    origin: uuid,
    role: sender === 'human' ? 'user' : sender,
    content: said,
    at: created_at,
    sessionId,
    unreadable: unreadableTimes(value, ['created_at']),
  });
}

function* projectEntries(known: z.output<typeof project>): Iterable<ImportEntry> {
  const { uuid, name, description, prompt_template, docs, created_at } = known;
  const about = [description, prompt_template].filter((text) => text !== undefined && text.trim() !== '');
  if (about.length > 0) {
    yield memoryEntry({
      origin: `project ${uuid}`,
      type: 'semantic',
      content: `Project ${name}: ${about.join('\n\n')}`,
      tags: ['project'],
      occurredAt: created_at,
    });
  }
  for (const doc of docs ?? []) {
    yield memoryEntry({
      origin: doc.uuid,
      type: 'semantic',
      content: doc.content ?? '',
      tags: ['project', ...(doc.filename === undefined ? [] : [doc.filename])],
      occurredAt: doc.created_at ?? created_at,
    });
  }
}

function isMemories({ conversations_memory, project_memories }: z.output<typeof memories>): boolean {
  return conversations_memory !== undefined || Boolean(project_memories);
}

function* memoryEntries(remembered: z.output<typeof memories>): Iterable<ImportEntry> {
  const { conversations_memory = '', project_memories } = remembered;
  yield memoryEntry({ type: 'semantic', content: conversations_memory, tags: ['claude-memory'] });
  for (const text of Object.values(project_memories ?? {})) {
    if (typeof text !== 'string') continue;
    yield memoryEntry({ type: 'semantic', content: text, tags: ['claude-memory', 'project'] });
  }
}
