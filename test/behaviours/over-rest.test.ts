import { describeAgentMemory } from './agent-memory.ts';
import { useRestDoor } from './door.ts';

describeAgentMemory('over REST', useRestDoor);
