import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIALS_FILE, type Credentials, findCredentials } from './credentials.ts';
import { deliver } from './deliver.ts';
import { type Fields, parseFields } from './files/fields.ts';
import { openRequestSpool } from './files/spool.ts';
import { openState } from './files/state.ts';
import { flush } from './flush.ts';
import { frameworks } from './frameworks/index.ts';
import { elapsed, type Hook, messageOf } from './hook.ts';
import { type HookOptions, readOptions } from './options.ts';
import { placeInSession } from './place-in-session.ts';
import { recallForPrompt } from './recall.ts';
import { createService, type Service } from './service.ts';

// Deadlines in milliseconds since the process began. Nothing may hold the host for longer than 5 seconds.
/** Reading the host's input. */
const INPUT_READ = 2_500;
/** Asking the service. */
const SERVICE_ASKED = 4_100;
/** The process itself. */
const OVER = 4_600;
/** Recalling for a prompt: its hook ends within 300 milliseconds, since the user waits for it. */
const PROMPT = 270;
// Milliseconds that each part may take, where the deadlines above leave as many.
const DELIVERY = 3_000;
const FLUSH = { compaction: 4_000, recover: 1_500, turn: 1_300, end: 1_300 } as const;
/** Sending what other sessions left waiting, once a session that starts has its memory. */
const FLUSH_AFTER_DELIVERY = 700;
const MOST_STDIN_CHARACTERS = 16 * 1_048_576;

/** Ends the process immediately with exit code 0: a hook that fails must not fail its host. */
function leave(): never {
  process.exit(0);
}

function say(text: string): void {
  try {
    // Synchronous: the process may end right after.
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
  const found = framework.toEvent(input);
  if (found === undefined) return write(framework.answer('', undefined));
  const state = openState(options.home, (error) =>
    say(`${options.home} cannot be written: ${messageOf(error)}`),
  );
  await run({
    options,
    framework,
    event: placeInSession(found, { framework, state }),
    state,
    spool: openRequestSpool(options.home),
    service: lazily(options),
    say,
  });
}

async function run(hook: Hook): Promise<void> {
  const { event, framework, state } = hook;
  const { point } = event;
  if (point === 'prompt') {
    const recalled = await recallForPrompt(hook, PROMPT);
    return write(framework.answer(event.name, recalled === '' ? undefined : recalled));
  }
  if (point !== 'start' && point !== 'recover') {
    await flush(hook, within(FLUSH[point]));
    return write(framework.answer(event.name, undefined));
  }
  // Before the recovery, which includes the last turns.
  if (point === 'recover') await flush(hook, within(FLUSH.recover));
  const { text, fresh, finish } = await deliver(hook, within(DELIVERY));
  await write(framework.answer(event.name, text));
  finish();
  if (point === 'start' && fresh) await flush(hook, within(FLUSH_AFTER_DELIVERY));
  state.forgetOld();
}

/** The deadline of a part that begins now, in milliseconds since the process began. */
function within(milliseconds: number): number {
  return Math.min(elapsed() + milliseconds, SERVICE_ASKED);
}

function inputOf({ event, session, transcript, prompt }: HookOptions): Fields {
  return { hook_event_name: event, session_id: session, transcript_path: transcript, prompt };
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
    const timer = setTimeout(() => done(parseFields(text)), Math.max(0, INPUT_READ - elapsed()));
    process.stdin.setEncoding('utf8');
    process.stdin.on('data', (part: string) => {
      text += part;
      const fields = /}\s*$/.test(part) ? parseFields(text) : undefined;
      if (fields) done(fields);
      else if (text.length > MOST_STDIN_CHARACTERS) done(undefined);
    });
    process.stdin.on('end', () => done(parseFields(text)));
    process.stdin.on('error', () => done(parseFields(text)));
  });
}

/** Resolves once the answer is written. A host that has closed the pipe is no failure. */
function write(answer: string): Promise<void> {
  return answer === ''
    ? Promise.resolve()
    : new Promise((resolve) => process.stdout.write(answer, () => resolve()));
}

function lazily(options: HookOptions): () => Service {
  let service: Service | undefined;
  return () => {
    service ??= createService(credentialsOf(options));
    return service;
  };
}

/** @throws Error that says what to set. */
function credentialsOf({ credentials: files }: HookOptions): Credentials {
  const { SVC_API_URL: apiUrl, SVC_API_KEY: apiKey, SVC_DATA_DIR } = process.env;
  const dataDir = SVC_DATA_DIR?.trim();
  const found = findCredentials({
    apiUrl,
    apiKey,
    files: [...(dataDir ? [join(dataDir, CREDENTIALS_FILE)] : []), ...files],
  });
  if (!found)
    throw new Error('there is no API key: set SVC_API_KEY and SVC_API_URL, or start the service once');
  if (!URL.canParse(found.apiUrl) || !/^https?:$/.test(new URL(found.apiUrl).protocol))
    throw new Error('SVC_API_URL is no http or https address');
  if (!/^[\x21-\x7e]+$/.test(found.apiKey)) throw new Error('SVC_API_KEY holds characters no key has');
  return found;
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
