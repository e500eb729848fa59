import { z } from 'zod';
import type { Category } from '../../../kernel/contract/fields.ts';
import { type ImportEntry, memoryEntry, problem, skipped } from '../draft.ts';
import type { JsonRecord } from '../read/json.ts';
import { recordFormat } from './format.ts';
import { turnEntry } from './turn.ts';
import { moment, optionalText } from './values.ts';

const block = z.object({ label: optionalText, value: z.string() });
const part = z.object({ text: z.string() });
const message = z.object({
  agent_id: optionalText,
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  created_at: moment,
});

const CATEGORY_OF_BLOCK: Readonly<Record<string, Category>> = {
  persona: 'identity',
  human: 'relationship',
  user: 'relationship',
};

/**
 * Letta agent file (`.af`): `{"agents": [{"id", "name", "messages": [{"id", "role", "content": [{"type": "text",
 * "text"}], "created_at", …}], …}], "blocks": [{"id", "label", "value", …}], "files", "sources", "tools", …}`. Blocks
 * become core memories; of the messages what user and assistant said is kept. Archival memory is not part of the file,
 * and its ids are numbered anew by every export, so that only texts tell what was imported before.
 * Taken from https://github.com/letta-ai/letta/blob/main/letta/schemas/agent_file.py and the examples in
 * https://github.com/letta-ai/agent-file
 */
export const letta = recordFormat({
  name: 'letta',
  title: 'Letta agent file',
  fields: [
    { from: 'blocks[].value', to: 'content (core)' },
    { from: 'blocks[].label', to: 'category: persona → identity, human → relationship, others → operations' },
    { from: 'agents[].messages[] of user and assistant', to: 'content (episodic)' },
    { from: 'agents[].messages[].created_at', to: 'occurred_at' },
    { from: 'agents[].id', to: 'session_id' },
    { from: 'system and tool messages, files, tools', to: '(left out)' },
  ],
  marks: [
    ['$.agents[].block_ids'],
    ['$.agents[].messages', '$.agents[].llm_config'],
    ['$.agents', '$.blocks'],
  ],
  records: ['$.blocks.*', '$.agents.*.messages.*'],
  *toEntries(record) {
    yield record.at[0] === 'blocks' ? blockEntry(record) : messageEntry(record);
  },
});

function blockEntry({ value }: JsonRecord): ImportEntry {
  const parsed = block.safeParse(value);
  if (!parsed.success) return problem('is no memory block of Letta: it has no text under "value"');
  const { label = 'block' } = parsed.data;
  const category = Object.hasOwn(CATEGORY_OF_BLOCK, label) ? CATEGORY_OF_BLOCK[label] : undefined;
  return memoryEntry({
    type: 'core',
    category: category ?? 'operations',
    content: parsed.data.value,
    tags: [label],
  });
}

function messageEntry({ value, at }: JsonRecord): ImportEntry {
  const parsed = message.safeParse(value);
  if (!parsed.success) return problem('is no message of Letta: it has no role');
  const { role, content, agent_id, created_at } = parsed.data;
  if (role !== 'user' && role !== 'assistant') return skipped('system and tool messages');
  const texts =
    typeof content === 'string'
      ? [content]
      : (content ?? []).flatMap((item) => part.safeParse(item).data?.text ?? []);
  return turnEntry({
    origin: undefined,
    role,
    content: texts.join('\n\n'),
    at: created_at,
    sessionId: agent_id ?? `agent-${at[1] ?? 0}`,
  });
}
