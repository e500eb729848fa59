import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { readOwnFile } from '../files/plain-file.ts';
import { factName } from '../files/state.ts';
import { makeFolders } from '../files/write-file.ts';

/** What is read of a message: https://opencode.ai/docs/sdk */
export interface OpenCodeMessage {
  readonly info: {
    readonly id: string;
    readonly role: string;
    readonly time: { readonly created: number; readonly completed?: number };
    /** True of the summary that a compaction made. */
    readonly summary?: unknown;
  };
  readonly parts: readonly {
    readonly type: string;
    readonly text?: string;
    readonly synthetic?: boolean;
    readonly ignored?: boolean;
    readonly tool?: string;
    readonly state?: { readonly input?: unknown };
  }[];
}

/** The messages of a session as the hooks read transcripts: OpenCode keeps them in a database of its own. */
export class TranscriptFile {
  readonly path: string;
  readonly #folder: string;
  #written: Set<string> | undefined;

  constructor(home: string, sessionId: string) {
    this.#folder = join(home, 'hooks');
    this.path = join(this.#folder, factName('transcript', sessionId));
  }

  /** Adds the messages that are whole and not there yet. */
  add(messages: readonly OpenCodeMessage[]): void {
    try {
      this.#written ??= idsIn(this.path);
      const written = this.#written;
      const news = messages.filter((message) => !written.has(message.info.id) && isWhole(message));
      if (news.length === 0) return;
      makeFolders(this.#folder);
      appendFileSync(this.path, news.map((message) => `${JSON.stringify(toRecord(message))}\n`).join(''), {
        mode: 0o600,
      });
      for (const { info } of news) written.add(info.id);
    } catch {
      // The hook says what is wrong with the folder; `npx svc-memory hooks status` shows it.
    }
  }
}

function idsIn(path: string): Set<string> {
  // A new session has none.
  const text = readOwnFile(path) ?? '';
  return new Set(text.split('\n').flatMap((line) => /"id":"([^"]+)"/.exec(line)?.[1] ?? []));
}

function isWhole({ info: { role, time, summary } }: OpenCodeMessage): boolean {
  return summary !== true && (role === 'user' || time.completed !== undefined);
}

/** A line as the generic host writes it. */
function toRecord({ info, parts }: OpenCodeMessage) {
  const content = parts.flatMap(({ type, text, synthetic, ignored, tool, state }): object[] => {
    if (type === 'text' && !synthetic && !ignored) return [{ type: 'text', text }];
    return type === 'tool' ? [{ type: 'tool_use', name: tool, input: state?.input }] : [];
  });
  return { id: info.id, role: info.role, timestamp: new Date(info.time.created).toISOString(), content };
}
