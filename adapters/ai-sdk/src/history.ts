import { createHash } from 'node:crypto';
import { markOf } from './mark.ts';
import { type Message, member, partsOf, turnsOf } from './messages.ts';
import type { Compaction } from './session.ts';

/** The messages of a call: those at the start that always stay, and what an earlier compaction has left of the rest. */
export interface CallHistory<M extends Message> {
  readonly lead: readonly M[];
  readonly rest: readonly M[];
  /** For each message of `rest` its place in the whole history. */
  readonly places: readonly number[];
  /** Fingerprints of the whole history. */
  readonly fingerprints: readonly string[];
  /** An earlier compaction is in force: its recovery belongs between `lead` and `rest`. */
  readonly isCompacted: boolean;
  /** The messages hold a recovery whose compaction this process does not know, as after a restart. */
  readonly isOrphaned: boolean;
}

/**
 * Finds out what of the messages is compacted already. `ai` 7 carries compacted messages on to the next step of a call;
 * `ai` 6, and every new call, begin again with the whole history.
 */
export function readHistory<M extends Message>(
  messages: readonly M[],
  compaction: Compaction | undefined,
): CallHistory<M> {
  const recovery = messages.map(markOf).find((mark) => mark?.injection === 'recovery');
  const own = messages.filter((message) => markOf(message) === undefined);
  const split = own.findIndex(({ role }) => role !== 'system');
  const lead = split < 0 ? own : own.slice(0, split);
  const shown = split < 0 ? [] : own.slice(split);
  const fingerprints = shown.map(fingerprintOf);
  const all = shown.map((_, place) => place);
  const whole: CallHistory<M> = {
    lead,
    rest: shown,
    places: all,
    fingerprints,
    isCompacted: false,
    isOrphaned: recovery !== undefined,
  };
  if (!compaction) return whole;
  const { id, prefix, kept } = compaction;
  if (recovery?.compaction === id && shown.length >= kept.length) {
    const places = all.map((place) => kept[place] ?? prefix.length + place - kept.length);
    const later = fingerprints.slice(kept.length);
    return { ...whole, places, fingerprints: [...prefix, ...later], isCompacted: true, isOrphaned: false };
  }
  if (recovery || !prefix.every((fingerprint, place) => fingerprint === fingerprints[place])) return whole;
  const places = all.filter((place) => place >= prefix.length || kept.includes(place));
  const rest = places.flatMap((place) => shown[place] ?? []);
  return { ...whole, rest, places, isCompacted: true };
}

/** Tells messages apart by what they say and call. */
function fingerprintOf(message: Message): string {
  const calls = partsOf(message).map((part) => member(part, 'toolCallId') ?? '');
  const said = JSON.stringify([message.role, turnsOf(message), calls]);
  return createHash('sha256').update(said).digest('base64');
}
