// What systemd does with the unit of a user, as far as the service needs it: a container has no systemd.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const { NO_BUS, XDG_CONFIG_HOME, PATH, HOME } = process.env;
const [, , , verb = ''] = process.argv;
const name = process.argv.at(-1);
const pidFile = `${XDG_CONFIG_HOME}/pid`;

const textsIn = (line) =>
  line.match(/"(?:[^"\\]|\\.)*"/g).map((text) => JSON.parse(text).replaceAll('%%', '%'));

function start() {
  // systemd would do nothing then, and launchd fails.
  if (existsSync(pidFile)) throw new Error('it is loaded already');
  const unit = readFileSync(`${XDG_CONFIG_HOME}/systemd/user/${name}`, 'utf8').split('\n');
  const valuesOf = (key) =>
    unit.filter((line) => line.startsWith(`${key}=`)).map((line) => line.slice(key.length + 1));
  const [program, ...args] = textsIn(valuesOf('ExecStart')[0]).map((text) => text.replaceAll('$$', '$'));
  const set = valuesOf('Environment')
    .flatMap(textsIn)
    .map((text) => text.split(/=(.*)/s));
  const child = spawn(program, args, {
    cwd: valuesOf('WorkingDirectory')[0].replaceAll('%%', '%'),
    env: { PATH, HOME, ...Object.fromEntries(set) },
    detached: true,
    stdio: 'ignore',
  });
  writeFileSync(pidFile, String(child.pid));
  child.unref();
}

function stop() {
  const pid = Number(readFileSync(pidFile, 'utf8'));
  rmSync(pidFile);
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

function tell() {
  const isActive = existsSync(pidFile);
  process.stdout.write(isActive ? 'active\n' : 'inactive\n');
  process.exitCode = isActive ? 0 : 3;
}

if (NO_BUS) {
  process.stderr.write('Failed to connect to bus: No medium found\n');
  process.exitCode = 1;
} else if (verb === 'enable') start();
else if (verb === 'disable') stop();
else if (verb === 'is-active') tell();
