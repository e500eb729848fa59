import { readFileSync } from 'node:fs';

/** The folders of the features, in the order of the list in app/features.ts. */
function featuresInOrder() {
  const [imports, list] = readFileSync('core/src/app/features.ts', 'utf8').split('export const features');
  const folderOf = new Map(
    [...imports.matchAll(/import \{ (\w+) \} from '\.\.\/(features\/[^/]+)\//g)].map(([, name, folder]) => [
      name,
      folder,
    ]),
  );
  return [...list.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => folderOf.get(name));
}

/** The folders of the pages that show nothing of another page. */
function plainPages() {
  const list = readFileSync('dashboard/src/app/pages.ts', 'utf8');
  const folders = [...list.matchAll(/from '\.\.\/([^/]+)\/index\.ts'/g)].map(([, folder]) => folder);
  return folders.filter((folder) => !['memory', 'overview', 'session', 'settings'].includes(folder));
}

/** The packages: each imports only those before it, of which adapters use core alone. */
const PACKAGES = ['core', 'hooks', 'mcp', 'adapters/ai-sdk', 'adapters/langchain', 'dashboard', 'server'];

/**
 * Which room of a package may import which: only those before it, types included. A room is a file or folder of `src`, in
 * core also a folder below kernel/ or features/.
 */
const ROOMS = {
  core: [
    'text',
    'kernel/runtime',
    'kernel/contract',
    'kernel/database',
    'kernel/context',
    'kernel/audit',
    'kernel/tenancy',
    'kernel/commit',
    'kernel/queue',
    'kernel/tools',
    // defineFeature
    'kernel/feature',
    'secrets',
    'language-model',
    ...featuresInOrder(),
    'features/scrub',
    'app',
    'client',
    'adapter',
    'index',
    'server',
    'testing',
  ],
  hooks: ['files', 'credentials', 'frameworks', 'install', 'opencode'],
  dashboard: [
    ...['language', 'api', 'charts', 'design', 'navigation'],
    ...plainPages(),
    // These show parts of other pages.
    ...['memory', 'overview'],
    ...['session', 'shell', 'settings'],
    ...['app', 'start', 'main'],
  ],
  server: [
    ...['answers', 'config', 'logs', 'optional-packages'],
    // Who calls, how often, and what with.
    ...['limits', 'access', 'request', 'redis'],
    // What has routes.
    ...[
      'events',
      'metrics',
      'operator',
      'export',
      'import',
      'routing',
      'backups',
      'accounts',
      'dashboard',
      'authorization',
      'mcp',
      'system',
    ],
    ...['openapi', 'app', 'index'],
    // The process: the door for `svc` commands, and the commands.
    ...['control', 'cli'],
  ],
};
/** In these every file or folder is a room. */
const COMPLETE = ['core', 'dashboard', 'server'];

const TESTS = '\\.(test|fixture)\\.tsx?$';
const inPackage = (name) => `^${name}/(src|dist)/`;
const inRoom = (name, room) => `^${name}/src/${room}(/|\\.tsx?$)`;
const nameOf = (path) => path.replaceAll('/', '-');

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...PACKAGES.slice(0, -1).map((name, place) => ({
      name: `${nameOf(name)}-imports-only-packages-before-it`,
      severity: 'error',
      from: { path: `^${name}/src/`, pathNot: TESTS },
      to: { path: PACKAGES.slice(place + 1).map(inPackage) },
    })),
    {
      name: 'adapters-import-core-alone',
      severity: 'error',
      from: { path: '^adapters/([^/]+)/src/', pathNot: TESTS },
      to: { path: PACKAGES.slice(1).map(inPackage), pathNot: '^adapters/$1/' },
    },
    ...Object.entries(ROOMS).flatMap(([name, rooms]) =>
      rooms.slice(0, -1).map((room, place) => ({
        name: `${nameOf(`${name}/${room}`)}-imports-only-what-stands-before-it`,
        severity: 'error',
        from: { path: inRoom(name, room), pathNot: TESTS },
        to: { path: rooms.slice(place + 1).map((later) => inRoom(name, later)) },
      })),
    ),
    ...COMPLETE.map((name) => ({
      name: `every-room-of-${name}-has-its-place`,
      comment: 'List a new feature in app/features.ts, another room in ROOMS, behind all that it imports.',
      severity: 'error',
      from: { path: `^${name}/src/`, pathNot: [TESTS, ...ROOMS[name].map((room) => inRoom(name, room))] },
      to: {},
    })),
    {
      name: 'only-app-imports-feature-objects',
      severity: 'error',
      from: { path: '^core/src/', pathNot: ['^core/src/app/', TESTS] },
      to: { path: '^core/src/features/[^/]+/index\\.ts$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.tests.json' },
    doNotFollow: { path: ['node_modules', 'dist'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['source', 'import', 'default'] },
    includeOnly: PACKAGES.map((name) => `^${name}/(src|dist)/`),
  },
};
