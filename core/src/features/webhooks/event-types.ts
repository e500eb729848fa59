/** Every type of event that the service emits. */
export const EVENT_TYPES = [
  'memory.stored',
  'memory.recalled',
  'memory.superseded',
  'memory.compacted',
  'memory.exported',
  'billing.threshold',
  'distress.raised',
  'distress.acknowledged',
  'visibility.changed',
  'guardian.queued',
  'guardian.approved',
  'guardian.rejected',
  'guardian.withdrawn',
  'guardian.applied',
  'guardian.waiting',
  'job.progress',
  'job.finished',
] as const;

/** Type of the event that `POST /event-endpoints/{id}/test` sends to that endpoint only. */
export const TEST_EVENT = 'endpoint.test';

/** Whether a filter is `*`, a group such as `guardian.*`, or a known type. */
export function isEventFilter(value: string): boolean {
  return value === '*' || EVENT_TYPES.some((type) => type === value || groupOf(type) === value);
}

function groupOf(type: string): string {
  return `${type.slice(0, type.indexOf('.'))}.*`;
}
