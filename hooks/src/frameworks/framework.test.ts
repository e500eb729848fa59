import { expect, it } from 'vitest';
import { claudeCodeFramework } from './claude-code.ts';
import { geminiCliFramework } from './gemini-cli.ts';
import { frameworks } from './index.ts';

it.each([...frameworks])('$id does nothing at events it does not know, whatever they are called', (host) => {
  for (const event of ['', 'toString', 'constructor', '__proto__', 'hasOwnProperty', 'nothing']) {
    expect(host.toEvent({ hook_event_name: event, session_id: 's' })).toBeUndefined();
  }
});

it.each(['PreCompact', 'PostCompact', 'SessionStart'])(
  'Claude Code: %s of a subagent is none of the session',
  (name) => {
    const input = {
      hook_event_name: name,
      session_id: 's',
      source: 'compact',
      compact_summary: 'It read files.',
    };
    expect(claudeCodeFramework.toEvent(input)).toBeDefined();
    expect(claudeCodeFramework.toEvent({ ...input, agent_id: 'a1', agent_type: 'Explore' })).toBeUndefined();
  },
);

it.each([
  ['<hook_context># MEMORY INJECTION\n&lt;b&gt;</hook_context>\n\nWhich lamp?', 'Which lamp?'],
  [
    'Which lamp?\n<hook_context>one</hook_context>\nThe blue one?<hook_context>two</hook_context>',
    'Which lamp?\n\nThe blue one?',
  ],
  ['<hook_context>nothing else</hook_context>', ''],
  ['What does <hook_context> mean?', 'What does <hook_context> mean?'],
])('Gemini CLI: what hooks have added to the prompt %j is no part of what is asked', (prompt, asked) => {
  const input = { hook_event_name: 'BeforeAgent', session_id: 's', prompt };
  expect(geminiCliFramework.toEvent(input)).toMatchObject({ point: 'prompt', prompt: asked });
});
