import { i18n } from '@lingui/core';

/**
 * Translates a text that the service made, such as an error or a reason of the Guardian. A text that the catalog does not
 * know stays in English.
 */
export function serverText(english: string): string {
  return isKnown(english) ? i18n._(english) : english;
}

/** Whether the catalog has such a text. In English there is none to have. */
export function isKnown(english: string): boolean {
  return Object.hasOwn(i18n.messages, english);
}
