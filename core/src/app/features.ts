import { accountsFeature } from '../features/accounts/index.ts';
import { activityFeature } from '../features/activity/index.ts';
import { agendaFeature } from '../features/agenda/index.ts';
import { auditLogFeature } from '../features/audit-log/index.ts';
import { bootFeature } from '../features/boot/index.ts';
import { compactionFeature } from '../features/compaction/index.ts';
import { compactionLogFeature } from '../features/compaction-log/index.ts';
import { connectionsFeature } from '../features/connections/index.ts';
import { distressFeature } from '../features/distress/index.ts';
import { embeddingFeature } from '../features/embedding/index.ts';
import { exportFeature } from '../features/export/index.ts';
import { facetsFeature } from '../features/facets/index.ts';
import { filesFeature } from '../features/files/index.ts';
import { guardianFeature } from '../features/guardian/index.ts';
import { importFeature } from '../features/import/index.ts';
import { jobsFeature } from '../features/jobs/index.ts';
import { memoryFeature } from '../features/memory/index.ts';
import { memoryMapFeature } from '../features/memory-map/index.ts';
import { overviewFeature } from '../features/overview/index.ts';
import { queryFeature } from '../features/query/index.ts';
import { recallFeature } from '../features/recall/index.ts';
import { recallLogFeature } from '../features/recall-log/index.ts';
import { recordsFeature } from '../features/records/index.ts';
import { reembeddingFeature } from '../features/reembedding/index.ts';
import { reflectionFeature } from '../features/reflection/index.ts';
import { searchIndexFeature } from '../features/search-index/index.ts';
import { setupFeature } from '../features/setup/index.ts';
import { spacesFeature } from '../features/spaces/index.ts';
import { supersessionFeature } from '../features/supersession/index.ts';
import { syncFeature } from '../features/sync/index.ts';
import { tenantFeature } from '../features/tenant/index.ts';
import { toolsFeature } from '../features/tools/index.ts';
import { usersFeature } from '../features/users/index.ts';
import { visibilityFeature } from '../features/visibility/index.ts';
import { webhooksFeature } from '../features/webhooks/index.ts';
import type { AnyFeature, FeatureParts } from '../kernel/feature.ts';
import { describeTools } from './tools/describe.ts';

/** Every feature, each behind those that it imports. */
export const features = [
  recordsFeature,
  embeddingFeature,
  searchIndexFeature,
  accountsFeature,
  connectionsFeature,
  visibilityFeature,
  supersessionFeature,
  memoryFeature,
  guardianFeature,
  recallLogFeature,
  recallFeature,
  queryFeature,
  jobsFeature,
  webhooksFeature,
  compactionLogFeature,
  bootFeature,
  syncFeature,
  filesFeature,
  compactionFeature,
  agendaFeature,
  distressFeature,
  reflectionFeature,
  reembeddingFeature,
  memoryMapFeature,
  facetsFeature,
  activityFeature,
  exportFeature,
  importFeature,
  tenantFeature,
  usersFeature,
  auditLogFeature,
  overviewFeature,
  setupFeature,
  spacesFeature,
  toolsFeature(describeTools),
] as const satisfies readonly AnyFeature[];

/** What the features have beside their operations. */
export const featureParts = features.map((feature): FeatureParts => feature);
