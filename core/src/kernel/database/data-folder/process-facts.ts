import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

interface ProcessFacts {
  /** When it was started, in words of the system's own: a pid is given again, with another start. */
  readonly started: string;
  /** Whether it has ended and only its exit code is left. Such a zombie holds no files any more. */
  readonly ended: boolean;
}

const ENDED_STATES = ['Z', 'X', 'x'];

/** What is known of a process; undefined where there is none, or nothing tells, as on Windows. */
export function processFacts(pid: number): Promise<ProcessFacts | undefined> {
  return process.platform === 'linux' ? factsOfProc(pid) : factsOfPs(pid);
}

async function factsOfProc(pid: number): Promise<ProcessFacts | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The second field, in brackets, may itself hold spaces and brackets.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ');
  return factsFrom(fields?.[0], fields?.[19]);
}

/** What `ps` tells, as macOS and the BSDs have it. */
export async function factsOfPs(pid: number): Promise<ProcessFacts | undefined> {
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' };
  const told = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { env }).catch(
    () => undefined,
  );
  const [, state, started] = /^\s*(\S)\S*\s+(\S.*?)\s*$/.exec(told?.stdout ?? '') ?? [];
  return factsFrom(state, started);
}

function factsFrom(state: string | undefined, started: string | undefined): ProcessFacts | undefined {
  if (state === undefined || started === undefined) return undefined;
  return { started, ended: ENDED_STATES.includes(state) };
}
