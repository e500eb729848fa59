import * as o200k from '#o200k_base';
import { countWith } from '../text/tokens.ts';

export type { AgentMemory } from '../app/contract.ts';
export { countTokens } from '../text/tokens.ts';
export { attempt, warn } from './attempt.ts';
export {
  CompactionLifecycle,
  type InjectionOptions,
  type Keeping,
  type Transcript,
} from './compaction-lifecycle.ts';
export { type Conversation, toConversation } from './conversation.ts';
export { describeFileTool, type FileCommand, type MemoryFiles, memoryFiles } from './memory-files.ts';
export {
  forgetOldest,
  handOver,
  type MemoryInjection,
  type MemoryOptions,
  type MemoryWarning,
  requireOptions,
} from './options.ts';
export { type PlainOptions, recallForTurns, rememberTurns } from './plain.ts';
export { createSessions, MemorySession, type SessionKeeping, type SessionRequest } from './session.ts';
export { TurnLog } from './turn-log.ts';
export {
  callTurns,
  resultTurns,
  saidTurns,
  storable,
  type Turn,
  toJson,
} from './turns.ts';
export { memoryOfUser, optionsOfUser, ownOnly, userIdIn } from './user.ts';

// Programs with an adapter are often bundled.
countWith(o200k);
