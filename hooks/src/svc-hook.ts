import { writeSync } from 'node:fs';
import { findCredentials } from './credentials.ts';
import { deliver } from './deliver.ts';
import { flush } from './flush.ts';
import { type Fields, fieldsOf, type Moment } from './framework.ts';
import { frameworks } from './frameworks/index.ts';
import { elapsed, type Hook, messageOf } from './hook.ts';
import { type HookOptions, readOptions } from './options.ts';
import { createService, type Service } from './service.ts';
import { openSpool } from './spool.ts';
import { factName, openState, type State } from './state.ts';

// Milliseconds since the process began. Nothing may hold the host for longer than 5 seconds.
const INPUT_READ = 2_500;
const SERVICE_ASKED = 4_100;
const OVER = 4_600;
// Milliseconds that each part may take, should there be so many left.
const DELIVERY = 3_000;
const FLUSH = { compaction: 4_000, recover: 1_500, turn: 1_300, end: 1_300 } as const;
/** What a session that starts may still do for others once it has its memory. */
const FLUSH_AFTER_DELIVERY = 700;
const MOST_STDIN_CHARACTERS = 16 * 1_048_576;

/** Ends the process at once, and always well: a hook that fails must not fail its host. */
function leave(): never {
  process.exit(0);
}

function say(text: string): void {
  try {
    // Written at once: the process may end right after.
    writeSync(2, `svc: ${text}\n`);
  } catch {
    // Nobody listens.
  }
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const framework = frameworks.find(({ id }) => id === options.framework);
  if (!framework) {
    const known = frameworks.map(({ id }) => id).join(', ');
    return say(`"${options.framework}" is not a known framework; use one of ${known}`);
  }
  const input = options.event === undefined ? await readInput() : inputOf(options);
  const found = framework.toMoment(input);
  if (found === undefined) return write(framework.answer('', undefined));
  const state = openState(options.home, (error) =>
    say(`${options.home} cannot be written: ${messageOf(error)}`),
  );
  const moment = found === 'prompt' ? promptMoment(input, state) : found;
  if (moment === undefined) return write(framework.answer('', undefined));
  await run({
    options,
    framework,
    moment,
    state,
    spool: openSpool(options.home),
    service: lazily(options),
    say,
  });
}

async function run(hook: Hook): Promise<void> {
  const { moment, framework, state } = hook;
  const { kind } = moment;
  if (kind !== 'start' && kind !== 'recover') {
    if (kind === 'compaction' && framework.recoversAtPrompt) state.write(recoveryFact(moment.sessionId), '');
    await flush(hook, within(FLUSH[kind]));
    return write(framework.answer(moment.event, undefined));
  }
  // What was said last belongs into the recovery.
  if (kind === 'recover') await flush(hook, within(FLUSH.recover));
  const { text, fresh, finish } = await deliver(hook, within(DELIVERY));
  await write(framework.answer(moment.event, text));
  try {
    finish();
  } catch (error) {
    say(`SVC.md cannot be written: ${messageOf(error)}`);
  }
  if (kind === 'start' && fresh) await flush(hook, within(FLUSH_AFTER_DELIVERY));
  state.forgetOld();
}

/** When a part that begins now must be over. */
function within(milliseconds: number): number {
  return Math.min(elapsed() + milliseconds, SERVICE_ASKED);
}

/** Some hosts start no session after a compaction: there the next prompt brings the recovery. */
function promptMoment(input: Fields, state: State): Moment | undefined {
  const sessionId = typeof input.session_id === 'string' ? input.session_id : undefined;
  const fact = recoveryFact(sessionId);
  if (state.read(fact) === undefined) return undefined;
  state.remove(fact);
  return { kind: 'recover', event: String(input.hook_event_name), sessionId, transcriptPath: undefined };
}

function recoveryFact(sessionId: string | undefined): string {
  return factName('recover', sessionId ?? '');
}

function inputOf({ event, session, transcript }: HookOptions): Fields {
  return { hook_event_name: event, session_id: session, transcript_path: transcript };
}

/** Reads the host's JSON; some hosts leave the pipe open, so it ends where the JSON does. */
function readInput(): Promise<Fields> {
  return new Promise((resolve) => {
    let text = '';
    const done = (fields: Fields | undefined) => {
      clearTimeout(timer);
      if (!fields) say('there was no JSON on stdin');
      resolve(fields ?? {});
    };
    const timer = setTimeout(() => done(parse(text)), Math.max(0, INPUT_READ - elapsed()));
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (part: string) => {
      text += part;
      const fields = /}\s*$/.test(part) ? parse(text) : undefined;
      if (fields) done(fields);
      else if (text.length > MOST_STDIN_CHARACTERS) done(undefined);
    });
    process.stdin.on('end', () => done(parse(text)));
    process.stdin.on('error', () => done(parse(text)));
  });
}

function parse(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Resolves once the host has it; a host that does not listen any more is no failure. */
function write(answer: string): Promise<void> {
  return answer === ''
    ? Promise.resolve()
    : new Promise((resolve) => process.stdout.write(answer, () => resolve()));
}

function lazily({ credentials }: HookOptions): () => Service {
  let service: Service | undefined;
  return () => {
    service ??= createService(findCredentials(process.env, credentials));
    return service;
  };
}

setTimeout(leave, Math.max(0, OVER - elapsed()));
for (const stream of [process.stdout, process.stderr]) stream.on('error', leave);
process.on('uncaughtException', (error) => {
  say(messageOf(error));
  leave();
});
main().then(leave, (error: unknown) => {
  say(messageOf(error));
  leave();
});
