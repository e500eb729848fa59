import type { Output } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import { type Found, findHooks, hookHome, loadSnapshot, openSpool } from '@svc-memory/hooks';
import { readCredentials } from '../credentials.ts';
import { EXIT } from './cli-error.ts';
import type { CommandContext } from './context.ts';
import { installationOf, type PlaceOptions } from './hooks-place.ts';
import { columns } from './terminal.ts';

const SHOWN = 10;
const PATIENCE_MS = 5_000;

type Moments = Output<'compactions'>;

/** Prints which hooks are installed, what they have saved here, and what the service has heard of them. */
export async function hooksStatus(
  context: CommandContext,
  { dir, json }: PlaceOptions & { readonly json?: true },
): Promise<number> {
  const { env, terminal } = context;
  const place = installationOf(env, dir);
  const home = hookHome(place);
  const hooks = findHooks(place);
  const saved = loadSnapshot(home);
  const waiting = openSpool(home).names().length;
  const heard = await askService(env);
  if (json) {
    const facts = { hooks, svc_md: saved ? { saved_at: saved.savedAt, folder: home } : null, waiting };
    const service = typeof heard === 'string' ? { error: heard } : heard;
    terminal.out(JSON.stringify({ ...facts, service }, null, 2));
    return EXIT.ok;
  }
  terminal.out(hooks.length === 0 ? 'No hooks are installed here.' : columns(hooks.map(hookRow)));
  terminal.out('');
  terminal.out(
    columns([
      ['SVC.md', saved ? `saved ${saved.savedAt} in ${home}` : `none in ${home} yet`],
      [
        'Waiting',
        waiting === 0 ? 'nothing' : `${waiting} requests, sent with the next hook that reaches the service`,
      ],
    ]),
  );
  terminal.out('');
  if (typeof heard === 'string') terminal.out(`The service cannot be asked: ${heard}`);
  else showMoments(context, heard);
  return EXIT.ok;
}

/** The last flushes and deliveries, or why they cannot be had. */
async function askService(env: CommandContext['env']): Promise<Moments | string> {
  try {
    const credentials = await readCredentials(env);
    if (!credentials)
      return 'there are no credentials; start the service once, or set SVC_API_KEY and SVC_API_URL.';
    const { apiUrl: url, apiKey } = credentials;
    return await connect({ url, apiKey, timeoutMs: PATIENCE_MS, retries: 0 }).compactions({ limit: SHOWN });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function hookRow({ framework, file, events, missing, scriptExists }: Found): string[] {
  if (!scriptExists) return [framework, file, 'runs a script that is gone: install again'];
  if (missing.length > 0) return [framework, file, `lacks ${missing.join(', ')}: install again`];
  return [framework, file, events.join(', ')];
}

function showMoments({ terminal }: CommandContext, { moments, missing_recoveries }: Moments): void {
  if (missing_recoveries > 0) {
    const text = `Compactions of the last 30 days without a recovery: ${missing_recoveries}`;
    terminal.out(terminal.style('red', text));
  }
  if (moments.length === 0) {
    terminal.out('No hook has reached the service yet. Start a session, then look again.');
    return;
  }
  terminal.out(
    columns([
      ['TIME', 'WHAT', 'HOW', 'FRAMEWORK', 'SESSION', 'TURNS', 'CHARACTERS', 'RECOVERY'],
      ...moments.map((moment) => [
        moment.at,
        moment.kind,
        moment.outcome,
        moment.framework ?? '-',
        plain(moment.session_id),
        String(moment.stored_turns ?? '-'),
        String(moment.characters ?? '-'),
        moment.recovery ?? '-',
      ]),
    ]),
  );
}

/** A session's id as hosts make them; others could move the cursor of a terminal. */
function plain(text: string | null): string {
  return (text ?? '-').replace(/[^\x21-\x7e]/g, '?').slice(0, 36);
}
