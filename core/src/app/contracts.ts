// The routes of each feature: what its callers see, loaded by clients and browsers too. They are exported one by one, so that the
// declaration of `AgentMemory` refers to them and editors show the docstring of each, which is lost where types are written out.

export { activityRoutes } from '../features/activity/contract.ts';
export { scheduleRoutes, wipRoutes } from '../features/agenda/contract.ts';
export { auditLogRoutes } from '../features/audit-log/contract.ts';
export { bootRoutes } from '../features/boot/contract.ts';
export { compactionRoutes } from '../features/compaction/contract.ts';
export { compactionLogRoutes } from '../features/compaction-log/contract.ts';
export { connectionRoutes } from '../features/connections/contract.ts';
export { distressRoutes } from '../features/distress/contract.ts';
export { exportRoutes } from '../features/export/contract.ts';
export { facetRoutes } from '../features/facets/contract.ts';
export { fileRoutes } from '../features/files/contract.ts';
export { guardianRoutes } from '../features/guardian/contract.ts';
export { stabilityRoutes } from '../features/guardian/stability/contract.ts';
export { importRoutes } from '../features/import/contract.ts';
export { jobRoutes } from '../features/jobs/contract.ts';
export { memoryRoutes } from '../features/memory/contract.ts';
export { memoryMapRoutes } from '../features/memory-map/contract.ts';
export { dashboardRoutes } from '../features/overview/contract.ts';
export { queryRoutes } from '../features/query/contract.ts';
export { recallRoutes } from '../features/recall/contract.ts';
export { recallLogRoutes } from '../features/recall-log/contract.ts';
export { reflectionRoutes } from '../features/reflection/contract.ts';
export { setupRoutes } from '../features/setup/contract.ts';
export { spaceRoutes } from '../features/spaces/contract.ts';
export { syncRoutes } from '../features/sync/contract.ts';
export { apiKeyRoutes, sessionRoutes, statusRoutes } from '../features/tenant/contract.ts';
export { toolRoutes } from '../features/tools/contract.ts';
export { userRoutes } from '../features/users/contract.ts';
export { visibilityRoutes } from '../features/visibility/contract.ts';
export { eventRoutes } from '../features/webhooks/contract.ts';
