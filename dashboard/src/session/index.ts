import { lazy } from 'react';
import type { PageEntry } from '../navigation/page-entry.ts';
import { PATHS } from '../navigation/paths.ts';

export const signInPage: PageEntry = {
  path: PATHS.signIn,
  component: lazy(() => import('./sign-in-page.tsx')),
};
export const signUpPage: PageEntry = {
  path: PATHS.signUp,
  component: lazy(() => import('./sign-up-page.tsx')),
};
export const forgotPasswordPage: PageEntry = {
  path: PATHS.forgotPassword,
  component: lazy(() => import('./forgot-password-page.tsx')),
};
/** The service's mails link to this page. */
export const resetPasswordPage: PageEntry = {
  path: '/reset-password',
  component: lazy(() => import('./reset-password-page.tsx')),
};
