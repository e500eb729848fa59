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

/**
 * Which room of core may import which: only those before it in this list, types included. `npm run check` keeps it so.
 * A room is a folder of core/src, or a folder below kernel/ or features/.
 */
const ROOMS = [
  'text',
  'kernel/runtime',
  'kernel/contract',
  'kernel/database',
  'kernel/context',
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
];

const TESTS = '\\.(test|fixture)\\.ts$';
const inRoom = (room) => `^core/src/${room}(/|\\.ts$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...ROOMS.slice(0, -1).map((room, place) => ({
      name: `${room.replace('/', '-')}-imports-only-what-stands-before-it`,
      severity: 'error',
      from: { path: inRoom(room), pathNot: TESTS },
      to: { path: ROOMS.slice(place + 1).map(inRoom) },
    })),
    {
      name: 'every-room-has-its-place',
      comment: 'List a new feature in app/features.ts, another folder in ROOMS, behind all that it imports.',
      severity: 'error',
      from: { path: '^core/src/', pathNot: [TESTS, ...ROOMS.map(inRoom)] },
      to: {},
    },
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
    includeOnly: '^core/src',
  },
};
