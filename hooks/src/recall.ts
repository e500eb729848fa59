import { createHash } from 'node:crypto';
import { type RecalledText, renderRecalled, standsIn, stretchOf } from '@svc-memory/core/text';
import { asFields, type Fields, textField } from './files/fields.ts';
import { loadSnapshot } from './files/snapshot.ts';
import { factName } from './files/state.ts';
import { elapsed, type Hook } from './hook.ts';
import { CallError } from './service.ts';

const RESULTS = 8;
const MOST_QUERY = 4_096;
/** Most characters of the answer: a prompt is no place for a whole injection. */
const MOST_CHARACTERS = 3_000;
/** A shorter prompt, as "yes, go on", asks for nothing. */
const SHORTEST_PROMPT = 12;
const MOST_SHOWN = 500;
/** Name of the fact that the service was too late for a prompt. */
const LATE = 'late-for-prompt';
const REST_MS = 30_000;
/** A service that is well answers within this. */
const FAIR_MS = 100;

/**
 * What the agent remembers for a prompt and has not seen in this session; empty where nothing is found, or not in time. A prompt
 * is not held up again for half a minute after that.
 *
 * @param until milliseconds since the process began at which the service must have answered
 */
export async function recallForPrompt(hook: Hook, until: number): Promise<string> {
  const { event, options, say, state } = hook;
  const query = (event.prompt ?? '').replaceAll('\u0000', '').trim().slice(0, MOST_QUERY).toWellFormed();
  const isCommand = query.startsWith('/') && !query.includes(' ');
  if (query.length < SHORTEST_PROMPT || isCommand || state.isRecent(LATE, REST_MS)) return '';
  const left = until - elapsed();
  const fact = factName('seen', event.sessionId ?? '');
  const seen = (state.read(fact) ?? '').split('\n').filter(Boolean);
  try {
    const input = { query, limit: RESULTS };
    const answer = await hook.service().post('/memories/recall', input, left);
    state.remove(LATE);
    const injection = loadSnapshot(options.home)?.text ?? '';
    const news = resultsOf(answer).filter(
      (memory) =>
        !seen.includes(nameOf(memory)) &&
        memory.session_id !== event.sessionId &&
        !standsIn(memory, injection),
    );
    const { text, shown } = renderRecalled(news, MOST_CHARACTERS);
    if (shown.length > 0) state.write(fact, [...seen, ...shown.map(nameOf)].slice(-MOST_SHOWN).join('\n'));
    return text;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    // Where the process itself began late, that says nothing about the service.
    if (error.late && left >= FAIR_MS) state.write(LATE, '');
    say(`${error.message}; nothing was recalled for this prompt`);
    return '';
  }
}

interface Result extends RecalledText {
  readonly id: string;
  readonly session_id: string | undefined;
}

function resultsOf({ results }: Fields): Result[] {
  return (Array.isArray(results) ? results.map(asFields) : []).flatMap((result) => {
    const [id, content, type] = ['id', 'content', 'type'].map((name) => textField(result, name));
    if (id === undefined || content === undefined || type === undefined) return [];
    const occurred_at = textField(result, 'occurred_at') ?? '';
    const session_id = textField(result, 'session_id');
    const category = textField(result, 'category') ?? null;
    const content_source = textField(result, 'content_source');
    const conflicts_with = conflictsOf(result);
    const passage = passageOf(result);
    return [
      { id, content, type, occurred_at, session_id, category, content_source, passage, conflicts_with },
    ];
  });
}

function conflictsOf({ conflicts_with: ids }: Fields): string[] {
  return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
}

function passageOf(result: Fields): RecalledText['passage'] {
  const { start } = asFields(result.passage);
  return typeof start === 'number' ? { start } : undefined;
}

/** Tells apart what was seen of a memory: it may have changed since, or another passage of it may be asked for. */
function nameOf(memory: Result): string {
  const said = createHash('sha256').update(stretchOf(memory)).digest('base64url');
  return `${memory.id} ${said.slice(0, 8)}`;
}
