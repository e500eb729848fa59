import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { HOOK_SCRIPT } from '@svc-memory/hooks';
import { listen } from '../../kit/listen.ts';
import type { Benchmark } from '../benchmark.ts';
import { temporaryFolder } from '../clean-up.ts';
import { interleave, median, ratio } from '../measure.ts';

/** How many times longer than bare Node a hook may take. */
const GOAL = 3;
const INJECTION = `# MEMORY INJECTION\n${'- [soul] I keep my promises.\n'.repeat(300)}`;

export const hooks: Benchmark = {
  name: 'hooks',
  description:
    'One process of a hook, from its start to its end, beside node -e 0: delivering at the start of a session, and flushing a turn. A service that answers at once stands in for ours.',
  run: async (bench) => {
    const { path: folder, remove } = await temporaryFolder('hooks');
    const server = createServer((request, response) => {
      request.resume().once('end', () => {
        response.end(JSON.stringify({ success: true, injection: INJECTION, metadata: { stored_turns: 1 } }));
      });
    });
    const { url, close } = await listen(server);
    const transcript = join(folder, 't.jsonl');
    await writeFile(transcript, '');
    const env = {
      ...process.env,
      SVC_API_URL: url,
      SVC_API_KEY: 'svc_bench',
    };
    const run = async (args: string[], input = '') => {
      const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'ignore', 'inherit'] });
      child.stdin.end(input);
      const [code] = await once(child, 'close');
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
    };
    const fire = (event: string, more: object) =>
      run(
        [HOOK_SCRIPT, 'claude-code', '--home', join(folder, '.svc')],
        JSON.stringify({ session_id: 's1', transcript_path: transcript, hook_event_name: event, ...more }),
      );
    bench.progress('hooks');
    const times = await interleave(
      {
        node: () => run(['-e', '0']),
        deliver: () => fire('SessionStart', { source: 'startup' }),
        flush: async (call) => {
          const message = { role: 'user', content: `Turn ${call}.` };
          await appendFile(transcript, `${JSON.stringify({ type: 'user', message })}\n`);
          await fire('Stop', {});
        },
      },
      bench.effort({ rounds: 5, calls: 10 }),
    );
    await close();
    await remove();
    const figure = (name: string, ours: readonly number[]) => ({
      name,
      unit: 'ms' as const,
      value: median(ours),
      floor: median(times.node),
      ratio: ratio(ours, times.node),
      goal: GOAL,
    });
    return [figure('hook: deliver', times.deliver), figure('hook: flush a turn', times.flush)];
  },
};
