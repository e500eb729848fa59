import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { FolderInUseError } from '@svc-memory/core';
import { z } from 'zod';
import { isSameSecret } from '../../access/bearer.ts';
import { CliError } from '../../control/cli-error.ts';
import { DOOR_FILE, idOf, NONCE_HEADER, PROOF_PATH, proofOf } from '../../control/control-door.ts';

const doorSchema = z.object({ port: z.number(), token: z.string(), folder: z.string() });
const proofSchema = z.object({ proof: z.string() });
const failureSchema = z.object({
  message: z.string(),
  fix: z.string().optional(),
  exitCode: z.number().optional(),
});

type Door = z.output<typeof doorSchema>;

/**
 * Has the running service do something, however long it takes, and resolves with its answer.
 *
 * @throws CliError as the service words it.
 */
export type AskService = (action: string, input: object) => Promise<unknown>;

/** Finds the service that runs on a data folder; undefined where none answers. */
export async function findService(dataDir: string): Promise<AskService | undefined> {
  const door = await readDoor(join(dataDir, DOOR_FILE));
  if (!door || door.folder !== idOf(dataDir) || !(await provesItself(door))) return undefined;
  return (action, input) => ask(door, action, input);
}

/** Says that a data folder is in use by what does not answer. */
export function explainSilence(error: FolderInUseError): CliError {
  return new CliError(`${error.message.split('. ')[0]}, which does not answer.`, {
    fix: 'If it is the service, restart it; if it is another command, run this again when that has ended.',
    cause: error,
  });
}

async function readDoor(file: string): Promise<Door | undefined> {
  try {
    return doorSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}

async function provesItself(door: Door): Promise<boolean> {
  const nonce = randomBytes(32).toString('base64url');
  try {
    const { body } = await post(door, PROOF_PATH, { [NONCE_HEADER]: nonce });
    return isSameSecret(proofSchema.parse(body).proof, proofOf(door.token, nonce));
  } catch {
    return false;
  }
}

async function ask(door: Door, action: string, input: object): Promise<unknown> {
  const headers = { Authorization: `Bearer ${door.token}` };
  const { status, body } = await post(door, `/${action}`, headers, input).catch((error: unknown) => {
    throw new CliError('The service ended while it was asked.', {
      fix: 'Its log says why. Run this again.',
      cause: error,
    });
  });
  if (status === 200) return body;
  if (status === 404) {
    throw new CliError('The running service is of a version that cannot do this.', { fix: 'Restart it.' });
  }
  const { message, ...rest } = failureSchema.parse(body);
  throw new CliError(message, rest);
}

async function post({ port }: Door, path: string, headers: Record<string, string>, input: object = {}) {
  const call = request({ host: '127.0.0.1', port, path, method: 'POST', headers });
  call.end(JSON.stringify(input));
  const [response] = (await once(call, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: (await json(response)) as unknown };
}
