import { saveSnapshot } from '../../hooks/src/files/snapshot.ts';

/** Saves one long `SVC.md` after the other into the folder it is told, and says so each time, until it is killed. */
const [folder = ''] = process.argv.slice(2);
const origin = {
  framework: 'claude-code',
  event: 'PreCompact',
  sessionId: 's1',
  service: 'http://127.0.0.1',
  key: '0'.repeat(32),
};
for (let version = 1; ; version += 1) {
  saveSnapshot(folder, `# MEMORY INJECTION\n${`version ${version} `.repeat(20_000)}`, origin);
  process.stdout.write(`${version}\n`);
}
