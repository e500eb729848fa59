import { defineFeature } from '../../kernel/feature.ts';
import { auditLogRoutes } from './contract.ts';
import { exportAuditLog } from './export.ts';
import { auditLog } from './list.ts';
import { verifyAuditLog } from './verify.ts';

export const auditLogFeature = defineFeature({
  name: 'audit-log',
  routes: auditLogRoutes,
  operations: { auditLog, verifyAuditLog, exportAuditLog },
  // What concerns all tenants at once.
  acts: { 'backup.downloaded': 'account', 'backup.restored': 'account', 'secrets.scrubbed': 'account' },
});
