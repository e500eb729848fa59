import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { listen } from '../../../test/kit/listen.ts';

const run = promisify(execFile);

type Files = Readonly<Record<string, string | { target: string }>>;

/** A Git server on this machine, spoken to as any other over http. */
export interface GitServer {
  readonly url: string;
  /** Makes a repository of some files; a target makes a symbolic link. */
  repository(name: string, files: Files): Promise<string>;
  /** Adds files to one, or changes them. */
  commit(name: string, files: Files): Promise<void>;
  close(): Promise<void>;
}

export async function startGitServer(): Promise<GitServer> {
  const root = await mkdtemp(join(tmpdir(), 'svc-git-server-'));
  const server = createServer((request, response) => answer(root, request, response));
  const { url, close } = await listen(server);
  const git = (name: string, ...args: string[]) =>
    run('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-C', join(root, name), ...args]);
  const commit = async (name: string, files: Files) => {
    for (const [path, content] of Object.entries(files)) {
      const file = join(root, name, path);
      await mkdir(dirname(file), { recursive: true });
      if (typeof content === 'string') await writeFile(file, content);
      else await symlink(content.target, file);
    }
    await git(name, 'add', '.');
    await git(name, 'commit', '--quiet', '-m', 'x');
  };
  return {
    url,
    commit,
    repository: async (name, files) => {
      await mkdir(join(root, name));
      await git(name, 'init', '--quiet', '--initial-branch=main');
      await commit(name, files);
      return `${url}/${name}/.git`;
    },
    close: async () => {
      await close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** As a web server runs `git http-backend` by CGI. */
function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const { pathname, search } = new URL(request.url ?? '/', 'http://x');
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      PATH_INFO: decodeURIComponent(pathname),
      QUERY_STRING: search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
      ...(request.headers['content-length'] ? { CONTENT_LENGTH: request.headers['content-length'] } : {}),
    },
  });
  request.pipe(child.stdin);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.once('close', () => {
    const all = Buffer.concat(parts);
    const end = all.indexOf('\r\n\r\n');
    for (const line of all.toString('latin1', 0, Math.max(0, end)).split('\r\n')) {
      const [name = '', value = ''] = line.split(/:\s*/, 2);
      if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
      else if (name !== '') response.setHeader(name, value);
    }
    response.end(all.subarray(end + 4));
  });
}
