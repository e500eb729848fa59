import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { columns, createTerminal } from './terminal.ts';

function terminal(isTTY: boolean, env: Record<string, string> = {}) {
  const stdout = Object.assign(new PassThrough(), { isTTY }) as unknown as NodeJS.WriteStream;
  const stderr = new PassThrough() as unknown as NodeJS.WriteStream;
  return { stdout, stderr, ...createTerminal({ stdout, stderr, env }) };
}

test.each([
  [true, {}, '\u001b[32mok\u001b[39m'],
  [false, {}, 'ok'],
  [true, { NO_COLOR: '1' }, 'ok'],
  [true, { TERM: 'dumb' }, 'ok'],
])('a terminal %s with %j shows green as %j', (isTTY, env, shown) => {
  expect(String(terminal(isTTY, env).style('green', 'ok'))).toBe(shown);
});

test.each(['EPIPE', 'ENOSPC'])(
  'what ends in %s is told to whoever asks, and thrown at nobody',
  async (code) => {
    const { stdout, stderr, out, err, written } = terminal(false);
    expect(await written()).toBeUndefined();
    out('a result');
    expect(await written()).toBeUndefined();
    for (const stream of [stdout, stderr]) stream.destroy(Object.assign(new Error(code), { code }));
    out('another');
    err('about it');
    expect(await written()).toMatchObject({ code });
  },
);

test('a long text waits for its reader, and leaves nothing behind on the stream', async () => {
  const { stdout, write } = terminal(false);
  const listeners = () => ['close', 'drain', 'error'].map((event) => stdout.listenerCount(event));
  const before = listeners();
  const long = 'x'.repeat(100_000);
  for (let written = 0; written < 20; written += 1) {
    const done = write(long);
    let waits = true;
    void done.then(() => {
      waits = false;
    });
    await Promise.resolve();
    expect(waits).toBe(true);
    stdout.resume();
    await done;
    stdout.pause();
  }
  expect(listeners()).toEqual(before);
  const last = write(long);
  stdout.destroy();
  await last;
});

const FOREIGN = 'a\u200bb \u001b[8mc\u001b[2J \u001b[31mred\u001b[39m \u202ed 👩‍💻\n\tnext';
const SHOWN = 'a\\u200bb \\u001b[8mc\\u001b[2J \\u001b[31mred\\u001b[39m \\u202ed 👩‍💻\n\tnext';

test('out keeps what was styled and shows what else would be unseen, in what is styled too', () => {
  const { stdout, style, out } = terminal(true);
  out(style('red', FOREIGN), ` ${FOREIGN}`);
  expect(String(stdout.read())).toBe(`\u001b[31m${SHOWN}\u001b[39m ${SHOWN}\n`);
});

test('err, and out where nothing is coloured, show all that would be unseen', () => {
  const { stdout, stderr, style, out, err } = terminal(false);
  out(style('red', FOREIGN));
  err(FOREIGN);
  for (const stream of [stdout, stderr]) expect(String(stream.read())).toBe(`${SHOWN}\n`);
});

test('columns are lined up without white space at the end', () => {
  expect(
    columns([
      ['A', 'LONG NAME'],
      ['wide', 'b'],
    ]),
  ).toBe('A     LONG NAME\nwide  b');
});
