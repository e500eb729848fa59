import { defineFeature } from '../../kernel/feature.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { acceptMemory } from './accept.ts';
import { archiveExpired, nextExpiry } from './archive-expired.ts';
import { memoryRoutes } from './contract.ts';
import { eraseExpired } from './erase.ts';
import { forget } from './forget.ts';
import { get } from './get.ts';
import { history } from './history.ts';
import { remember, rememberBatch } from './remember.ts';
import { archived, restore } from './restore.ts';
import { undo } from './undo/undo.ts';
import { update } from './update.ts';

export const memoryFeature = defineFeature({
  name: 'memory',
  routes: memoryRoutes,
  operations: {
    remember,
    rememberBatch,
    get,
    update,
    forget,
    history,
    archived,
    restore,
    undo,
  },
  events: ['memory.stored', 'memory.superseded', 'memory.archived', 'memory.restored'],
  acts: { 'memories.undone': 'account', 'memories.erased': 'agent' },
  tasks: () => [
    { name: 'memory.archive-expired', everyMs: MINUTE_MS, run: archiveExpired, nextDue: nextExpiry },
    { name: 'memory.erase-expired', everyMs: HOUR_MS, deletesByAge: true, run: eraseExpired },
  ],
  hooks: {
    'memory:beforeStore': { accept: acceptMemory, onFailure: 'refuse' },
    'memory:stored': 'notify',
  },
});
