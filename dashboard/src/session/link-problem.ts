import { t } from '@lingui/core/macro';
import { SESSION_ENDED } from '../api/error.ts';

const FOREIGN_MACHINE = t`This link works on the machine of the service only. \`npx svc-memory link --anywhere\`, run there, makes one for others.`;
const USED_BEFORE = t`This link was used before or has expired.`;
const FAILED = t`The sign-in did not work. Please try again.`;

/** What to tell a visitor about the error code of a failed link or of what led them here, `?error=`. */
const TO_VISITOR: Readonly<Record<string, string>> = {
  invalid_link: t`This link has expired or was used before. Sign in, or ask for a new one.`,
  used_link: t`This sign-in link was used before or has expired. Run \`npx svc-memory link\` for a new one.`,
  foreign_machine: FOREIGN_MACHINE,
  session_ended: SESSION_ENDED,
  signup_disabled: t`There is no account for you here, and this service takes no new ones.`,
};

const TO_SIGNED_IN: Readonly<Record<string, string>> = {
  invalid_link: USED_BEFORE,
  used_link: USED_BEFORE,
  foreign_machine: FOREIGN_MACHINE,
};

/** Returns why a link did not sign the visitor in, by the query string of the page that it led to. */
export function linkProblem(search: string): string | undefined {
  return textOf(search, TO_VISITOR);
}

/** As `linkProblem`, to a human who is signed in all the same. */
export function linkProblemOfSignedIn(search: string): string | undefined {
  return textOf(search, TO_SIGNED_IN);
}

function textOf(search: string, texts: Readonly<Record<string, string>>): string | undefined {
  const code = new URLSearchParams(search).get('error');
  if (code === null || code === '') return undefined;
  return Object.hasOwn(texts, code) ? texts[code] : FAILED;
}
