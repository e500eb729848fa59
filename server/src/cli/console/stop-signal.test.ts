import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { listenForStop } from './stop-signal.ts';

function listening() {
  const source = new EventEmitter();
  const clock = { now: 1_000 };
  const exits: number[] = [];
  const stop = listenForStop({ source, now: () => clock.now, exit: (code) => void exits.push(code) });
  const send = (signal: string, after: number) => {
    clock.now += after;
    source.emit(signal, signal);
  };
  return { source, stop, exits, send };
}

test('the first signal asks to stop', async () => {
  const { stop, exits, send } = listening();
  send('SIGTERM', 0);
  expect(await stop.stopped).toBe('SIGTERM');
  expect(exits).toEqual([]);
});

test('the same Ctrl-C heard twice, from the terminal and from npm, is one', () => {
  const { exits, send } = listening();
  send('SIGINT', 0);
  send('SIGINT', 20);
  expect(exits).toEqual([]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('a second %s later ends the process at once', (signal, code) => {
  const { exits, send } = listening();
  send('SIGINT', 0);
  send(signal, 2_000);
  expect(exits).toEqual([code]);
});

test('after off() signals are left to the process', () => {
  const { source, stop } = listening();
  stop.off();
  expect(source.listenerCount('SIGINT') + source.listenerCount('SIGTERM')).toBe(0);
});
