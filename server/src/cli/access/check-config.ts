import { accountSettings } from '../../accounts/configure.ts';
import { type Config, ConfigError } from '../../config/config.ts';
import { checkModels } from '../../config/models.ts';

/**
 * Checks the variables that must go together, as a start does, without asking anybody.
 *
 * @throws ConfigError with the mistakes of all of them.
 */
export function checkConfig(config: Config): void {
  const mistakes = [checkModels, accountSettings].flatMap((check) => {
    try {
      check(config);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.mistakes;
      throw error;
    }
  });
  if (mistakes.length > 0) throw new ConfigError(mistakes);
}
