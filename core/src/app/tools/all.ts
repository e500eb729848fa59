import { schedule, wip } from '../../features/agenda/tools.ts';
import { bootTools } from '../../features/boot/tools.ts';
import { distressTools } from '../../features/distress/tools.ts';
import { exportTools } from '../../features/export/tools.ts';
import { stabilityTools } from '../../features/guardian/stability/tools.ts';
import { memoryTools } from '../../features/memory/tools.ts';
import { queryTools } from '../../features/query/tools.ts';
import { recallTools } from '../../features/recall/tools.ts';
import { reflectionTools } from '../../features/reflection/tools.ts';
import { setupTools } from '../../features/setup/tools.ts';
import { syncTools } from '../../features/sync/tools.ts';
import { tenantTools } from '../../features/tenant/tools.ts';
import { visibilityTools } from '../../features/visibility/tools.ts';
import type { AnyTool } from '../../kernel/tools/tool.ts';
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
/** The tools of all features. */
const features: readonly AnyTool[] = [
  schedule,
  wip,
  ...bootTools,
  ...distressTools,
  ...exportTools,
  ...stabilityTools,
  ...memoryTools,
  ...queryTools,
  ...recallTools,
  ...reflectionTools,
  ...setupTools,
  ...syncTools,
  ...tenantTools,
  ...visibilityTools,
];

/** Every tool, in the order in which hosts list them. */
export const tools: readonly AnyTool[] = [
  ...[...features].sort((a, b) => place(a) - place(b)),
  helpTool(() => tools),
];
