import {
  type Conversation,
  countTokens as countText,
  type MemoryOptions,
  optionsOfUser,
  requireOptions,
  warn,
} from '@svc-memory/core/adapter';
import { type CallHistory, readHistory } from './history.ts';
import { addRecalled, insert, toMessage } from './injection.ts';
import { type Message, member, partsOf, turnsOf } from './messages.ts';
import { type AiSession, type Compaction, conversationOf, sessionOf } from './session.ts';
import { countMessage, FRAME_TOKENS, fitLines, type TokenCounter } from './tokens.ts';

/** What `compactMessages` takes beside the messages. */
export interface CompactOptions extends MemoryOptions {
  /**
   * Most tokens that the messages may take. Instructions and tool definitions come on top: leave room for them and for
   * the answer.
   */
  readonly maxTokens: number;
  /** Tokens of the newest messages that a compaction leaves in place; default a quarter of `maxTokens`. */
  readonly keepTokens?: number | undefined;
  /** Counts a message; default o200k tokens, an image or file as 1,600. */
  readonly countTokens?: TokenCounter | undefined;
  readonly abortSignal?: AbortSignal | undefined;
}

interface CompactRequest {
  readonly options: CompactOptions;
  readonly conversation: Conversation;
  readonly signal: AbortSignal | undefined;
}

const LEFT_OUT = '[Earlier messages were left out for lack of space.';
const ABSENT = `${LEFT_OUT} The memory service cannot be reached; go on with what is here.]`;
/** Where nothing is to be recalled. */
const WITHOUT_RECALL = `${LEFT_OUT} Go on with what is here.]`;

/**
 * Keeps the messages of a step under `maxTokens`; for `prepareStep`. When they no longer fit, hands the oldest to the
 * memory service and puts its recovery injection in their place, behind the system messages. System messages, the
 * latest message from the user and the latest step stay; a tool call and its result stay or go together.
 *
 * What was compacted once stays so for the same conversation, also when the whole history is sent again. Without the
 * memory service the messages are dropped all the same, after a warning, and handed over once it is back.
 *
 * @returns the messages to send; those given where nothing is to be done
 * @throws the reason of `abortSignal`, and TypeError for options that are none
 */
export async function compactMessages<M extends Message>(
  messages: readonly M[],
  given: CompactOptions,
): Promise<M[]> {
  requireOptions('compactMessages', given);
  if (!(given.maxTokens > 0)) {
    throw new TypeError('compactMessages: maxTokens is required, a number of tokens above 0');
  }
  const options = optionsOfUser(given);
  const { maxTokens, countTokens = countMessage, abortSignal: signal } = options;
  const session = sessionOf(options);
  const found = readHistory(messages, session.compaction);
  const request = { options, conversation: conversationOf(session.asMade(found.rest)), signal };
  const { compaction } = session;
  const isWhole = !found.isCompacted && !found.isOrphaned;
  const boot = isWhole && session.boots ? await session.boot(request) : undefined;
  if (compaction?.isRecovered && found.isCompacted) await session.recall(request);
  const history = { ...found, rest: addRecalled(found.rest, session, options) };
  const size = sum([...history.lead, ...history.rest].map(countTokens));
  if (history.isCompacted && compaction) {
    const room = Math.min(maxTokens - size - FRAME_TOKENS, Math.floor(maxTokens / 2));
    if (countText(compaction.text) <= room) {
      const late = compaction.isRecovered ? undefined : await handOver(session, request, room, true);
      if (late !== undefined) {
        session.compaction = { ...compaction, text: fitLines(late, room), isRecovered: true };
      }
      return assemble(history, history.rest, session.compaction ?? compaction);
    }
  } else if (isWhole && size + (boot === undefined ? 0 : sizeOf(boot)) <= maxTokens) {
    return [...history.lead, ...history.rest];
  }
  return compact(session, history, request);
}

