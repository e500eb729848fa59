import { defineFeature } from '../../kernel/feature.ts';
import { archiveExpired, nextExpiry } from './archive-expired.ts';
import { archived } from './archived.ts';
import { memoryRoutes } from './contract.ts';
import { eraseExpired } from './erase.ts';
import { forget } from './forget.ts';
import { get } from './get.ts';
import { history } from './history.ts';
import { remember, rememberBatch } from './remember.ts';
import { restore } from './restore.ts';
import { undo } from './undo/undo.ts';
import { update } from './update.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

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
  events: ['memory.stored', 'memory.superseded'],
  acts: { 'memories.undone': 'account', 'memories.erased': 'agent' },
  tasks: () => [
    { name: 'memory.archive-expired', everyMs: MINUTE, run: archiveExpired, nextDue: nextExpiry },
    { name: 'memory.erase-expired', everyMs: HOUR, deletesByAge: true, run: eraseExpired },
  ],
  hooks: ['memory:beforeStore', 'memory:stored'],
});
