import type { Tx } from '../../kernel/database/database.ts';
import type { VisibilityLevel } from '../visibility/contract.ts';
import { levelsOf, type TenantView } from '../visibility/view.ts';

type Data = Readonly<Record<string, unknown>>;

interface RedactedEvent {
  readonly type: string;
  readonly data: Data;
}

/** Events that ask the human to decide, or report a decision. The human receives these whatever is withheld. */
export const DECISIONS = ['guardian.queued', 'guardian.waiting', 'guardian.approved', 'guardian.rejected'];

/** Numbers in events that include withheld memories. */
const COUNTS = ['results', 'memories', 'done', 'total'];

/**
 * Redacts events for a human, and for the targets that they register. Events of hidden memories are left out. Events of
 * redacted memories say only that something happened. That a withheld memory took the place of another is not told. Numbers that
 * include withheld memories are removed. Deleted memories count as hidden.
 *
 * @returns the data of each event as the human may see it; undefined for an event they must not receive.
 */
export async function redactForHuman(
  tx: Tx,
  reader: TenantView,
  events: readonly RedactedEvent[],
): Promise<(Data | undefined)[]> {
  if (reader.view.isFull) return events.map(({ data }) => data);
  const level = await levelsOf(
    tx,
    reader,
    events.flatMap(({ data }) => [memoryOf(data) ?? [], successorOf(data) ?? []].flat()),
  );
  return events.map((event) => redactData(event, level));
}

function redactData({ type, data }: RedactedEvent, level: (id: string) => VisibilityLevel): Data | undefined {
  const id = memoryOf(data);
  if (id === undefined) return without(data, COUNTS);
  const successor = successorOf(data);
  if (successor !== undefined && level(successor) !== 'full') return undefined;
  if (level(id) === 'full') return data;
  if (DECISIONS.includes(type)) return level(id) === 'hidden' ? without(data, ['memory_id']) : data;
  if (level(id) === 'hidden') return undefined;
  return { memory_id: id, ...(data.type === undefined ? {} : { type: data.type }) };
}

function successorOf({ superseded_by }: Data): string | undefined {
  return typeof superseded_by === 'string' ? superseded_by : undefined;
}

function memoryOf({ memory_id }: Data): string | undefined {
  return typeof memory_id === 'string' ? memory_id : undefined;
}

function without(data: Data, names: readonly string[]): Data {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !names.includes(name)));
}
