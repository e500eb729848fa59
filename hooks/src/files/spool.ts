import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Owner } from '../owner.ts';
import { asFields, type Fields, parseFields, textField } from './fields.ts';
import { readOwnFile } from './plain-file.ts';
import { makeFolders, writeFileAtomically } from './write-file.ts';

const FORMAT = 1;
const MOST_FILES = 500;
const MOST_BYTES = 16 * 1_048_576;

/** The only requests that may wait: a file of the folder that names another was not written by a hook. */
const PATHS = ['/webhooks/compaction', '/compactions'] as const;

/** A request that waits for the service. */
interface Request {
  readonly path: (typeof PATHS)[number];
  readonly body: Fields;
}

/** One that was kept. */
export interface Waiting extends Request {
  readonly owner: Owner;
  /** When it was kept, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * Requests kept on this machine until the service is back: one file each, under a unique name, so that any number of
 * hooks may add and send at the same time. A request that two of them send is stored once by the service.
 */
export interface Spool {
  /** Keeps a request; false where there is no room left for it. */
  add(request: Request, owner: Owner): boolean;
  /** Names of what waits, oldest first. */
  names(): string[];
  /** Undefined for what no hook of this release can have written. */
  read(name: string): Waiting | undefined;
  remove(name: string): void;
}

/** Opens the spool of a folder. */
export function openRequestSpool(home: string): Spool {
  const folder = join(home, 'hooks', 'spool');
  const names = () => {
    try {
      return readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort();
    } catch {
      return [];
    }
  };
  return {
    add: (request, owner) => {
      const file = JSON.stringify({ svc: FORMAT, ...owner, ...request });
      const waiting = names();
      const bytes = waiting.reduce((sum, name) => sum + sizeOf(join(folder, name)), 0);
      if (waiting.length >= MOST_FILES || bytes + file.length > MOST_BYTES) return false;
      try {
        makeFolders(folder);
        const time = Date.now().toString().padStart(15, '0');
        writeFileAtomically(join(folder, `${time}-${randomUUID()}.json`), file, { durable: false });
        return true;
      } catch {
        return false;
      }
    },
    names,
    read: (name) => {
      const fields = parseFields(readOwnFile(join(folder, name))) ?? {};
      const path = PATHS.find((one) => one === fields.path);
      if (fields.svc !== FORMAT || path === undefined) return undefined;
      const owner = { key: textField(fields, 'key'), of: textField(fields, 'of') };
      return { path, body: asFields(fields.body), owner, since: Number.parseInt(name, 10) };
    },
    remove: (name) => rmSync(join(folder, name), { force: true }),
  };
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
