import { expect, it } from 'vitest';
import { frameworks } from './index.ts';

it.each([...frameworks])('$id does nothing at events it does not know, whatever they are called', (host) => {
  for (const event of ['', 'toString', 'constructor', '__proto__', 'hasOwnProperty', 'nothing']) {
    expect(host.toEvent({ hook_event_name: event, session_id: 's' })).toBeUndefined();
  }
});
