import { agendaPage } from '../agenda/index.ts';
import { auditLogPage } from '../audit-log/index.ts';
import { bootPage } from '../boot/index.ts';
import { connectPage } from '../connections/index.ts';
import { distressPage } from '../distress/index.ts';
import { guardianPage } from '../guardian/index.ts';
import { memoriesPage } from '../memories/index.ts';
import { memoryPage } from '../memory/index.ts';
import type { PageEntry } from '../navigation/page-entry.ts';
import { overviewPage } from '../overview/index.ts';
import { peoplePage } from '../people/index.ts';
import { recallsPage } from '../recalls/index.ts';
import { forgotPasswordPage, resetPasswordPage, signInPage, signUpPage } from '../session/index.ts';
import { settingsPage } from '../settings/index.ts';
import { spacePage, spacesPage } from '../spaces/index.ts';
import { transferPage } from '../transfer/index.ts';
import { undoPage } from '../undo/index.ts';
import { visibilityPage } from '../visibility/index.ts';

/** The pages of a human who is signed in, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  overviewPage,
  memoriesPage,
  memoryPage,
  agendaPage,
  guardianPage,
  undoPage,
  bootPage,
  recallsPage,
  peoplePage,
  spacesPage,
  spacePage,
  visibilityPage,
  distressPage,
  transferPage,
  auditLogPage,
  settingsPage,
  connectPage,
];

/** The pages of a visitor. */
export const VISITOR_PAGES: readonly PageEntry[] = [
  signInPage,
  signUpPage,
  forgotPasswordPage,
  resetPasswordPage,
];
