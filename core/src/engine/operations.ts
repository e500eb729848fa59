import { boot, previewBoot } from '../boot/boot.ts';
import { bootConfig, setBootConfig } from '../boot/config.ts';
import { compaction } from '../compaction/compaction.ts';
import type { OperationName } from '../contract/index.ts';
import { dashboard } from '../dashboard/dashboard.ts';
import { acknowledgeDistress, distress, listDistress } from '../distress/distress.ts';
import { createEventEndpoint } from '../events/create-endpoint.ts';
import { deleteEventEndpoint } from '../events/delete-endpoint.ts';
import { listEventDeliveries } from '../events/deliveries.ts';
import { listEventEndpoints } from '../events/endpoints.ts';
import { replayEventDelivery } from '../events/replay.ts';
import { rotateEventSecret } from '../events/rotate-secret.ts';
import { testEventEndpoint } from '../events/test-endpoint.ts';
import { updateEventEndpoint } from '../events/update-endpoint.ts';
import { exportMemories } from '../export/export.ts';
import { approveChange, rejectChange, withdrawChange } from '../guardian/decide.ts';
import { guardianEntry } from '../guardian/find.ts';
import { guardianQueue } from '../guardian/queue.ts';
import { guardianSettings, setGuardianSettings } from '../guardian/settings.ts';
import { importMemories } from '../import/import.ts';
import { cancelJob } from '../jobs/cancel.ts';
import { getJob, listJobs } from '../jobs/list.ts';
import { memoryCalendar } from '../landscape/calendar.ts';
import { memoryMap } from '../landscape/map.ts';
import { archived } from '../memory/archived.ts';
import { forget } from '../memory/forget.ts';
import { get } from '../memory/get.ts';
import { history } from '../memory/history.ts';
import { remember, rememberBatch } from '../memory/remember.ts';
import { restore } from '../memory/restore.ts';
import { undo } from '../memory/undo.ts';
import { update } from '../memory/update.ts';
import { compactions } from '../moments/list.ts';
import { reportMoments } from '../moments/report.ts';
import { query } from '../query/query.ts';
import { recall } from '../recall/recall.ts';
import { reflectConfig, setReflectConfig } from '../reflection/config.ts';
import { reflect } from '../reflection/reflect.ts';
import {
  createScheduleItem,
  deleteScheduleItem,
  getScheduleItem,
  updateScheduleItem,
} from '../schedule/change.ts';
import { listSchedule } from '../schedule/list.ts';
import { sessionKey } from '../session/session-key.ts';
import { setupScript } from '../setup/setup-script.ts';
import { dismissDriftCheck } from '../stability/drift-check.ts';
import { stabilityHistory } from '../stability/history.ts';
import { stability } from '../stability/stability.ts';
import { syncCore } from '../sync/sync-core.ts';
import { syncWorking } from '../sync/sync-working.ts';
import { createApiKey, listApiKeys, revokeApiKey, rotateApiKey } from '../tenants/api-key-operations.ts';
import { renameTenant } from '../tenants/rename.ts';
import { status } from '../tenants/status.ts';
import { listTools } from '../tools/list.ts';
import { setVisibility, visibility } from '../visibility/settings.ts';
import { createWipItem, deleteWipItem, getWipItem, updateWipItem } from '../wip/change.ts';
import { listWip } from '../wip/list.ts';
import type { Operation } from './context.ts';

/** The implementation of every route; the type forgets none. */
export const operations: { readonly [Name in OperationName]: Operation<Name> } = {
  remember,
  rememberBatch,
  get,
  update,
  forget,
  history,
  archived,
  restore,
  undo,
  recall,
  query,
  memoryMap,
  memoryCalendar,
  boot,
  bootConfig,
  previewBoot,
  setBootConfig,
  compaction,
  compactions,
  reportMoments,
  syncWorking,
  syncCore,
  setupScript,
  guardianQueue,
  guardianSettings,
  setGuardianSettings,
  guardianEntry,
  approveChange,
  rejectChange,
  withdrawChange,
  stability,
  stabilityHistory,
  dismissDriftCheck,
  status,
  renameTenant,
  apiKeys: listApiKeys,
  createApiKey,
  rotateApiKey,
  revokeApiKey,
  export: exportMemories,
  import: importMemories,
  sessionKey,
  visibility,
  setVisibility,
  distress,
  distressSignals: listDistress,
  acknowledgeDistress,
  dashboard,
  eventEndpoints: listEventEndpoints,
  createEventEndpoint,
  updateEventEndpoint,
  deleteEventEndpoint,
  rotateEventSecret,
  testEventEndpoint,
  eventDeliveries: listEventDeliveries,
  replayEventDelivery,
  scheduleItems: listSchedule,
  createScheduleItem,
  scheduleItem: getScheduleItem,
  updateScheduleItem,
  deleteScheduleItem,
  wipItems: listWip,
  createWipItem,
  wipItem: getWipItem,
  updateWipItem,
  deleteWipItem,
  reflect,
  reflectConfig,
  setReflectConfig,
  jobs: listJobs,
  job: getJob,
  cancelJob,
  tools: listTools,
};
