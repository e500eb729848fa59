import { t } from '@lingui/core/macro';
import Bowser from 'bowser';

/**
 * Says in words what a browser tells of itself: `Firefox on Windows`.
 *
 * @returns undefined where it cannot be told. The words may hold parts of the text, which anybody can choose.
 */
export function deviceOf(userAgent: string | null): string | undefined {
  if (!userAgent) return undefined;
  const { browser, os } = Bowser.parse(userAgent);
  const [name, system] = [browser.name, os.name];
  if (!name) return undefined;
  return system ? t`${name} on ${system}` : name;
}
