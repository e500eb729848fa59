import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Benchmark } from '../benchmark.ts';
import { temporaryFolder } from '../clean-up.ts';
import { interleave, median, ratio } from '../measure.ts';

const OURS = fileURLToPath(new URL('../../../mcp/bin/svc-mcp.js', import.meta.url));
const PEER = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/dist/index.js');
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

export const mcp: Benchmark = {
  name: 'mcp',
  description:
    'The cold start of svc-mcp, from its start to the answer to initialize, beside node -e 0 and beside the official @modelcontextprotocol/server-memory.',
  run: async (bench) => {
    const { path: folder, remove } = await temporaryFolder('mcp');
    const env = { ...process.env, MEMORY_FILE_PATH: join(folder, 'memory.jsonl') };
    const bare = async () => {
      await once(spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' }), 'close');
    };
    const start = async (script: string) => {
      const child = spawn(process.execPath, [script], {
        env,
        cwd: folder,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
      const [answer] = await once(child.stdout, 'data');
      if (!JSON.parse(String(answer)).result) throw new Error(`${script} answered ${answer}`);
      return child;
    };
    // How a process ends is not timed.
    const ended: Promise<unknown>[] = [];
    const cold = async (script: string) => {
      const child = await start(script);
      ended.push(once(child, 'close'));
      child.kill('SIGKILL');
    };
    bench.progress('mcp');
    const times = await interleave(
      {
        node: bare,
        ours: () => cold(OURS),
        peer: () => cold(PEER),
      },
      bench.effort({ rounds: 5, calls: 10 }),
    );
    await Promise.all(ended);
    await remove();
    const value = median(times.ours);
    return [
      {
        name: 'svc-mcp: cold start, beside bare Node',
        unit: 'ms',
        value,
        floor: median(times.node),
        ratio: ratio(times.ours, times.node),
      },
      {
        name: 'svc-mcp: cold start, beside server-memory',
        unit: 'ms',
        value,
        floor: median(times.peer),
        ratio: ratio(times.ours, times.peer),
        goal: 1,
      },
    ];
  },
};
