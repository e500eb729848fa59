import { describeAgentMemory } from './agent-memory.ts';
import { useEngineDoor } from './door.ts';

describeAgentMemory('in process', useEngineDoor);
