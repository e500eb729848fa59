import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { makeFolders, writeFileAtomically } from '../files/write-file.ts';
import type { FileHost } from './file-host.ts';
import type { InstallScope } from './hosts.ts';

/** The plugin's code; the same file from the sources and from the build. */
const PLUGIN = fileURLToPath(new URL('../../dist/opencode/plugin.js', import.meta.url));

function pluginFile({ project, userHome, env }: InstallScope): string {
  const folder =
    project === undefined
      ? join(env.XDG_CONFIG_HOME || join(userHome, '.config'), 'opencode')
      : join(project, '.opencode');
  return join(folder, 'plugins', 'svc-memory.js');
}

/** OpenCode loads every file of its plugin folder: ours names the code in this package, and holds paths but no key. */
export const openCodeHost: FileHost = {
  id: 'opencode',
  write({ home, credentials }, scope) {
    const file = pluginFile(scope);
    makeFolders(dirname(file), 0o777);
    writeFileAtomically(
      file,
      `// Written by \`npx svc-memory hooks install opencode\`; \`npx svc-memory hooks uninstall opencode\` removes it.
import { openCodePlugin } from ${JSON.stringify(pathToFileURL(PLUGIN).href)};

export const SvcMemory = openCodePlugin(${JSON.stringify({ home, credentials, node: process.execPath })});
`,
      { durable: false },
    );
    return [file];
  },
  files: (scope) => [pluginFile(scope)],
  script: PLUGIN,
  notes: [
    'Start a new session: its system prompt holds the memory injection.',
    'The plugin names paths on this machine: keep it out of version control.',
  ],
};
