import { factName, type HookState } from './files/state.ts';
import type { HookEvent, HookFramework } from './frameworks/framework.ts';
import { lastLineEnd, readRecords } from './transcript.ts';

/**
 * Where in its session a hook fires, for hosts that tell neither each start nor each compaction (`summarizedAt`): the first
 * prompt of a session whose start was not told is its start, and the first prompt after a summary brings the recovery.
 */
export function placeInSession(
  event: HookEvent,
  { framework, state }: { readonly framework: HookFramework; readonly state: HookState },
): HookEvent {
  if (!framework.summarizedAt) return event;
  const [watched, due] = [
    factName('watched', event.sessionId ?? ''),
    factName('recover', event.sessionId ?? ''),
  ];
  const before = state.read(watched);
  const since = Date.now() - (state.age(watched) ?? 0);
  // What was said before the first hook is nothing new.
  const from = before === undefined ? endOf(event) : Number(before);
  const { end, summarized } = watch(event, framework.summarizedAt, { from, since });
  state.write(watched, String(end));
  // Where nothing can be remembered, each prompt would look like the first.
  if (state.read(watched) === undefined) return event;
  if (summarized) state.write(due, '');
  if (event.point !== 'prompt') return event;
  if (before === undefined) return { ...event, point: 'start' };
  if (state.read(due) === undefined) return event;
  state.remove(due);
  return { ...event, point: 'recover' };
}

function endOf({ transcriptPath }: HookEvent): number {
  try {
    return transcriptPath === undefined ? 0 : lastLineEnd(transcriptPath);
  } catch {
    // As `watch` has it.
    return 0;
  }
}

/** Reads what was added to the transcript: up to where, and whether it tells of a summary made since. */
function watch(
  { transcriptPath }: HookEvent,
  summarizedAt: NonNullable<HookFramework['summarizedAt']>,
  { from, since }: { readonly from: number; readonly since: number },
): { readonly end: number; readonly summarized: boolean } {
  let [end, summarized] = [from, false];
  try {
    for (const { record, next } of transcriptPath === undefined ? [] : readRecords(transcriptPath, from)) {
      end = next;
      const at = Date.parse(summarizedAt(record) ?? '');
      if (at > since) summarized = true;
    }
  } catch {
    // A session that has said nothing yet has no transcript; what else is wrong with it the flush says.
  }
  return { end, summarized };
}
