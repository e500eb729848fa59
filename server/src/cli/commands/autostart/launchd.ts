import { userInfo } from 'node:os';
import { join } from 'node:path';
import { XMLBuilder } from 'fast-xml-parser';
import type { Environment } from '../../../config/config.ts';
import { homeOf } from '../../access/home.ts';
import { NAME, type ServiceManager, type StartedService } from './service-manager.ts';

/** launchd's agents of a user: `man launchd.plist` on macOS. */
export function launchd(env: Environment): ServiceManager {
  const home = homeOf(env);
  const file = join(home, 'Library/LaunchAgents', `${NAME}.plist`);
  const log = join(home, 'Library/Logs', `${NAME}.log`);
  const domain = `gui/${userInfo().uid}`;
  return {
    name: 'launchd',
    file,
    describe: (service) => describe(service, log),
    start: [['launchctl', 'bootstrap', domain, file]],
    stop: [[['launchctl', 'bootout', `${domain}/${NAME}`]], []],
    state: ['launchctl', 'print', `${domain}/${NAME}`],
    log: `tail -f ${log}`,
  };
}

type Value = string | boolean | readonly string[] | Readonly<Record<string, string | boolean>>;

function describe({ command, environment, folder }: StartedService, log: string): string {
  const settings: Readonly<Record<string, Value>> = {
    Label: NAME,
    ProgramArguments: command,
    EnvironmentVariables: environment,
    WorkingDirectory: folder,
    RunAtLoad: true,
    KeepAlive: { SuccessfulExit: false },
    StandardOutPath: log,
    StandardErrorPath: log,
  };
  const xml = new XMLBuilder({ preserveOrder: true, format: true, suppressEmptyNode: true });
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`npx svc-memory autostart install\`; \`npx svc-memory autostart uninstall\` removes it. -->
<plist version="1.0">${xml.build([dictionary(settings)])}
</plist>
`;
}

const element = (name: string, ...children: readonly object[]) => ({ [name]: children });
const textOf = (text: string) => ({ '#text': text });

function dictionary(of: Readonly<Record<string, Value>>): object {
  return element(
    'dict',
    ...Object.entries(of).flatMap(([key, value]) => [element('key', textOf(key)), elementOf(value)]),
  );
}

function elementOf(value: Value): object {
  if (typeof value === 'boolean') return element(String(value));
  if (typeof value === 'string') return element('string', textOf(value));
  return Array.isArray(value)
    ? element('array', ...value.map(elementOf))
    : dictionary(value as Readonly<Record<string, Value>>);
}
