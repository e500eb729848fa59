import { z } from 'zod';
import { type ImportEntry, memoryEntry, problem, turnEntry } from '../draft.ts';
import { recordFormat } from './format.ts';
import { moment, optionalText, textList, unreadableTimes } from './values.ts';

// Below the default: it is not true any more.
const INVALID_IMPORTANCE = 0.2;

/** What a time holds in Go, in which Zep is written, where it is not set. */
const ZERO_TIME = new Date('0001-01-01T00:00:00Z');

const TIMES = ['created_at', 'valid_at', 'invalid_at', 'expired_at'];

const edge = z.object({
  uuid: optionalText,
  fact: z.string(),
  name: optionalText,
  created_at: moment,
  valid_at: moment,
  invalid_at: moment,
  expired_at: moment,
  attributes: z.unknown().optional(),
});
const node = z.object({
  uuid: optionalText,
  name: z.string(),
  summary: z.string(),
  labels: textList,
  created_at: moment,
  attributes: z.unknown().optional(),
});
const said = z.object({
  uuid: optionalText,
  content: z.string(),
  role: optionalText,
  role_type: optionalText,
  name: optionalText,
  thread_id: optionalText,
  session_id: optionalText,
  created_at: moment,
  metadata: z.unknown().optional(),
});

/**
 * Zep and Graphiti: edges (facts), nodes (entities), episodes and messages of the graph as the API answers them, in one
 * document (`{"edges": […], "nodes": […], "episodes": […], "messages": […]}`), as a list, or one a line.
 * Taken from https://help.getzep.com/sdk-reference/graph/edge/get-edge and
 * https://help.getzep.com/reading-data-from-the-graph (there is no export file).
 */
export const zep = recordFormat({
  name: 'zep',
  title: 'Zep',
  fields: [
    { from: 'edge fact', to: 'content (semantic)' },
    { from: 'node name, summary', to: 'content (semantic)' },
    { from: 'message or episode role, content', to: 'content (episodic)' },
    { from: 'uuid', to: 'origin' },
    { from: 'edge name, node labels', to: 'tags' },
    { from: 'valid_at, created_at', to: 'occurred_at, valid_from' },
    {
      from: 'invalid_at, expired_at',
      to: `valid_to; once past: tag invalid, importance ${INVALID_IMPORTANCE}`,
    },
    { from: 'thread_id, session_id', to: 'session_id' },
    { from: 'attributes, metadata', to: 'metadata' },
    { from: 'source and target of an edge, score', to: '(left out)' },
  ],
  marks: [
    ['$.edges[].fact'],
    ['$[].fact', '$[].uuid'],
    ['$.fact', '$.uuid'],
    ['$.facts[].fact'],
    ['$.nodes[].summary', '$.nodes[].uuid'],
    ['$[].summary', '$[].uuid', '$[].labels'],
    ['$.episodes[].content', '$.episodes[].uuid'],
    ['$.messages[].content', '$.messages[].uuid', '$.messages[].role'],
    ['$.messages[].content', '$.messages[].uuid', '$.messages[].role_type'],
  ],
  records: ['$.edges.*', '$.facts.*', '$.nodes.*', '$.episodes.*', '$.messages.*', '$.*'],
  *toEntries({ value }) {
    yield toEntry(value);
  },
});

function toEntry(value: unknown): ImportEntry {
  const unreadable = unreadableTimes(value, TIMES);
  const fact = edge.safeParse(value);
  if (fact.success) return memoryEntry({ ...factFields(fact.data), unreadable });
  const entity = node.safeParse(value);
  if (entity.success) return memoryEntry({ ...nodeFields(entity.data), unreadable });
  const message = said.safeParse(value);
  if (!message.success) return problem('is neither a fact, a node, an episode nor a message of Zep');
  const { uuid, content, name, role, role_type, thread_id, session_id, created_at } = message.data;
  return turnEntry({
    origin: uuid,
    role: name ?? role_type ?? role,
    content,
    at: created_at,
    sessionId: thread_id ?? session_id,
    metadata: message.data.metadata,
    unreadable,
  });
}

function factFields({ uuid, name, fact, attributes, ...times }: z.infer<typeof edge>) {
  const from = times.valid_at ?? times.created_at;
  const to = [times.invalid_at, times.expired_at].find((time) => time && time > ZERO_TIME);
  const isOver = to !== undefined && to.getTime() <= Date.now();
  return {
    origin: uuid,
    type: 'semantic' as const,
    content: fact,
    tags: [...(name === undefined ? [] : [name]), ...(isOver ? ['invalid'] : [])],
    occurredAt: from,
    // What was told to be wrong ends where it begins, or before: no moment since then is to find it.
    validFrom: to && (from === undefined || to <= from) ? new Date(to.getTime() - 1) : undefined,
    validTo: to,
    importance: isOver ? INVALID_IMPORTANCE : undefined,
    metadata: attributes,
  };
}

function nodeFields({ uuid, name, summary, labels, created_at, attributes }: z.infer<typeof node>) {
  return {
    origin: uuid,
    type: 'semantic' as const,
    content: summary.trim() === '' ? '' : `${name}: ${summary}`,
    tags: labels,
    occurredAt: created_at,
    metadata: attributes,
  };
}
