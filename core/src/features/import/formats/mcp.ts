import { z } from 'zod';
import { memoryEntry, problem, skipped } from '../draft.ts';
import { recordFormat } from './format.ts';
import { textList } from './values.ts';

const entity = z.object({ name: z.string(), entityType: z.string().default(''), observations: textList });
const relation = z.object({ from: z.string(), to: z.string(), relationType: z.string() });

/**
 * MCP memory server: its `memory.jsonl`, one entity (`{"type": "entity", "name", "entityType", "observations": […]}`) or
 * relation (`{"type": "relation", "from", "to", "relationType"}`) a line, and what its `read_graph` answers
 * (`{"entities": […], "relations": […]}`). Taken from
 * https://github.com/modelcontextprotocol/servers/blob/main/src/memory/index.ts
 */
export const mcp = recordFormat({
  name: 'mcp',
  title: 'MCP memory server',
  fields: [
    { from: 'entity name, each of its observations', to: 'content (semantic)' },
    { from: 'relation from, relationType, to', to: 'content (semantic)' },
    { from: 'entityType', to: 'tags' },
    { from: 'name and observation', to: 'origin' },
  ],
  marks: [
    ['$.name', '$.entityType', '$.observations'],
    ['$.from', '$.to', '$.relationType'],
    ['$.entities[].observations'],
    ['$.entities', '$.relations'],
  ],
  records: ['$.entities.*', '$.relations.*'],
  *toEntries({ value }) {
    const link = relation.safeParse(value);
    if (link.success) {
      const { from, to, relationType } = link.data;
      yield memoryEntry({
        origin: JSON.stringify([from, relationType, to]),
        type: 'semantic',
        content: `${from} ${relationType.replaceAll('_', ' ')} ${to}`,
        tags: ['relation'],
      });
      return;
    }
    const found = entity.safeParse(value);
    if (!found.success) {
      yield problem('is neither an entity nor a relation of the MCP memory server');
      return;
    }
    const { name, entityType, observations } = found.data;
    if (observations.length === 0) yield skipped('entities without observations');
    for (const observation of observations) {
      yield memoryEntry({
        origin: JSON.stringify([name, observation]),
        type: 'semantic',
        content: observation.trim() === '' ? '' : `${name}: ${observation}`,
        tags: entityType === '' ? [] : [entityType],
      });
    }
  },
});
