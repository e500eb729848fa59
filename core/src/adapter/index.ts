import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { countWith } from '../boot/tokens.ts';

export { countTokens } from '../boot/tokens.ts';
export { CompactionLifecycle, type Keeping, type Moment, type Transcript } from '../compaction/lifecycle.ts';
export type { AgentMemory } from '../contract/index.ts';
export { attempt, warn } from './attempt.ts';
export type { MemoryOptions, MemoryWarning } from './options.ts';
export { createSessions, MemorySession, type SessionKeeping, type SessionRequest } from './session.ts';
export { TurnLog } from './turn-log.ts';
export {
  type Conversation,
  callTurns,
  resultTurns,
  saidTurns,
  storable,
  type Turn,
  toConversation,
  toJson,
} from './turns.ts';

// Programs with an adapter are often bundled.
countWith(o200k);
