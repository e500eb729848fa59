import { and, asc, eq, isNull } from 'drizzle-orm';
import { MEMORY_TYPES, type MemoryType } from '../contract/fields.ts';
import type { Operation } from '../engine/context.ts';
import type { Memory } from '../memory/contract.ts';
import { toMemory } from '../memory/row.ts';
import { memories } from '../memory/schema.ts';

/** Every active memory as one document, oldest first within its type. Spec: GET /export; Export document. */
export const exportMemories: Operation<'export'> = (context) =>
  context.write(async (tx) => {
    const found = await tx
      .select()
      .from(memories)
      .where(and(eq(memories.tenantId, context.tenantId), isNull(memories.archivedAt)))
      .orderBy(asc(memories.occurredAt), asc(memories.id));
    const byType = new Map<MemoryType, Memory[]>(MEMORY_TYPES.map((type) => [type, []]));
    for (const row of found) byType.get(row.type)?.push(toMemory(row));
    await context.emit(tx, 'memory.exported', { memories: found.length });
    const of = (type: MemoryType) => byType.get(type) ?? [];
    return {
      export: {
        version: '1' as const,
        exported_at: context.now.toISOString(),
        tenant_id: context.tenantId,
        memories: {
          core: of('core'),
          working: of('working'),
          episodic: of('episodic'),
          semantic: of('semantic'),
        },
      },
    };
  });
