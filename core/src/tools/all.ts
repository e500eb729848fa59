import { boot } from './boot.ts';
import { bootConfig } from './boot-config.ts';
import { dismissDriftCheck } from './dismiss-drift-check.ts';
import { distressSignal } from './distress-signal.ts';
import { exportAll } from './export.ts';
import { forget } from './forget.ts';
import { help } from './help.ts';
import { recall } from './recall.ts';
import { recallExact } from './recall-exact.ts';
import { reflect } from './reflect.ts';
import { remember } from './remember.ts';
import { schedule } from './schedule.ts';
import { script } from './script.ts';
import { sessionKey } from './session-key.ts';
import { status } from './status.ts';
import { syncCore } from './sync-core.ts';
import { syncWorking } from './sync-working.ts';
import type { AnyTool } from './tool.ts';
import { visibility } from './visibility.ts';
import { wip } from './wip.ts';

/** Every tool, in the order of the specification. Spec: Agent tool interface (MCP). */
export const tools: readonly AnyTool[] = [
  boot,
  remember,
  recall,
  recallExact,
  forget,
  reflect,
  exportAll,
  status,
  bootConfig,
  sessionKey,
  wip,
  schedule,
  syncWorking,
  syncCore,
  distressSignal,
  dismissDriftCheck,
  visibility,
  script,
  help,
];
