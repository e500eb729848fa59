import { expect, test } from 'vitest';
import { turnsOf, useSessions } from './session.fixture.ts';

const newSession = useSessions();

test('a Claude Code session with megabytes of text is kept whole, once, hook by hook', async () => {
  const { api, machine, transcript } = await newSession();
  const sentence = 'The northern lighthouse keeper counted the ships again and wrote their names down. ';
  const turns = 250;
  for (let turn = 0; turn < turns; turn += 1) {
    transcript.user(`Turn ${turn}. ${sentence.repeat(60)}`);
    transcript.tool('Read', { file_path: `/log/${turn}` }, sentence.repeat(180));
  }
  const seen = async () => {
    const { body } = await api.get<'status'>('/status');
    return body.counts.episodic;
  };
  let before = -1;
  for (let now = 0; now !== before; now = await seen()) {
    before = now;
    const compacting = transcript.hook('PreCompact', { trigger: 'auto', custom_instructions: '' });
    const fired = await machine.fire(compacting);
    expect(fired.err).toMatch(/^(?:svc: \d+\.\d MiB of older turns wait in the transcript; .+\n)?$/);
  }
  const kept = await turnsOf(api);
  expect(kept.filter((turn) => /^user: Turn \d+\./.test(turn))).toHaveLength(turns);
  expect(kept.filter((turn) => turn.includes('[tools used]'))).toHaveLength(turns);
  expect(new Set(kept.filter((turn) => !turn.includes('(continued)'))).size).toBe(2 * turns);
}, 120_000);
