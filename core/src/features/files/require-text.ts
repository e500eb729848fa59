import { characterCount, LIMITS } from '../../kernel/contract/fields.ts';
import { refused } from './answers.ts';

/**
 * The text of a file as it is kept: a file is one memory.
 *
 * @throws SvcError `VALIDATION_ERROR` where it is blank, too long for one memory, or no text.
 */
export function requireText(path: string, asked: string): string {
  const text = asked.replace(/^\uFEFF+/, '');
  if (text.trim() === '') {
    throw refused(`Error: ${path} would hold no text. Write at least a word, or delete the file`);
  }
  const characters = characterCount(text);
  if (characters > LIMITS.contentCharacters) {
    const [is, most] = [characters, LIMITS.contentCharacters].map((count) => count.toLocaleString('en-US'));
    throw refused(
      `Error: ${path} would hold ${is} characters; a file holds at most ${most}. Split it into several files`,
    );
  }
  return text;
}
