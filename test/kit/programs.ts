import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

/** A program that ends by itself, as a file of an ES module. */
export interface Program {
  readonly file: string;
  /** Variables that it finds beside those of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

const END = '\u0000';
/** Arguments of Node by which limits of time in a program do not end what takes long on a busy machine only. */
const PATIENT = ['--import', new URL('patient-timers.mjs', import.meta.url).href];
const RUNNER = `
  for (const { url, env } of JSON.parse(process.argv[1])) {
    Object.assign(process.env, env);
    await import(url);
    process.stdout.write(${JSON.stringify(END)});
  }`;

/**
 * Runs programs one after the other in one process, since most of them take longer to load their packages than to run.
 *
 * @param args Arguments of Node.
 * @returns what each wrote to stdout.
 * @throws when one fails, or anything is written to stderr.
 */
export async function runInTurn(
  programs: readonly Program[],
  { cwd, args = [] }: { readonly cwd: string; readonly args?: readonly string[] },
): Promise<string[]> {
  const given = programs.map(({ file, env }) => ({ url: pathToFileURL(file).href, env }));
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [...PATIENT, ...args, '--input-type=module', '-e', RUNNER, JSON.stringify(given)],
    { cwd, maxBuffer: 16 << 20 },
  );
  if (stderr !== '') throw new Error(stderr);
  const parts = stdout.split(END);
  if (parts.pop() !== '') throw new Error(`a program wrote after its end: ${stdout.slice(-1_000)}`);
  return parts;
}
