// Adds to package-lock.json the packages for other platforms that a partial npm mirror leaves out: without them
// `npm ci` refuses the lock file everywhere. Run it after npm install: node .ci/complete-lock.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const file = fileURLToPath(new URL('../package-lock.json', import.meta.url));
const lock = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lock;

const SYSTEMS = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'x64'];

let added = 0;
for (const [path, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    if (placesOf(path, name).some((place) => place in packages)) continue;
    const words = name.split(/[/-]/);
    const system = SYSTEMS.find((word) => words.includes(word));
    const processor = PROCESSORS.find((word) => words.includes(word));
    if (!system || !processor) continue;
    const musl = words.includes('musl');
    packages[`node_modules/${name}`] = {
      version,
      cpu: [processor],
      ...(dev ? { dev } : {}),
      ...(system === 'linux' && (musl || words.includes('gnu')) ? { libc: [musl ? 'musl' : 'glibc'] } : {}),
      optional: true,
      os: [system],
    };
    added += 1;
  }
}

/** Where Node would look for a package, from the inside out. */
function placesOf(path, name) {
  const places = [];
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    places.push(`${folder ? `${folder}/` : ''}node_modules/${name}`);
    if (!folder) return places;
  }
}

lock.packages = Object.fromEntries(Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} packages of other platforms added\n`);
