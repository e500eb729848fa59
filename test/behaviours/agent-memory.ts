import { describe } from 'vitest';
import { describeArchive } from './archive.ts';
import { describeBootChoice } from './boot-choice.ts';
import { describeBootSettings } from './boot-settings.ts';
import { describeDistress } from './distress.ts';
import type { Door } from './door.ts';
import { describeGuardian } from './guardian.ts';
import { describeMemories } from './memories.ts';
import { describeVisibility } from './visibility.ts';

/**
 * What an agent's memory does, whichever way it is reached and whichever database is behind it (`SVC_TEST_DATABASE_URL`).
 *
 * @param name The way, for the names of the tests.
 * @param useDoor Opens it for all tests of the file.
 */
export function describeAgentMemory(name: string, useDoor: () => Door): void {
  describe(`agent memory ${name}`, () => {
    const door = useDoor();
    describeMemories(door);
    describeArchive(door);
    describeGuardian(door);
    describeBootSettings(door);
    describeBootChoice(door);
    describeDistress(door);
    describeVisibility(door);
  });
}
