import { bootPage } from '../boot/index.ts';
import { distressPage } from '../distress/index.ts';
import { guardianPage } from '../guardian/index.ts';
import { memoriesPage, memoryPage } from '../memories/index.ts';
import type { PageEntry } from '../navigation/page-entry.ts';
import { overviewPage } from '../overview/index.ts';
import { forgotPasswordPage, resetPasswordPage, signInPage, signUpPage } from '../session/index.ts';
import { settingsPage } from '../settings/index.ts';
import { transferPage } from '../transfer/index.ts';
import { visibilityPage } from '../visibility/index.ts';

/** The pages of a human who is signed in, in the order of the navigation. */
export const PAGES: readonly PageEntry[] = [
  overviewPage,
  memoriesPage,
  memoryPage,
  guardianPage,
  bootPage,
  visibilityPage,
  distressPage,
  transferPage,
  settingsPage,
];

/** The pages of a visitor. */
export const VISITOR_PAGES: readonly PageEntry[] = [
  signInPage,
  signUpPage,
  forgotPasswordPage,
  resetPasswordPage,
];
