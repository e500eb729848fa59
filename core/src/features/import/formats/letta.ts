import { z } from 'zod';
import type { Category } from '../../../kernel/contract/fields.ts';
import { type ImportEntry, memoryEntry, problem, skipped, turnEntry } from '../draft.ts';
import type { JsonRecord } from '../read/json.ts';
import { recordFormat } from './format.ts';
import { moment, optionalText, unreadableTimes } from './values.ts';

const block = z.object({ label: optionalText, value: z.string() });
const part = z.object({ text: z.string() });
const message = z.object({
  agent_id: optionalText,
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
  created_at: moment,
});
const spoken = z.object({
  function: z.object({ name: z.literal('send_message'), arguments: z.string() }),
});
const speech = z.object({ message: z.string() });
/** What Letta makes of a message of the user, and of events that it tells the agent in the user's name. */
const packed = z.object({
  type: z.enum(['user_message', 'login', 'heartbeat', 'system_alert']),
  message: optionalText,
  time: z.string(),
});

const CATEGORY_OF_BLOCK: Readonly<Record<string, Category>> = {
  persona: 'identity',
  human: 'relationship',
  user: 'relationship',
};

/**
 * Letta agent file (`.af`): `{"agents": [{"id", "name", "messages": [{"id", "role", "content": [{"type": "text",
 * "text"}], "created_at", …}], …}], "blocks": [{"id", "label", "value", …}], "files", "sources", "tools", …}`. Blocks
 * become core memories; of the messages what user and assistant said is kept. An agent of the type `memgpt_agent` speaks by
 * calls of the tool `send_message` and thinks in its content. Archival memory is not part of the file, and its ids are
 * numbered anew by every export, so that only texts tell what was imported before. Until summer 2025 the file was one agent:
 * `{"agent_type", "core_memory": [{"label", "value"}], "messages": […], …}`.
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
    { from: 'send_message calls of the assistant, instead of its thoughts', to: 'content (episodic)' },
    { from: 'descriptions of blocks, system and tool messages, files, tools', to: '(left out)' },
  ],
  marks: [
    ['$.agents[].block_ids'],
    ['$.agents[].messages', '$.agents[].llm_config'],
    ['$.agents', '$.blocks'],
    ['$.agent_type', '$.core_memory'],
  ],
  records: ['$.blocks.*', '$.agents.*.messages.*', '$.core_memory.*', '$.messages.*'],
  *toEntries(record) {
    const isBlock = record.at[0] === 'blocks' || record.at[0] === 'core_memory';
    yield isBlock ? blockEntry(record) : messageEntry(record);
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
  const { role, agent_id, created_at } = parsed.data;
  if (role !== 'user' && role !== 'assistant') return skipped('system and tool messages');
  const text = role === 'user' ? unpack(textOf(parsed.data)) : (spokenBy(parsed.data) ?? textOf(parsed.data));
  if (text === undefined) return skipped('system and tool messages');
  return turnEntry({
    origin: undefined,
    role,
    content: text,
    at: created_at,
    // A file that is one agent has no place for the agent in its paths.
    sessionId: agent_id ?? `agent-${at[0] === 'agents' ? at[1] : 0}`,
    unreadable: unreadableTimes(value, ['created_at']),
  });
}

type Message = z.output<typeof message>;

function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).flatMap((item) => part.safeParse(item).data?.text ?? []).join('\n\n');
}

/** What an assistant said by calls of `send_message`; undefined where it called it not once. */
function spokenBy({ tool_calls }: Message): string | undefined {
  const said = (tool_calls ?? []).flatMap((call) => {
    const given = spoken.safeParse(call).data?.function.arguments;
    return given === undefined ? [] : (speech.safeParse(parseJson(given)).data?.message ?? []);
  });
  return said.length === 0 ? undefined : said.join('\n\n');
}

/** The user's own words; undefined for an event that is none of theirs. */
function unpack(text: string): string | undefined {
  const found = packed.safeParse(parseJson(text)).data;
  if (!found) return text;
  return found.type === 'user_message' ? found.message : undefined;
}

/** undefined for what is no JSON, as most messages are none. */
function parseJson(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
