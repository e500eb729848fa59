import { defineFeature } from '../../kernel/feature.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { guardianRoutes } from './contract.ts';
import { approveChange, rejectChange, withdrawChange } from './decide.ts';
import { eraseFromGuardian } from './erase.ts';
import { expireCooling, nextCooled } from './expire.ts';
import { getGuardianEntry, guardianQueue } from './queue.ts';
import { guardianBaselines, guardianSettingsTable } from './schema.ts';
import { guardianSettings, setGuardianSettings } from './settings.ts';
import { stabilityRoutes } from './stability/contract.ts';
import { dismissDriftCheck, driftCheckSection } from './stability/drift-check.ts';
import { stabilityHistory } from './stability/history.ts';
import { driftChecks, injections } from './stability/schema.ts';
import { stability } from './stability/stability.ts';

export const guardianFeature = defineFeature({
  name: 'guardian',
  routes: { ...guardianRoutes, ...stabilityRoutes },
  operations: {
    guardianQueue,
    guardianSettings,
    setGuardianSettings,
    guardianEntry: getGuardianEntry,
    approveChange,
    rejectChange,
    withdrawChange,
    stability,
    stabilityHistory,
    dismissDriftCheck,
  },
  events: [
    'guardian.queued',
    'guardian.approved',
    'guardian.rejected',
    'guardian.withdrawn',
    'guardian.applied',
    'guardian.waiting',
  ],
  acts: {
    'guardian.approved': 'account',
    'guardian.rejected': 'account',
    // Of changes that nobody asked the human about.
    'guardian.withdrawn': 'agent',
    'guardian.applied': 'agent',
    'guardian_settings.changed': 'account',
  },
  tables: [guardianSettingsTable, guardianBaselines, injections, driftChecks],
  tasks: () => [
    { name: 'guardian.expire-cooling', everyMs: MINUTE_MS, run: expireCooling, nextDue: nextCooled },
  ],
  bootSections: [driftCheckSection],
  erase: eraseFromGuardian,
});
