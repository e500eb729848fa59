import { join } from 'node:path';
import type { Output } from '@svc-memory/core';
import { connect } from '@svc-memory/core/client';
import {
  countWaiting,
  findHooks,
  hookHome,
  type Installation,
  type InstalledHooks,
  loadSnapshot,
  megabytes,
  transcriptBacklog,
} from '@svc-memory/hooks';
import { errorText } from '../../../control/cli-error.ts';
import { readCredentials } from '../../access/credentials.ts';
import type { CommandContext } from '../../console/command.ts';
import { columns } from '../../console/terminal.ts';
import { adviceFor, findAll, hookedTwice, type PlaceOptions, placesToLook } from './place.ts';

const SHOWN = 10;
const TIMEOUT_MS = 5_000;

type Moments = Output<'compactions'>;

/** Prints which hooks are installed, what they have saved here, and what the service has heard of them. */
export async function hooksStatus(
  context: CommandContext,
  { dir, json }: PlaceOptions & { readonly json?: true },
): Promise<void> {
  const { env, terminal } = context;
  const places = placesToLook(env, dir);
  const { hooks, homes } = findInstalled(places);
  const kept = homes.map((home) => ({
    home,
    saved: loadSnapshot(home),
    ...countWaiting(home, keyOf(env)),
    backlog: transcriptBacklog(home),
  }));
  const heard = await askService(env);
  if (json) {
    const nearest = kept.find(({ saved }) => saved);
    const svc_md = nearest ? { saved_at: nearest.saved?.savedAt, folder: nearest.home } : null;
    const waiting = kept.reduce((sum, one) => sum + one.own, 0);
    const waiting_of_others = kept.reduce((sum, one) => sum + one.others, 0);
    const service = typeof heard === 'string' ? { error: heard } : heard;
    const backlog_bytes = kept.reduce((sum, one) => sum + one.backlog, 0);
    const listed = hooks.map(({ scriptExists, ...one }) => ({ ...one, script_exists: scriptExists }));
    const local = { hooks: listed, svc_md, waiting, waiting_of_others, backlog_bytes };
    terminal.out(JSON.stringify({ ...local, service }, null, 2));
    return;
  }
  const looked = places.map(({ project, userHome }) => project ?? userHome).join(' nor in ');
  terminal.out(hooks.length === 0 ? `No hooks are installed in ${looked}.` : columns(hooks.map(hookRow)));
  for (const framework of hookedTwice(hooks)) terminal.out(adviceFor(framework));
  for (const { home, saved, own, others, backlog } of kept) {
    const sent = `${own} requests, sent with the next hook that reaches the service`;
    const held = `${others} requests in ${join(home, 'hooks', 'spool')}, of another agent or user than the key or of none that is known: sent by a key of theirs; delete them if they are nobody's`;
    terminal.out('');
    terminal.out(
      columns([
        ['SVC.md', saved ? `saved ${saved.savedAt} in ${home}` : `none in ${home} yet`],
        ['Waiting', own === 0 ? 'nothing' : sent],
        ...(others > 0 ? [['Not sent', held]] : []),
        ...(backlog > 0
          ? [['Backlog', `${megabytes(backlog)} of older turns in transcripts, sent with the next hooks`]]
          : []),
      ]),
    );
  }
  terminal.out('');
  if (typeof heard === 'string') terminal.out(`The service cannot be asked: ${heard}`);
  else showMoments(context, heard);
}

/** The hooks of all places, and the folders where those keep things; the last place's folder where there are none. */
function findInstalled(places: readonly Installation[]): { hooks: InstalledHooks[]; homes: string[] } {
  const installed = places.filter((place) => findHooks(place).length > 0);
  const homes = installed.length > 0 ? installed.map(hookHome) : places.slice(-1).map(hookHome);
  return { hooks: findAll(places), homes: [...new Set(homes)] };
}

/** The key that hooks take by the environment, or by the credentials that are found; undefined where none can be read. */
function keyOf(env: CommandContext['env']): string | undefined {
  try {
    return readCredentials(env)?.apiKey;
  } catch {
    return undefined;
  }
}

/** The last flushes and deliveries, or why they cannot be had. */
async function askService(env: CommandContext['env']): Promise<Moments | string> {
  try {
    const credentials = readCredentials(env);
    if (!credentials)
      return 'there are no credentials; start the service once, or set SVC_API_KEY and SVC_API_URL.';
    const { apiUrl: url, apiKey } = credentials;
    return await connect({ url, apiKey, timeoutMs: TIMEOUT_MS, retries: 0 }).compactions({ limit: SHOWN });
  } catch (error) {
    return errorText(error);
  }
}

function hookRow({ framework, file, events, missing, scriptExists, off }: InstalledHooks): string[] {
  if (off !== undefined) return [framework, file, `are switched off: set ${off} to false there`];
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
