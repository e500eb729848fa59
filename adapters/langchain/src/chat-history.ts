import { BaseListChatMessageHistory } from '@langchain/core/chat_history';
import {
  type BaseMessage,
  mapChatMessagesToStoredMessages,
  mapStoredMessagesToChatMessages,
  type StoredMessage,
} from '@langchain/core/messages';
import { type AgentMemory, ownOnly, requireOptions, storable } from '@svc-memory/core/adapter';
import { fields } from '@svc-memory/core/contract';
import { inChunks } from './chunks.ts';
import { readableText } from './messages.ts';
import { orNothing } from './or-nothing.ts';

/** What `AgentMemoryChatHistory` takes. */
export interface AgentMemoryChatHistoryInput {
  readonly memory: AgentMemory;
  /** The conversation, up to 256 characters; other conversations are not seen. */
  readonly sessionId: string;
}

const TAG = 'chat-history';
// Below the default: what an agent chose to remember outranks what was merely said.
const IMPORTANCE = 0.3;
const ROLES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant' };
// What a provider says about its answer is no part of the conversation.
const NOT_KEPT = new Set(['response_metadata', 'usage_metadata']);

/**
 * The messages of one conversation as episodic memories, which the agent also recalls by meaning. Messages come back as
 * they were, without `response_metadata` and `usage_metadata`. Not together with `agentMemoryMiddleware`, which keeps
 * the same turns itself. Throws `SvcError`.
 */
export class AgentMemoryChatHistory extends BaseListChatMessageHistory {
  lc_namespace = ['svc_memory', 'chat_history'];
  readonly #memory: AgentMemory;
  readonly #sessionId: string;

  constructor({ memory, sessionId }: AgentMemoryChatHistoryInput) {
    super();
    requireOptions('AgentMemoryChatHistory', { memory });
    if (typeof sessionId !== 'string' || sessionId === '') {
      throw new TypeError('AgentMemoryChatHistory: sessionId is required, the id of the conversation');
    }
    this.#memory = memory;
    this.#sessionId = sessionId;
  }

  override async getMessages(): Promise<BaseMessage[]> {
    return (await this.#memories()).flatMap(({ content }) => readMessage(content) ?? []);
  }

  override addMessage(message: BaseMessage): Promise<void> {
    return this.addMessages([message]);
  }

  /**
   * @throws RangeError for a message of more than 32,768 characters, TypeError for one that nobody could read again; then none
   *   of them is stored
   */
  override async addMessages(messages: BaseMessage[]): Promise<void> {
    const memories = messages.map((message) => ({
      type: 'episodic' as const,
      // Without one, a reflection takes a message that is said twice for a copy, and archives it.
      key: `${TAG}:${crypto.randomUUID()}`,
      content: writeMessage(message),
      tags: [TAG],
      importance: IMPORTANCE,
      session_id: this.#sessionId,
    }));
    for (const chunk of inChunks(memories)) await this.#memory.rememberBatch({ memories: chunk });
  }

  /** Archives the messages of this conversation; each can be restored for 30 days. */
  override async clear(): Promise<void> {
    for (const { id } of await this.#memories()) await orNothing(this.#memory.forget({ id }));
  }

  /** In the order in which they were added. */
  async #memories() {
    const found = [];
    let cursor: string | null | undefined;
    do {
      const page = await this.#memory.query({
        type: 'episodic',
        tags: [TAG],
        session_id: this.#sessionId,
        // What other agents put into a space that they share was not said here.
        space_id: 'own',
        limit: fields.LIMITS.resultsPerCall,
        ...(cursor ? { cursor } : {}),
      });
      found.push(...page.memories);
      cursor = page.next_cursor;
    } while (cursor);
    return ownOnly(this.#memory, found).reverse();
  }
}

/** What is said, for people and recall, and on the last line the rest of the message. */
function writeMessage(message: BaseMessage): string {
  const [{ type, data }] = mapChatMessagesToStoredMessages([message]) as [StoredMessage];
  const { content, ...rest } = data;
  const said = storable(readableText(message.content));
  const kept = Object.entries(rest).filter(([name, value]) => !NOT_KEPT.has(name) && !isEmpty(value));
  const wording = said === content ? {} : { content };
  const text = `${ROLES[type] ?? type}: ${said}\n${JSON.stringify({ type, ...wording, ...Object.fromEntries(kept) })}`;
  if (!readMessage(text)) {
    throw new TypeError(
      `A message of type "${type}" cannot be kept in a history: LangChain does not read it again.`,
    );
  }
  const { contentCharacters } = fields.LIMITS;
  const characters = fields.characterCount(text);
  if (characters <= contentCharacters) return text;
  throw new RangeError(
    `A message takes ${characters} characters; the memory service holds at most ${contentCharacters} in one. Put files and images elsewhere and name them here.`,
  );
}

/** The message that a memory holds; none where somebody changed the memory to something else. */
function readMessage(memory: string): BaseMessage | undefined {
  const end = memory.lastIndexOf('\n');
  const content = memory.slice(memory.indexOf(': ') + 2, end);
  try {
    const { type, ...data } = JSON.parse(memory.slice(end + 1));
    return mapStoredMessagesToChatMessages([{ type, data: { content, ...data } }])[0];
  } catch {
    return undefined;
  }
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  );
}
