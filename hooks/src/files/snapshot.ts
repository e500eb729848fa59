import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeVisible } from '@svc-memory/core/text';
import { readOwnFile } from './plain-file.ts';
import { withoutSecrets } from './secrets.ts';
import { writeFileAtomically } from './write-file.ts';

/** Name of the file that holds the last good injection. */
export const SNAPSHOT_FILE = 'SVC.md';
const FORMAT = 1;
const ABANDONED_MS = 60_000;

/** The last good injection as it was saved. */
export interface SavedInjection {
  readonly savedAt: string;
  readonly text: string;
  /** The digest of the key by which it came; undefined in a file of an earlier release. */
  readonly key: string | undefined;
}

/** Where a snapshot comes from. */
export interface Origin {
  readonly framework: string;
  readonly event: string;
  readonly sessionId: string | undefined;
  readonly service: string;
  /** The digest of the key by which it came. */
  readonly key: string;
}

/** Saves an injection as `SVC.md`, keys left out; the format is described in the README of this package. */
export function saveSnapshot(folder: string, injection: string, origin: Origin, now = new Date()): void {
  const text = withoutSecrets(injection).split('\n').map(makeVisible).join('\n').trimEnd();
  const about = {
    svc: FORMAT,
    saved_at: now.toISOString(),
    service: origin.service,
    framework: origin.framework,
    event: origin.event,
    session_id: origin.sessionId ?? null,
    key_digest: origin.key,
    characters: text.length,
  };
  const lines = Object.entries(about).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  writeFileAtomically(join(folder, SNAPSHOT_FILE), `---\n${lines.join('\n')}\n---\n\n${text}\n`, {
    durable: true,
  });
  removeAbandoned(folder, now);
}

/** Reads `SVC.md`; undefined where there is none, or none of ours that is whole. */
export function loadSnapshot(folder: string): SavedInjection | undefined {
  const file = readOwnFile(join(folder, SNAPSHOT_FILE))?.replaceAll('\r\n', '\n') ?? '';
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(file) ?? [];
  const text = body.trimEnd();
  const savedAt = /^saved_at: "([^"]+)"$/m.exec(head)?.[1];
  if (savedAt === undefined || text === '' || !head.includes(`svc: ${FORMAT}\n`)) return undefined;
  return { savedAt, text, key: /^key_digest: "(\w+)"$/m.exec(head)?.[1] };
}

/** Removes `SVC.md`. */
export function removeSnapshot(folder: string): void {
  rmSync(join(folder, SNAPSHOT_FILE), { force: true });
}

/** A hook that was killed while it wrote leaves its candidate behind. */
function removeAbandoned(folder: string, now: Date): void {
  try {
    for (const name of readdirSync(folder)) {
      if (!name.startsWith(`${SNAPSHOT_FILE}.`) || !name.endsWith('.tmp')) continue;
      const path = join(folder, name);
      if (now.getTime() - statSync(path).mtimeMs > ABANDONED_MS) rmSync(path, { force: true });
    }
  } catch {
    // Another hook was faster.
  }
}
