import { textField } from './files/fields.ts';
import { loadSnapshot, type SavedInjection } from './files/snapshot.ts';
import type { HookFramework } from './frameworks/framework.ts';
import {
  callOrigin,
  elapsed,
  forgetRefused,
  type Hook,
  keepInjection,
  messageOf,
  ownerOf,
  report,
} from './hook.ts';
import { namedFor } from './owner.ts';
import { CallError } from './service.ts';

/** A text for the agent, and what to do once the host has it. */
export interface Delivery {
  readonly text: string;
  /** Whether the service answered. */
  readonly fresh: boolean;
  /** Saves it, or notes for the service how it went. */
  finish(): void;
}

/**
 * Gets the injection that restores the agent: from the service, else from the last good `SVC.md`, else a notice that there
 * is none.
 *
 * @param until Milliseconds since the process began at which the service must have answered.
 */
export async function deliver(hook: Hook, until: number): Promise<Delivery> {
  const { framework, event, say } = hook;
  try {
    const injection = await ask(hook, until);
    return {
      text: within(injection, framework),
      fresh: true,
      finish: () => keepInjection(hook, injection),
    };
  } catch (error) {
    const detail = messageOf(error);
    const kind = event.point === 'recover' ? ('recovery' as const) : ('boot' as const);
    const isForgotten = forgetRefused(hook, error);
    const saved = savedFor(hook);
    say(`${detail}; ${saved ? `delivered SVC.md of ${saved.savedAt}` : 'there is no SVC.md to deliver yet'}`);
    const isRefused = error instanceof CallError && error.refused;
    const why = `The memory service ${isRefused ? 'refused the key of your hooks: tell your human' : 'could not be reached'}`;
    const copy = saved ? withNote(saved.text, saved.savedAt, why) : withNothing(why, isForgotten);
    const text = within(copy, framework);
    return {
      text,
      fresh: false,
      finish: () => {
        const outcome = saved ? ('stale' as const) : ('nothing' as const);
        report(hook, { kind, outcome, characters: text.length, detail });
      },
    };
  }
}

/** The last injection, unless it is of another agent or user than the key. */
function savedFor(hook: Hook): SavedInjection | undefined {
  const { home } = hook.options;
  const saved = loadSnapshot(home);
  const [of, own] = [saved?.key, ownerOf(hook).key].map((key) => namedFor(home, key));
  const isOther = of !== undefined && own !== undefined && of !== own;
  return isOther ? undefined : saved;
}

function withNothing(why: string, isForgotten: boolean): string {
  const saved = isForgotten ? 'What was saved here of its user is removed' : 'Nothing is saved here yet';
  return `# MEMORY NOT AVAILABLE
${why}. ${saved}. You may have memories from before; do not guess at them. \`npx svc-memory hooks status\` says more.`;
}

async function ask(hook: Hook, until: number): Promise<string> {
  const left = until - elapsed();
  const origin = callOrigin(hook);
  const answer =
    hook.event.point === 'recover'
      ? await hook.service().post('/webhooks/compaction', { phase: 'post', ...origin }, left)
      : await hook.service().get('/memories/boot', origin as Record<string, string | number>, left);
  const injection = textField(answer, 'injection');
  if (injection === undefined) throw new Error('the service answered without an injection');
  return injection;
}

/** Says under the title that the text is a copy. */
function withNote(text: string, savedAt: string, why: string): string {
  const [title = '', ...rest] = text.split('\n');
  const note = `${why}. This is the copy saved at ${savedAt}; what happened since is not in it.`;
  return [title, note, ...rest].join('\n');
}

/** Truncates a text at the end of a line; the host would cut it anywhere. */
function within(text: string, { maxCharacters = Infinity, maxBytes = Infinity }: HookFramework): string {
  if (text.length <= maxCharacters && Buffer.byteLength(text) <= maxBytes) return text;
  const notice = '\n- … the rest is in SVC.md';
  const inCharacters = text.slice(0, maxCharacters - notice.length);
  const bytes = Buffer.from(inCharacters).subarray(0, maxBytes - Buffer.byteLength(notice));
  // A character that is cut through stands in the last line, which goes.
  const cut = bytes.toString();
  return cut.slice(0, Math.max(cut.lastIndexOf('\n'), 0)) + notice;
}
