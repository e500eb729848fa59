import { acceptFields } from '../../kernel/contract/accept-fields.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import { defineFeature } from '../../kernel/feature.ts';
import { HOUR_MS, MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { CATEGORY_NEEDED, memoryRoutes, type NewMemory, newMemory } from './contract.ts';
import { eraseExpired } from './erase.ts';
import { forget } from './forget.ts';
import { get } from './get.ts';
import { history } from './history.ts';
import { remember, rememberBatch } from './remember.ts';
import { archived, restore } from './restore.ts';
import { archiveExpired, nextExpiry } from './sweep.ts';
import { undo } from './undo/undo.ts';
import { update } from './update.ts';

/** Takes what a plugin made of a memory about to be stored. */
function acceptMemory(answered: unknown, given: NewMemory): NewMemory {
  const accepted = acceptFields(newMemory.shape, answered, given);
  if (accepted.type === 'core' && accepted.category === undefined && given.type !== 'core') {
    throw invalid('category', CATEGORY_NEEDED.message);
  }
  return accepted;
}

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
