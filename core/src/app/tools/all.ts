import type { AnyTool } from '../../kernel/tools/tool.ts';
import * as contracts from '../contracts.ts';
import { helpTool } from './help.ts';

/** The order in which hosts list the tools; others follow, and help is the last. */
const ORDER = [
  'svc_boot',
  'svc_remember',
  'svc_recall',
  'svc_recall_exact',
  'svc_forget',
  'svc_reflect',
  'svc_export',
  'svc_status',
  'svc_boot_config',
  'svc_session_key',
  'svc_wip',
  'svc_schedule',
  'svc_sync_working',
  'svc_sync_core',
  'svc_distress_signal',
  'svc_dismiss_drift_check',
  'svc_visibility',
  'svc_script',
];

const place = ({ name }: AnyTool) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
const features: readonly AnyTool[] = Object.values(contracts).flatMap((contract) =>
  Array.isArray(contract) ? contract : [],
);

/** Every tool, in the order in which hosts list them. */
export const tools: readonly AnyTool[] = [
  ...[...features].sort((a, b) => place(a) - place(b)),
  helpTool(() => tools),
];