/** Drops the oldest messages, hands them over and puts the recovery in their place. */
async function compact<M extends Message>(
  session: AiSession,
  history: CallHistory<M>,
  request: CompactRequest,
): Promise<M[]> {
  const { options } = request;
  const { maxTokens, countTokens = countMessage } = options;
  const sizes = history.rest.map(countTokens);
  const stays = choose(history, sizes, options);
  const shown = history.rest.filter((_, place) => stays.has(place));
  const dropped = history.rest.filter((_, place) => !stays.has(place));
  const room = maxTokens - sum([...history.lead, ...shown].map(countTokens)) - FRAME_TOKENS;
  if (room < 0) {
    const message = `What must stay takes ${-room} tokens more than maxTokens (${maxTokens}).`;
    warn(options, { message });
  }
  options.abortSignal?.throwIfAborted();
  const most = Math.max(0, Math.min(room, Math.floor(maxTokens / 2)));
  const recovery = await handOver(session, request, most, history.isCompacted);
  const wantsNone = options.recall === 'never';
  const compaction: Compaction = {
    ...placesOf(history, stays),
    id: crypto.randomUUID(),
    text: fitLines(recovery ?? (wantsNone ? WITHOUT_RECALL : ABSENT), most),
    isRecovered: recovery !== undefined || wantsNone,
  };
  session.compaction = compaction;
  session.log.startAfter(session.asMade(dropped).flatMap(turnsOf), history.isCompacted);
  return assemble(history, shown, compaction);
}

/** Keeps the conversation, then fetches the recovery; one unanswered call is enough to wait for. */
async function handOver(
  session: AiSession,
  request: CompactRequest,
  tokens: number,
  afterCompaction: boolean,
): Promise<string | undefined> {
  const { options, conversation } = request;
  const keeping = { options, during: 'compaction' as const, afterCompaction };
  return (await session.keep(conversation.turns, keeping)) ? session.recover(request, tokens) : undefined;
}

/** Places that stay: the system messages, the latest from the user, the latest step, and the newest that fit. */
function choose<M extends Message>(
  { lead, rest }: CallHistory<M>,
  sizes: readonly number[],
  { maxTokens, keepTokens = Math.floor(maxTokens / 4), countTokens = countMessage }: CompactOptions,
): Set<number> {
  const units = unitsOf(rest);
  const asked = rest.findLastIndex(({ role }) => role === 'user');
  const stays = new Set<number>(units.at(-1));
  for (const [place, { role }] of rest.entries()) if (role === 'system' || place === asked) stays.add(place);
  const sizeAt = (places: Iterable<number>) => sum([...places].map((place) => sizes[place] ?? 0));
  const spare = Math.floor(maxTokens / 2) - sum(lead.map(countTokens)) - sizeAt(stays);
  let left = Math.min(keepTokens, spare);
  const newest: number[][] = [];
  for (const unit of units.slice(0, -1).reverse()) {
    const more = unit.filter((place) => !stays.has(place));
    left -= sizeAt(more);
    if (left < 0) break;
    newest.push(more);
  }
  // Providers want a conversation to begin with the user: what was answered to a dropped question goes with it.
  while (newest.length > 0 && isAnswer(newest.at(-1)?.[0], asked)) newest.pop();
  for (const place of newest.flat()) stays.add(place);
  return stays;

  function isAnswer(place: number | undefined, latest: number): boolean {
    return place !== undefined && place < latest && rest[place]?.role !== 'user';
  }
}

/** Which messages are compacted away, for when the history comes again, whole or as it was left. */
function placesOf<M extends Message>({ places, fingerprints }: CallHistory<M>, stays: ReadonlySet<number>) {
  const end = 1 + Math.max(-1, ...places.filter((_, place) => !stays.has(place)));
  return {
    prefix: fingerprints.slice(0, end),
    kept: places.filter((origin, place) => stays.has(place) && origin < end),
  };
}

function assemble<M extends Message>(
  { lead }: CallHistory<M>,
  rest: readonly M[],
  { id, text }: Compaction,
): M[] {
  if (text === '') return [...lead, ...rest];
  return insert([...lead, ...rest], toMessage(text, { injection: 'recovery', compaction: id }));
}

/** Tokens of an injection as a message. */
function sizeOf(text: string): number {
  return countText(text) + FRAME_TOKENS;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Messages that stay or go together, by their places. */
type MessageUnit = readonly number[];

/**
 * Groups messages so that a tool call is never parted from its results. A message from the user always begins a group:
 * what was called before it and not answered by then never will be.
 */
function unitsOf(messages: readonly Message[]): MessageUnit[] {
  const units: number[][] = [];
  const open = new Set<unknown>();
  for (const [place, message] of messages.entries()) {
    if (message.role === 'user' || message.role === 'system') open.clear();
    const last = units.at(-1);
    if (last && (open.size > 0 || message.role === 'tool')) last.push(place);
    else units.push([place]);
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call') open.add(member(part, 'toolCallId'));
      if (part.type === 'tool-result') open.delete(member(part, 'toolCallId'));
    }
  }
  return units;
}
