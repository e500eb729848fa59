import { join } from 'node:path';
import type { Environment } from '../../../config/config.ts';
import { homeOf } from '../../access/home.ts';
import { NAME, type ServiceManager, type StartedService } from './service-manager.ts';

const UNIT = `${NAME}.service`;

/** systemd's manager of a user: https://www.freedesktop.org/software/systemd/man/latest/systemd.service.html */
export function systemd(env: Environment): ServiceManager {
  const units = join(env.XDG_CONFIG_HOME || join(homeOf(env), '.config'), 'systemd/user');
  return {
    name: 'systemd',
    file: join(units, UNIT),
    describe,
    start: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', UNIT],
    ],
    stop: [[['systemctl', '--user', 'disable', '--now', UNIT]], [['systemctl', '--user', 'daemon-reload']]],
    state: ['systemctl', '--user', 'is-active', UNIT],
    log: `journalctl --user -u ${NAME}`,
    note: 'It starts at your login. To start it with the machine: loginctl enable-linger',
  };
}

function describe({ command, environment, folder }: StartedService): string {
  const variables = Object.entries(environment).map(
    ([name, value]) => `Environment=${quote(`${name}=${value}`)}`,
  );
  return `# Written by \`npx svc-memory autostart install\`; \`npx svc-memory autostart uninstall\` removes it.
[Unit]
Description=Agent Memory Service

[Service]
ExecStart=${command.map((part) => quote(part).replaceAll('$', '$$$$')).join(' ')}
WorkingDirectory=${escapeSpecifiers(folder)}
${variables.join('\n')}
Restart=on-failure
RestartSec=5
# What is wrong with the settings, another start does not mend.
RestartPreventExitStatus=2
TimeoutStopSec=60

[Install]
WantedBy=default.target
`;
}

function quote(text: string): string {
  return `"${escapeSpecifiers(text).replace(/["\\]/g, '\\$&')}"`;
}

function escapeSpecifiers(text: string): string {
  return text.replaceAll('%', '%%');
}
