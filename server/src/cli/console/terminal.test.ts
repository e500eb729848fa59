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
  expect(terminal(isTTY, env).style('green', 'ok')).toBe(shown);
});

test('a reader that stops early is no failure, anything else is', () => {
  const { stdout } = terminal(false);
  const failure = (code: string) => () => stdout.emit('error', Object.assign(new Error(code), { code }));
  expect(failure('EPIPE')).not.toThrow();
  expect(failure('EIO')).toThrow('EIO');
});

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

test.each(['out', 'err'] as const)(
  '%s keeps its own colours and shows what else would be unseen',
  (stream) => {
    const { stdout, stderr, style, ...rest } = terminal(true);
    rest[stream](`${style('red', 'no')} a\u200bb \u001b[8mc\u001b[2J \u202ed 👩‍💻\n\tnext`);
    const shown = String((stream === 'out' ? stdout : stderr).read());
    expect(shown).toBe('\u001b[31mno\u001b[39m a\\u200bb \\u001b[8mc\\u001b[2J \\u202ed 👩‍💻\n\tnext\n');
  },
);

test('columns are lined up without white space at the end', () => {
  expect(
    columns([
      ['A', 'LONG NAME'],
      ['wide', 'b'],
    ]),
  ).toBe('A     LONG NAME\nwide  b');
});
