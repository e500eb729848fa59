import { activityRoutes } from '../features/activity/contract.ts';
import { scheduleRoutes, wipRoutes } from '../features/agenda/contract.ts';
import { schedule, wip } from '../features/agenda/tools.ts';
import { auditLogRoutes } from '../features/audit-log/contract.ts';
import { bootRoutes } from '../features/boot/contract.ts';
import { bootTools } from '../features/boot/tools.ts';
import { compactionRoutes } from '../features/compaction/contract.ts';
import { compactionLogRoutes } from '../features/compaction-log/contract.ts';
import { connectionRoutes } from '../features/connections/contract.ts';
import { distressRoutes } from '../features/distress/contract.ts';
import { distressTools } from '../features/distress/tools.ts';
import { exportRoutes } from '../features/export/contract.ts';
import { exportTools } from '../features/export/tools.ts';
import { facetRoutes } from '../features/facets/contract.ts';
import { fileRoutes } from '../features/files/contract.ts';
import { guardianRoutes } from '../features/guardian/contract.ts';
import { stabilityRoutes } from '../features/guardian/stability/contract.ts';
import { stabilityTools } from '../features/guardian/stability/tools.ts';
import { importRoutes } from '../features/import/contract.ts';
import { jobRoutes } from '../features/jobs/contract.ts';
import { memoryRoutes } from '../features/memory/contract.ts';
import { memoryTools } from '../features/memory/tools.ts';
import { memoryMapRoutes } from '../features/memory-map/contract.ts';
import { dashboardRoutes } from '../features/overview/contract.ts';
import { queryRoutes } from '../features/query/contract.ts';
import { queryTools } from '../features/query/tools.ts';
import { recallRoutes } from '../features/recall/contract.ts';
import { recallTools } from '../features/recall/tools.ts';
import { recallLogRoutes } from '../features/recall-log/contract.ts';
import { reflectionRoutes } from '../features/reflection/contract.ts';
import { reflectionTools } from '../features/reflection/tools.ts';
import { setupRoutes } from '../features/setup/contract.ts';
import { setupTools } from '../features/setup/tools.ts';
import { spaceRoutes } from '../features/spaces/contract.ts';
import { syncRoutes } from '../features/sync/contract.ts';
import { syncTools } from '../features/sync/tools.ts';
import { apiKeyRoutes, sessionRoutes, statusRoutes } from '../features/tenant/contract.ts';
import { tenantTools } from '../features/tenant/tools.ts';
import { toolRoutes } from '../features/tools/contract.ts';
import { userRoutes } from '../features/users/contract.ts';
import { visibilityRoutes } from '../features/visibility/contract.ts';
import { visibilityTools } from '../features/visibility/tools.ts';
import { eventRoutes } from '../features/webhooks/contract.ts';
import type { Contract } from '../kernel/feature.ts';

/** What callers see of each feature: its routes and tools. Loaded by clients and browsers, so it holds no operation. */
export const contracts = [
  { routes: memoryRoutes, tools: memoryTools },
  { routes: recallRoutes, tools: recallTools },
  { routes: recallLogRoutes },
  { routes: queryRoutes, tools: queryTools },
  { routes: memoryMapRoutes },
  { routes: facetRoutes },
  { routes: activityRoutes },
  { routes: bootRoutes, tools: bootTools },
  { routes: compactionRoutes },
  { routes: compactionLogRoutes },
  { routes: syncRoutes, tools: syncTools },
  { routes: fileRoutes },
  { routes: guardianRoutes },
  { routes: stabilityRoutes, tools: stabilityTools },
  { routes: { ...statusRoutes, ...apiKeyRoutes }, tools: tenantTools },
  { routes: connectionRoutes },
  { routes: userRoutes },
  { routes: spaceRoutes },
  { routes: auditLogRoutes },
  { routes: exportRoutes, tools: exportTools },
  { routes: importRoutes },
  { routes: sessionRoutes },
  { routes: visibilityRoutes, tools: visibilityTools },
  { routes: distressRoutes, tools: distressTools },
  { routes: dashboardRoutes },
  { routes: eventRoutes },
  { routes: scheduleRoutes, tools: [schedule] },
  { routes: wipRoutes, tools: [wip] },
  { routes: reflectionRoutes, tools: reflectionTools },
  { routes: jobRoutes },
  { routes: toolRoutes },
  { routes: setupRoutes, tools: setupTools },
] as const satisfies readonly Contract[];
