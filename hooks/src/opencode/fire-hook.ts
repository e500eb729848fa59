import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { GENERIC_EVENTS } from '../frameworks/generic.ts';

/** The input of a hook. */
export interface HookCall {
  readonly hook_event_name: (typeof GENERIC_EVENTS)[number];
  readonly session_id: string;
  readonly transcript_path: string;
  readonly prompt?: string;
}

/** A hook ends by itself sooner. */
const MOST_MS = 6_000;

/**
 * Runs a hook in a process of its own, since OpenCode is no Node, and answers what it wrote; nothing where it fails.
 *
 * @param node The program that runs it; where it is none, the `node` in the `PATH` does.
 * @param args The script and its arguments.
 */
export function fireHook(node: string | undefined, args: readonly string[], call: HookCall): Promise<string> {
  const program = node !== undefined && existsSync(node) ? node : 'node';
  return new Promise((resolve) => {
    // What it says on stderr would stand in the middle of OpenCode's screen.
    const child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: MOST_MS,
      windowsHide: true,
    });
    let written = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
    child.stdin.on('error', () => {});
    child.on('error', () => resolve(''));
    child.on('close', (code) => resolve(code === 0 ? written : ''));
    child.stdin.end(JSON.stringify(call));
  });
}
